// Compiles the Python files of archives for the Python that will run them, which saves seconds:
// node compile.mjs PYODIDE ARCHIVE…; of the standard library, only what was compiled is kept.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, ...archives] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: folder });
python.runPython(`
import importlib.util, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

def compiled(file, keep):
    """Write each file of Python beside its code, which is then imported without looking at it."""
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}
    for name, content in list(files.items()):
        if name.endswith(".py"):
            try:
                code = compile(content, name, "exec", dont_inherit=True)
            except SyntaxError:  # a test of the library
                continue
            digest = importlib.util.source_hash(content)
            files[f"{name}c"] = bytes(_code_to_hash_pyc(code, digest, False))
            if not keep:
                del files[name]
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
`);
for (const archive of archives) {
  python.FS.writeFile("/archive.zip", new Uint8Array(fs.readFileSync(archive)));
  const keep = archive.endsWith("python_stdlib.zip") ? "False" : "True";
  python.runPython(`compiled("/archive.zip", keep=${keep})`);
  fs.writeFileSync(archive, python.FS.readFile("/archive.zip"));
}
