// Python of a page: it starts once, and runs the examples one after the other.
import { loadPyodide } from "./pyodide.mjs";

// Whether the browser can let Python wait in the middle of a call (JSPI).
const waits = "Suspending" in WebAssembly;
const WITHOUT_WAITS = `
import asyncio

def run(main, **_):
    main.close()
    raise RuntimeError("this browser cannot wait for a coroutine: try Chrome or Edge")

asyncio.run = run
`;

const here = new URL(".", import.meta.url).href;
const say = (message) => postMessage(message);
let running = null;

const start = async () => {
  const archives = ["packages.zip", "compiled.zip"].map((name) =>
    fetch(`${here}${name}`).then((response) => response.arrayBuffer()));
  const info = await fetch(`${here}info.json`).then((response) => response.json());
  const python = await loadPyodide({ indexURL: here, lockFileContents: { info, packages: {} } });
  const [packages, compiled] = await Promise.all(archives);
  python.FS.writeFile("/packages.zip", new Uint8Array(packages));
  python.unpackArchive(new Uint8Array(compiled), "zip", { extractDir: "/compiled" });
  python.pyimport("sys").path.push("/packages.zip", "/compiled");
  if (!waits) python.runPython(WITHOUT_WAITS);
  const decoder = new TextDecoder();
  const write = (bytes) => {
    if (running !== null) say({ number: running, text: decoder.decode(bytes, { stream: true }) });
    return bytes.length;
  };
  python.setStdout({ write });
  python.setStderr({ write });
  return python.pyimport("examples").run;
};

const started = start();
let last = started.catch((error) => say({ failed: String(error) }));

onmessage = ({ data: { number, code } }) => {
  last = last.then(async () => {
    const run = await started;
    running = number;
    say({ number, state: "running" });
    const error = waits ? await run.callPromising(number, code) : run(number, code);
    say({ number, state: "done", error });
  }).catch((error) => say({ failed: String(error) }));
};
