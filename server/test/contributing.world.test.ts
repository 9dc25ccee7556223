import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copySources, REPOSITORY, type SourcesCopy } from './sources-copy.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Follows the sections of CONTRIBUTING.md that contain code, in one copy of the sources, and runs the checks there. */
const OBSERVE = 'server/src/engine/observe';
const TIMEOUT_MS = 900_000;
let copy: SourcesCopy;
let page: string;
const changed: string[] = [];

const section = (title: string) => {
  const [, text] = new RegExp(`^## ${title}\\n(.*?)(?=^## )`, 'ms').exec(page) ?? [];
  return text ?? expect.fail(`CONTRIBUTING.md has no section "${title}"`);
};
const blocks = (title: string, language: string) =>
  [...section(title).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code!);

beforeAll(async () => {
  copy = await copySources();
  page = await readFile(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8');
});
afterAll(() => copy.remove());

test.each([
  'Add a field of a resource',
  'Add a column of the library',
  'Add a term',
  'Add an operator',
  'Add a signal that can be asked for',
])('the code of "%s" fits the sources', async (title) => {
  const diffs = blocks(title, 'diff');
  expect(diffs).not.toEqual([]);
  for (const diff of diffs) changed.push(...(await copy.apply(diff)));
});

test('the code of "Add an observer" fits the sources', async () => {
  const [observer, digest] = blocks('Add an observer', 'ts');
  const [entry] = blocks('Add an observer', 'diff');
  await copy.write(`${OBSERVE}/blue/observer.ts`, observer!);
  await copy.apply(entry!);
  await addTo(`${OBSERVE}/versions.test.ts`, digest!);
  // Sorts the imports as an editor does; nothing else needs to be fixed. With the rules of the linter, types of the
  // whole project would be read.
  const { formatter, javascript } = JSON.parse(await copy.read('biome.json'));
  const editor = await temporaryFolder();
  await writeFile(join(editor, 'biome.json'), JSON.stringify({ formatter, javascript, linter: { enabled: false } }));
  await copy.run('@biomejs/biome/bin/biome', ['check', '--write', `--config-path=${editor}`, OBSERVE]);
  changed.push(OBSERVE);
  // The fixture of other tests is the same observer.
  expect(await copy.read(`${OBSERVE}/blue.fixture.ts`)).toContain(observer!.slice(observer!.indexOf('type Blue')));
});

test('generated files and translations follow', { timeout: TIMEOUT_MS }, async () => {
  const written = await copy.run('scripts/generate.ts');
  for (const file of ['schema.sql', 'schema.generated.ts', 'openapi.json', 'api.generated.ts', 'prompts.md'])
    expect(written).toContain(file);
  await copy.run('@lingui/cli/dist/lingui.js', ['extract', '--clean'], 'web');
  const catalog = await copy.read('web/src/locales/de.po');
  const [translation] = blocks('Add a signal that can be asked for', 'po');
  const untranslated = translation!.replace(/^msgstr .*$/m, 'msgstr ""');
  expect(catalog).toContain(untranslated);
  await copy.write('web/src/locales/de.po', catalog.replace(untranslated, translation!));
  await copy.run('scripts/check-translations.ts');
});

test('format, lint and types pass', { timeout: TIMEOUT_MS }, async () => {
  const checked = changed.filter((file) => !file.endsWith('.sql'));
  await copy.run('@biomejs/biome/bin/biome', ['ci', ...checked]);
  for (const project of ['tsconfig.json', 'web/tsconfig.json'])
    await copy.run('typescript-native/bin/tsc', ['--checkers', '1', '--project', project, '--incremental', 'false']);
});

test('the tests of what was added pass', { timeout: TIMEOUT_MS }, async () => {
  const output = await copy.run('vitest/vitest.mjs', [
    'run',
    '--mode',
    'recipes',
    '--project',
    'unit',
    '--project',
    'service',
    `${OBSERVE}/versions.test.ts`,
    'server/test/openapi.test.ts',
    'server/src/engine/find/frame/find-signals.test.ts',
    'server/src/engine/operators/height',
    'server/src/engine/plan/plan.test.ts',
    'server/src/engine/plan/strict.test.ts',
    'server/src/engine/prompts-guide.test.ts',
    'server/src/features/folders/folders.service.test.ts',
    // Random prompts are half of the time, and the additions change nothing there.
    '--testNamePattern',
    '^(?!hostile input)',
  ]);
  // As many as there are; a failed one ends the run with an error.
  expect(output).toMatch(/Test Files .*8 passed/);
});

/** Adds the imports of a step at the start of a file, and the rest at its end. */
async function addTo(file: string, step: string): Promise<void> {
  const [imports, rest] = [/^import .*\n/gm.exec(step)![0], step.replace(/^import .*\n\n/m, '')];
  await copy.write(file, `${imports}${await copy.read(file)}\n${rest}`);
}
