import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Follows "Add an observer" of CONTRIBUTING.md in a copy of the sources. */
const REPOSITORY = resolve(import.meta.dirname, '../../../..');
const OBSERVE = 'server/src/engine/observe';
let copy: string;
let steps: { observer: string; entry: string; digest: string };

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'sightline sources '));
  const excluded = new Set(['.git', 'node_modules', 'data']);
  const modules: string[] = [];
  for (const name of await readdir(REPOSITORY)) {
    if (excluded.has(name)) continue;
    const filter = (path: string) => {
      // Other tests may build while the copy is made.
      if (path.endsWith('/dist')) return false;
      if (!path.endsWith('node_modules')) return true;
      modules.push(path);
      return false;
    };
    await cp(join(REPOSITORY, name), join(copy, name), { recursive: true, filter });
  }
  for (const path of [join(REPOSITORY, 'node_modules'), ...modules]) {
    await symlink(path, join(copy, path.slice(REPOSITORY.length)), 'junction');
  }
  const page = await readFile(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8');
  const section = page.slice(page.indexOf('## Add an observer'), page.indexOf('## Add a term'));
  const [observer, entry, digest] = [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);
  steps = { observer: observer!, entry: entry!, digest: digest! };
});
afterAll(() => rm(copy, { recursive: true }));

test('the walkthrough adds an observer to the real list, and lint, types and tests pass', {
  timeout: 900_000,
}, async () => {
  await write(`${OBSERVE}/blue/observer.ts`, steps.observer);
  await addTo(`${OBSERVE}/observers.ts`, steps.entry, /^export const OBSERVERS = .*?;$/ms);
  await addTo(`${OBSERVE}/versions.test.ts`, steps.digest);
  // Sorts the imports as an editor does; nothing else needs to be fixed.
  await run('@biomejs/biome/bin/biome', 'check', '--write', '--linter-enabled=false', OBSERVE);
  await run('@biomejs/biome/bin/biome', 'ci', OBSERVE);
  // Its own build info: that of `npm run check` has other paths, and each run would make the other's useless.
  const info = ['--tsBuildInfoFile', 'node_modules/.cache/contributing.tsbuildinfo'];
  await run('typescript-native/bin/tsc', '--checkers', '1', '--project', 'tsconfig.json', ...info);
  // Without the database of a whole run.
  await write(
    'vitest.alone.config.ts',
    `export default { test: { include: ['${OBSERVE}/versions.test.ts'], testTimeout: 120_000 } };\n`,
  );
  const output = await run('vitest/vitest.mjs', 'run', '--config', 'vitest.alone.config.ts');
  // As many as there are observers; a failed one ends the run with an error.
  expect(output).toMatch(/Tests .*[1-9]\d* passed/);
});

test('the fixture of other tests is the same observer', async () => {
  const fixture = await readFile(join(REPOSITORY, OBSERVE, 'blue.fixture.ts'), 'utf8');
  expect(fixture).toContain(steps.observer.slice(steps.observer.indexOf('type Blue')));
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(copy, file)), { recursive: true });
  await writeFile(join(copy, file), text);
}

/** Adds a step's imports at the start of a file, and the rest instead of `replaced` or at the end. */
async function addTo(file: string, step: string, replaced?: RegExp): Promise<void> {
  const [imports, rest] = [/^import .*\n/gm.exec(step)![0], step.replace(/^import .*\n\n/m, '')];
  const text = await readFile(join(copy, file), 'utf8');
  if (replaced) expect(text).toMatch(replaced);
  await write(file, `${imports}${replaced ? text.replace(replaced, rest.trimEnd()) : `${text}\n${rest}`}`);
}

/** Runs a program of a package on the copy. Rejects with its output if it fails. */
async function run(program: string, ...args: string[]): Promise<string> {
  const script = join(REPOSITORY, 'node_modules', program);
  const { NO_COLOR: _, ...env } = process.env;
  const options = { cwd: copy, env: { ...env, FORCE_COLOR: '0' }, maxBuffer: 2 ** 24 };
  return promisify(execFile)(process.execPath, [script, ...args], options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => expect.fail(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`),
  );
}
