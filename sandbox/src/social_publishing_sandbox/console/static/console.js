// Keeps a page fresh, copies to the clipboard, and says what has happened. Pages work without it.

"use strict";

document.documentElement.classList.add("scripted");

const said = document.getElementById("said");
const say = (text) => {
  said.textContent = text;
};

// Copy buttons

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const word = button.querySelector("span");
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    word.textContent = "Copied";
    say("Copied");
  } catch {
    word.textContent = "Not allowed";
  }
  button.dataset.copied = "";
  setTimeout(() => {
    word.textContent = "Copy";
    delete button.dataset.copied;
  }, 1500);
});

// Forms: choosing is enough, a second press while waiting does nothing, the focus stays

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "true";
  form.classList.add("busy");
  if (form.dataset.busy) say(form.dataset.busy);
  if (form.dataset.busy && event.submitter) event.submitter.textContent = form.dataset.busy;
  const pressed = event.submitter ?? document.activeElement;
  if (pressed?.id) sessionStorage.setItem("pressed", pressed.id);
});

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    form.classList.remove("busy");
  }
});

const pressed = sessionStorage.getItem("pressed");
if (pressed) {
  sessionStorage.removeItem("pressed");
  document.getElementById(pressed)?.focus({ preventScroll: true });
}
const notice = document.getElementById("notice");
// A region that is there from the start is not read out; one that changes is.
if (notice) setTimeout(() => say(notice.innerText), 150);

// The clock runs on between two visits to the server

let since = performance.now();
const pad = (number) => String(number).padStart(2, "0");

function runClock() {
  const time = document.querySelector("[data-now]");
  const speed = Number(time?.dataset.speed ?? 0);
  if (speed && live.getAttribute("aria-pressed") === "true") {
    const now = new Date(Number(time.dataset.now) + (performance.now() - since) * speed);
    const day = new Intl.DateTimeFormat("en-GB", {
      timeZone: "UTC", weekday: "short", day: "numeric", month: "short", year: "numeric",
    }).formatToParts(now);
    const part = (type) => day.find((each) => each.type === type).value;
    const month = part("month").slice(0, 3);
    const date = `${part("weekday")} ${part("day")} ${month} ${part("year")}`.replaceAll(" ", "\u00a0");
    time.textContent =
      `${date}, ${pad(now.getUTCHours())}:${pad(now.getUTCMinutes())}:${pad(now.getUTCSeconds())}`;
  }
  for (const each of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.ceil(Number(each.dataset.until) - Date.now() / 1000));
    each.textContent = left ? `in ${left} s` : "now";
  }
}

// Fresh parts: when the sandbox says that something has changed, the page is fetched again and the
// parts marked `data-fresh` are exchanged. What is shown always comes from the server's templates.

const live = document.getElementById("live");
const REST = 400; // milliseconds between two fetches, or more when they take long
let fetching = false;
let wanted = false;
let stream = null;
let known = null;

async function refresh() {
  if (fetching) {
    wanted = true;
    return;
  }
  fetching = true;
  const began = performance.now();
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    if (response.ok) exchange(new DOMParser().parseFromString(await response.text(), "text/html"));
  } catch {
    // The sandbox has stopped; the stream says so, and comes back with it.
  }
  setTimeout(() => {
    fetching = false;
    if (wanted) {
      wanted = false;
      refresh();
    }
  }, Math.max(REST, 3 * (performance.now() - began)));
}

function exchange(page) {
  since = performance.now();
  for (const part of document.querySelectorAll("[data-fresh]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || fresh.innerHTML === part.dataset.shown) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    if (focused?.matches("input, select, textarea")) continue;
    part.dataset.shown = fresh.innerHTML;
    const scrolled = [...part.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
    part.replaceChildren(...fresh.cloneNode(true).childNodes);
    part.querySelectorAll(".scroll").forEach((each, n) => (each.scrollLeft = scrolled[n] ?? 0));
    if (focused) keepFocus(part, focused);
    showCopies(part);
    if (fresh.dataset.count) tellCount(Number(fresh.dataset.count));
  }
  runClock();
}

function keepFocus(part, focused) {
  const href = focused.getAttribute("href");
  const same =
    (focused.id && document.getElementById(focused.id)) ||
    (href && [...part.querySelectorAll("a")].find((each) => each.getAttribute("href") === href)) ||
    part.querySelector(".scroll");
  same?.focus({ preventScroll: true });
}

let lastTold = -Infinity;
function tellCount(count) {
  if (known !== null && count > known && performance.now() - lastTold > 3000) {
    lastTold = performance.now();
    say(count - known === 1 ? "A new request" : `${count - known} new requests`);
    known = count;
  }
  known ??= count;
}

function showCopies(part) {
  for (const each of part.querySelectorAll("[data-copy]")) each.hidden = false;
}

function follow() {
  if (stream || document.hidden || live.getAttribute("aria-pressed") !== "true") return;
  if (!document.body.dataset.live) return;
  stream = new EventSource(document.body.dataset.live);
  for (const kind of ["change", "request", "lost"]) stream.addEventListener(kind, refresh);
}

function hold() {
  stream?.close();
  stream = null;
}

live.hidden = false;
if (sessionStorage.getItem("held")) live.setAttribute("aria-pressed", "false");
live.addEventListener("click", () => {
  const on = live.getAttribute("aria-pressed") !== "true";
  live.setAttribute("aria-pressed", String(on));
  if (on) sessionStorage.removeItem("held");
  else sessionStorage.setItem("held", "true");
  say(on ? "The page refreshes by itself" : "Refreshing is paused");
  on ? follow() : hold();
});
// A browser keeps few connections to one host: pages that nobody sees give theirs back.
document.addEventListener("visibilitychange", () => (document.hidden ? hold() : follow()));

for (const part of document.querySelectorAll("[data-fresh]")) part.dataset.shown = part.innerHTML;
const counted = document.querySelector("[data-fresh][data-count]");
if (counted) known = Number(counted.dataset.count);
showCopies(document);
follow();
setInterval(runClock, 1000);
// Budgets and faster clocks change without anybody doing anything.
setInterval(() => {
  const speed = Number(document.querySelector("[data-now]")?.dataset.speed ?? 0);
  if (stream && (speed > 1 || document.querySelector("[data-often]"))) refresh();
}, 5000);
