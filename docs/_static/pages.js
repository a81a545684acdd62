/* What is wider than the page is scrolled in a box of its own: by the keyboard, too. */
const reachable = () => {
  for (const box of document.querySelectorAll("article :is(pre, .table-wrapper)")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};

/* On a narrow page, a long name in the first column of a table goes on in a new line after these. */
const breakable = () => {
  for (const name of document.querySelectorAll("article td:first-child code .pre"))
    name.innerHTML = name.innerHTML.replace(/(?<=\w)[_./](?=\w)/g, "$&<wbr>");
};

addEventListener("DOMContentLoaded", breakable);
addEventListener("load", reachable);
addEventListener("resize", reachable);
