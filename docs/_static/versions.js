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
    const box = document.createElement("label");
    box.className = "versions";
    box.textContent = "Version ";
    const choice = document.createElement("select");
    for (const { version, name } of all) {
      choice.add(new Option(name, version, false, version === shown));
    }
    choice.addEventListener("change", async () => {
      location.href = await sameIn(all[choice.selectedIndex].url);
    });
    box.append(choice);
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
