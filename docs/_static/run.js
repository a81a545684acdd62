/* Examples that run in the reader's browser: a button below each, and what it prints. */
const examples = [...document.querySelectorAll("article .runs")];
const folder = new URL("python/", import.meta.url);
const STALLED = 30; // seconds in which nothing comes
const SLOW = 3;
const AGAIN = 500; // milliseconds in which a second press of Stop is none of Run
const STARTING = 120; // seconds, of a slow phone
let python = null; // promised when it is asked for: it is many megabytes
let ran = 0; // how many examples have been sent, all above included

/* A button that is disabled would lose the keyboard's focus; this one does nothing meanwhile. */
const label = (example, text, disabled) => {
  const stopped = example.button.textContent === "Stop" && text !== "Stop";
  if (stopped) example.pressable = Date.now() + AGAIN;
  example.button.textContent = text;
  example.button.setAttribute("aria-label", `${text}: ${example.name}`);
  example.button.setAttribute("aria-disabled", disabled);
};

const state = (example, text, busy) => {
  label(example, text, busy);
  example.busy = busy;
  if (busy) return;
  example.note.textContent = example.where;
  example.pressed = false;
};

const show = (example, text, kind = "") => {
  example.output.hidden = false;
  example.output.className = `ran ${kind}`;
  const part = document.createElement("span");
  part.className = kind;
  const before = example.output.textContent;
  part.append(kind && before && !before.endsWith("\n") ? `\n${text}` : text);
  example.output.append(part);
};

/* Tell every second how long something has taken, once it is slow; return what ends that. */
const timed = (tell) => {
  const began = Date.now();
  const tick = () => {
    const seconds = Math.floor((Date.now() - began) / 1000);
    tell(seconds < SLOW ? "" : `${seconds} seconds so far`);
  };
  tick();
  const ticks = setInterval(tick, 1000);
  return () => clearInterval(ticks);
};

const heard = ({ number, text, state: now, error }) => {
  const example = examples[number];
  if (text) show(example, text);
  if (now === "running") {
    state(example, "Running…", true);
    example.over = timed((slow) => {
      // The client says so itself in terminals alone.
      example.note.textContent = slow && `${slow}; beyond sixty requests a minute, calls wait`;
      if (slow) label(example, "Stop", false);
    });
  }
  if (now === "done") {
    example.over();
    if (error) show(example, error, "failed");
    if (!example.output.textContent) show(example, "It printed nothing.", "quiet");
    state(example, "Run again", false);
  }
};

const busy = () => examples.filter((each) => each.busy);

const report = (text) => {
  for (const { note } of busy()) note.textContent = text;
};

const halt = (text, kind) => {
  for (const example of busy()) {
    example.over?.();
    if (example.pressed) show(example, text, kind);
    state(example, "Run", false);
  }
  python = null;
  ran = 0;
};

const broken = ({ message }) => halt(message, "failed");

const stop = (example) => {
  python.then((worker) => {
    worker.onmessage = null;
    worker.terminate();
  });
  example.pressed = true;
  halt("Stopped. The next Run starts Python anew.", "quiet");
};

/* What has arrived is kept: another attempt loads the rest, and does not trust what the browser
   kept of files that failed. */
const arrived = new Map();
const doubted = new Set(["info.json"]); // which tells the sizes of the others as they are now

const isJson = (text) => {
  try {
    return Boolean(JSON.parse(text));
  } catch {
    return false;
  }
};

