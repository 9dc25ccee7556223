/**
 * Builds the console into a folder, with Brotli and gzip versions beside each text file.
 * `node web/build.ts FOLDER`; the server runs it on the first start.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const TEXT = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest']);

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node web/build.ts FOLDER');
const outDir = resolve(folder);
await build({ root: import.meta.dirname, logLevel: 'warn', build: { outDir, emptyOutDir: true } });

const names = await readdir(outDir, { recursive: true });
for (const path of names.filter((name) => TEXT.has(extname(name))).map((name) => join(outDir, name))) {
  const text = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(text, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
}
