// Python of a page: it starts once, with files that the page has loaded, and runs the examples one
// after the other.

// Whether the browser can let Python wait in the middle of a call (JSPI).
const waits = "Suspending" in WebAssembly;
const WITHOUT_WAITS = `
import asyncio

def run(main, **_):
    main.close()
    raise RuntimeError("this browser cannot wait for a coroutine: try Chrome or Edge")

asyncio.run = run
`;

const say = (message) => postMessage(message);
let running = null;

/* One line of what went wrong: the last of a traceback of Python. */
const failed = (error) => {
  const text = String(error?.message ?? (typeof error === "string" ? error : error?.name ?? ""));
  say({ failed: text.trim().split("\n").pop() || "it ended by itself" });
};

/* Give Pyodide the files that it asks for by their addresses. */
const serve = (files, folder) => {
  const { fetch } = globalThis;
  globalThis.fetch = async (asked, ...options) => {
    const address = String(asked?.url ?? asked);
    const file = address.startsWith(folder) && files[address.slice(folder.length)];
    return file ? new Response(file) : fetch(asked, ...options);
  };
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = (...given) =>
    instantiateStreaming(...given).catch((error) => {
      failed(error); // Pyodide would wait for ever
      throw error;
    });
};

const start = async ({ files, folder, info }) => {
  serve(files, folder);
  const module = (name) => import(URL.createObjectURL(files[name]));
  const { loadPyodide } = await module("pyodide.mjs");
  const { default: createPyodideModule } = await module("pyodide.asm.mjs");
  const lockFileContents = { info, packages: {} };
  const python = await loadPyodide({ indexURL: folder, lockFileContents, createPyodideModule });
  const bytes = async (name) => new Uint8Array(await files[name].arrayBuffer());
  python.FS.writeFile("/packages.zip", await bytes("packages.zip"));
  python.unpackArchive(await bytes("compiled.zip"), "zip", { extractDir: "/compiled" });
  python.pyimport("sys").path.push("/packages.zip", "/compiled");
  if (!waits) python.runPython(WITHOUT_WAITS);
  const decoder = new TextDecoder();
  const write = (bytes) => {
    if (running !== null) say({ number: running, text: decoder.decode(bytes, { stream: true }) });
    return bytes.length;
  };
  python.setStdout({ write });
  python.setStderr({ write });
  const { run } = python.pyimport("examples");
  say({ ready: true });
  return run;
};

let last = null; // resolves to what runs an example

onmessage = ({ data }) => {
  if (!last) {
    last = start(data);
  } else {
    const { number, code } = data;
    last = last.then(async (run) => {
      running = number;
      say({ number, state: "running" });
      const error = waits ? await run.callPromising(number, code) : run(number, code);
      say({ number, state: "done", error });
      return run;
    });
  }
  last.catch(failed);
};
