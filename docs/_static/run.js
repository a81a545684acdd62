/* Examples that run in the reader's browser: a button below each, and what it prints. */
const examples = [...document.querySelectorAll("article .runs")];
const folder = new URL("python/", import.meta.url);
let python = null; // begins when it is asked for: it is 19 MB
let ran = 0; // how many examples have been sent, all above included

const state = (example, text, busy) => {
  example.button.textContent = text;
  example.button.disabled = busy;
};

const show = (example, text, kind = "") => {
  example.output.hidden = false;
  example.output.className = `ran ${kind}`;
  example.output.append(text);
};

const heard = ({ data: { number, text, state: now, error, failed } }) => {
  if (failed) return broken(failed);
  const example = examples[number];
  if (text) show(example, text);
  if (now === "running") state(example, "Running…", true);
  if (now === "done") {
    if (error) show(example, error, "failed");
    if (!example.output.textContent) show(example, "It printed nothing.", "quiet");
    state(example, "Run again", false);
  }
};

const broken = (reason) => {
  for (const example of examples.filter(({ button }) => button.disabled)) {
    show(example, `Python cannot start here: ${reason}`, "failed");
    state(example, "Run", false);
  }
  python?.terminate();
  python = null;
  ran = 0;
};

const begin = () => {
  if (python) return;
  python = new Worker(new URL("worker.mjs", folder), { type: "module" });
  python.onmessage = heard;
  python.onerror = (event) => broken(event.message || "open this page from a web server");
};

const run = (number) => {
  begin();
  // What an example builds on runs before it.
  for (let each = Math.min(number, ran); each <= number; each += 1) {
    const example = examples[each];
    example.output.replaceChildren();
    example.output.hidden = true;
    state(example, "Starting…", true);
    python.postMessage({ number: each, code: example.code });
  }
  ran = Math.max(ran, number + 1);
};

examples.forEach((example, number) => {
  example.code = example.querySelector("pre").textContent;
  const bar = document.createElement("div");
  bar.className = "run";
  example.button = document.createElement("button");
  example.button.type = "button";
  example.button.textContent = "Run";
  example.button.addEventListener("click", () => run(number));
  // Who comes near is likely to press it.
  for (const near of ["pointerenter", "focus"]) example.button.addEventListener(near, begin);
  const where = document.createElement("span");
  where.textContent = number ? "after those above" : "here, against a sandbox in your browser";
  example.output = document.createElement("pre");
  example.output.setAttribute("role", "status");
  example.output.setAttribute("aria-label", "What it printed");
  example.output.hidden = true;
  bar.append(example.button, where);
  example.after(bar, example.output);
});
