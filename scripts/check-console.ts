/** Fails if the built console is larger than its budget: the scripts of the first page, later ones, its libraries. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from '../server/src/features/console/build.ts';
import { importedLibraries } from './console-libraries.ts';

/** Kilobytes after gzip of all scripts that `index.html` loads. */
const FIRST_KB = 180;
/** Kilobytes after gzip of a script that is loaded later. */
const LATER_KB = 150;
/** `uqr` draws a QR code in the browser, so that the key of a second factor is in no image of the service. */
const LIBRARIES = 13;

const folder = await buildConsole(AbortSignal.timeout(300_000));
const page = readFileSync(join(folder, 'index.html'), 'utf8');
const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map((match) => match[1]!);
const kilobytes = (path: string) => statSync(join(folder, `${path}.gz`)).size / 1000;

const problems: string[] = [];
const firstKb = first.map(kilobytes).reduce((sum, size) => sum + size, 0);
if (firstKb > FIRST_KB) problems.push(`The first page loads ${firstKb.toFixed(0)} KB of scripts, at most ${FIRST_KB}.`);
for (const name of readdirSync(join(folder, 'assets')).filter((each) => each.endsWith('.js'))) {
  const path = `assets/${name}`;
  if (!first.includes(path) && kilobytes(path) > LATER_KB) {
    problems.push(`${name} has ${kilobytes(path).toFixed(0)} KB, at most ${LATER_KB}.`);
  }
}
const libraries = importedLibraries(join(import.meta.dirname, '../web'));
if (libraries.length > LIBRARIES) problems.push(`${libraries.length} libraries, at most ${LIBRARIES}: ${libraries}.`);

console.log(`First page: ${firstKb.toFixed(1)} KB of scripts after gzip.`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