const load = async (name, size, signal, came) => {
  const pieces = [];
  let reason = "";
  try {
    const cache = doubted.has(name) ? "reload" : "default";
    const response = await fetch(new URL(name, folder), { signal, cache });
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok) reason = `the server answered ${response.status}`;
    else if (type.startsWith("text/html")) reason = "a web page came in its place";
    const reader = response.body.getReader();
    while (!reason) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      came(value.length);
    }
  } catch {
    reason = signal.reason ?? "the connection broke";
  }
  const type = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
  const file = new Blob(pieces, { type });
  if (!reason && !(size ? file.size === size : isJson(await file.text()))) {
    reason = "it did not arrive whole";
  }
  if (reason) doubted.add(name);
  else arrived.set(name, file);
  return { name, file, reason };
};

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/* Return the files of Python by their names, and what Pyodide wants to know of itself. */
const loaded = async () => {
  const stop = new AbortController();
  let moved = Date.now();
  let sofar = 0;
  let total = 0;
  const tell = () => {
    const still = Math.floor((Date.now() - moved) / 1000);
    if (still >= STALLED) stop.abort(`nothing came for ${STALLED} seconds`);
    const slow = still >= SLOW ? `, nothing came for ${still} seconds` : "";
    const size = total ? `: ${megabytes(sofar)} of ${megabytes(total)} MB` : "…";
    report(`loading Python${size}${slow}`);
  };
  const came = (bytes) => {
    moved = Date.now();
    sofar += bytes;
    tell();
  };
  const whole = async (name, size) => {
    const { file, reason } = await load(name, size, stop.signal, came);
    if (!reason) return file;
    const again = "Press Run again; if that does not help, reload the page.";
    throw new Error(`Python cannot start: ${name} could not be loaded, ${reason}. ${again}`);
  };
  const ticks = setInterval(tell, 1000);
  tell();
  try {
    const { info, files } = JSON.parse(await (await whole("info.json")).text());
    sofar = 0;
    for (const [name, size] of Object.entries(files)) {
      total += size;
      if (arrived.get(name)?.size === size) sofar += size;
      else arrived.delete(name);
    }
    const missing = Object.entries(files).filter(([name]) => !arrived.has(name));
    await Promise.all(missing.map(([name, size]) => whole(name, size)));
    return { info, files: Object.fromEntries(arrived) };
  } finally {
    clearInterval(ticks);
    stop.abort();
  }
};

const start = async () => {
  const { info, files } = await loaded();
  const over = timed((slow) => report(`starting Python${slow ? `: ${slow}` : "…"}`));
  return new Promise((resolve, reject) => {
    const address = URL.createObjectURL(files["worker.mjs"]);
    const worker = new Worker(address, { type: "module" });
    const fail = (reason) => {
      over();
      worker.terminate();
      for (const name of arrived.keys()) doubted.add(name); // one may be spoilt
      arrived.clear();
      const again = "Press Run again; if that does not help, try another browser.";
      const error = new Error(`Python cannot start in this browser: ${reason}. ${again}`);
      reject(error);
      broken(error);
    };
    const limit = setTimeout(fail, STARTING * 1000, `it took more than ${STARTING} seconds`);
    worker.onmessage = ({ data }) => {
      if (data.failed || data.ready) clearTimeout(limit);
      if (data.failed) fail(data.failed);
      else if (data.ready) {
        over();
        report("after those above");
        resolve(worker);
      }
      else heard(data);
    };
    worker.onerror = (event) => fail(event.message || "it has no workers for modules");
    worker.postMessage({ info, files, folder: folder.href });
  });
};

const begin = () => {
  if (!python) {
    python = start();
    python.catch(broken);
  }
  return python;
};

const run = (example) => {
  const number = examples.indexOf(example);
  const first = Math.min(number, ran); // what an example builds on runs before it
  ran = Math.max(ran, number + 1);
  const sent = examples.slice(first, number + 1);
  for (const each of sent) {
    each.output.replaceChildren();
    each.output.hidden = true;
    state(each, "Starting…", true);
  }
  example.pressed = true;
  const send = (worker) =>
    sent.forEach(({ code }, each) => worker.postMessage({ number: first + each, code }));
  begin().then(send, () => {}); // which has been shown
};

examples.forEach((example, number) => {
  example.code = example.querySelector("pre").textContent;
  const bar = document.createElement("div");
  bar.className = "run";
  example.button = document.createElement("button");
  example.button.type = "button";
  example.pressable = 0;
  example.name = `example ${number + 1}`;
  label(example, "Run", false);
  example.button.addEventListener("click", () => {
    const isDisabled = example.button.getAttribute("aria-disabled") === "true";
    if (isDisabled || Date.now() < example.pressable) return;
    (example.busy ? stop : run)(example);
  });
  // Who comes near is likely to press it.
  for (const near of ["pointerenter", "focus"]) example.button.addEventListener(near, begin);
  example.where = number ? "after those above" : "here, against a sandbox in your browser";
  example.note = document.createElement("span");
  example.note.textContent = example.where;
  example.note.id = `run-${number + 1}`;
  example.button.setAttribute("aria-describedby", example.note.id);
  example.output = document.createElement("pre");
  example.output.setAttribute("role", "status");
  example.output.setAttribute("aria-label", `What ${example.name} printed`);
  example.output.hidden = true;
  bar.append(example.button, example.note);
  example.after(bar, example.output);
});
