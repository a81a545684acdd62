// Python of a page: it starts once, and runs the examples one after the other.
import { loadPyodide } from "./pyodide.mjs";

const here = new URL(".", import.meta.url).href;
const say = (message) => postMessage(message);
let running = null;

const start = async () => {
  const packages = fetch(`${here}packages.zip`).then((response) => response.arrayBuffer());
  const info = await fetch(`${here}info.json`).then((response) => response.json());
  const python = await loadPyodide({ indexURL: here, lockFileContents: { info, packages: {} } });
  const { version_info: version } = python.pyimport("sys");
  const extractDir = `/lib/python${version.major}.${version.minor}/site-packages`;
  python.unpackArchive(new Uint8Array(await packages), "zip", { extractDir });
  const decoder = new TextDecoder();
  const write = (bytes) => {
    say({ number: running, text: decoder.decode(bytes, { stream: true }) });
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
    // The examples wait inside of calls where the browser can do so.
    const waits = "Suspending" in WebAssembly;
    const error = waits ? await run.callPromising(number, code) : run(number, code);
    say({ number, state: "done", error });
  }).catch((error) => say({ failed: String(error) }));
};
