// Compiles Python files for the Python that will run them: node compile.mjs PYODIDE ZIP.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: folder });
python.FS.writeFile("/in.zip", new Uint8Array(fs.readFileSync(file)));
python.runPython(`
import compileall, pathlib, py_compile, shutil, zipfile

zipfile.ZipFile("/in.zip").extractall("/all")
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
compileall.compile_dir("/all", quiet=2, stripdir="/all", invalidation_mode=mode)
with zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_DEFLATED) as out:
    for path in sorted(pathlib.Path("/all").rglob("*")):
        if path.is_file():
            out.writestr(zipfile.ZipInfo(str(path.relative_to("/all"))), path.read_bytes(), 8)
`);
fs.writeFileSync(file, python.FS.readFile("/out.zip"));
