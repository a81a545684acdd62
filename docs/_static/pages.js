/* What is wider than the page is scrolled in a box of its own: by the keyboard, too. */
const reachable = () => {
  for (const box of document.querySelectorAll("article :is(pre, .table-wrapper)")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};

/* A long name goes on in a new line after one of these. */
const LONG = 28;
const breakable = () => {
  for (const name of document.querySelectorAll("article code .pre")) {
    if (name.textContent.length < LONG) continue;
    name.classList.add("long");
    name.innerHTML = name.innerHTML.replace(/(?<=\w)[_./](?=\w)/g, "$&<wbr>");
  }
};

/* Each cell of a table that becomes cards says what it is. */
const tables = () => [...document.querySelectorAll("article table.docutils")];
const labelled = () => {
  for (const table of tables()) {
    const heads = [...table.querySelectorAll("thead th")].map((each) => each.textContent.trim());
    for (const row of table.tBodies[0]?.rows ?? []) {
      [...row.cells].forEach((cell, n) => n && heads[n] && (cell.dataset.label = heads[n]));
    }
  }
};

/* A table that does not fit becomes cards, and on a narrow page any of more than two columns. */
const narrow = matchMedia("(max-width: 46em)");
const carded = () => {
  const all = tables();
  for (const table of all) table.classList.remove("cards");
  const wide = all.map(({ parentElement: box }) => box.scrollWidth > box.clientWidth);
  all.forEach((table, n) => {
    const many = narrow.matches && table.querySelectorAll("thead th").length > 2;
    table.classList.toggle("cards", many || (wide[n] && !table.closest(".figures")));
  });
};

addEventListener("DOMContentLoaded", () => {
  breakable();
  labelled();
});
for (const moment of ["load", "resize"]) {
  addEventListener(moment, () => {
    carded();
    reachable();
  });
}

// Two landmarks of one kind have names.
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
