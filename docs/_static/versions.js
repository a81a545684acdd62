/* In a site that keeps several versions (see docs/versions.py), each page leads to the same one of
   the others, and says so where it is not of the newest release. Elsewhere nothing shows. */
{
  const version = new URL(document.documentElement.dataset.content_root, location.href);
  const site = new URL("../", version);
  const page = location.href.slice(version.href.length).replace(/[?#].*/, "");
  const shown = version.pathname.slice(site.pathname.length, -1);

  /* The same page, or the first one where a version is without it. */
  const sameIn = async (url) => {
    const first = new URL(url, site);
    const same = new URL(page, first);
    const { ok } = await fetch(same, { method: "HEAD" });
    return ok ? same.href + location.hash : first.href;
  };

  const switchable = (all) => {
    const box = document.createElement("details");
    box.className = "versions";
    const choice = document.createElement("summary");
    choice.textContent = `Version ${all.find((each) => each.version === shown).name}`;
    const others = document.createElement("ul");
    for (const { version, name, url } of all) {
      const link = document.createElement("a");
      link.textContent = name;
      link.href = new URL(page, new URL(url, site)).href + location.hash;
      if (version === shown) link.setAttribute("aria-current", "page");
      link.addEventListener("click", async (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        location.href = await sameIn(url);
      });
      const item = document.createElement("li");
      item.append(link);
      others.append(item);
    }
    box.append(choice, others);
    document.querySelector(".sidebar-brand")?.after(box);
  };

  const warned = async (all) => {
    const newest = all.find((each) => each.preferred);
    if (!newest || ["stable", newest.version].includes(shown)) return;
    const note = document.createElement("p");
    note.className = "other-version";
    const what = shown === "latest" ? "what is not released yet" : shown;
    note.append(`This is the documentation of ${what}. `);
    const link = document.createElement("a");
    link.href = await sameIn("stable/");
    link.textContent = `The newest release is ${newest.version}`;
    note.append(link, ".");
    document.querySelector("article")?.prepend(note);
  };

  if (location.protocol !== "file:") {
    fetch(new URL("versions.json", site))
      .then((response) => (response.ok ? response.json() : []))
      .then((all) => {
        if (!all.some((each) => each.version === shown)) return;
        switchable(all);
        return warned(all);
      })
      .catch(() => {}); // what is served alone has no list
  }
}
