import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_TITLE, demoText, structureOf } from '../scripts/demo-text.ts';
import { renderTerminal, textOf } from '../scripts/terminal-svg.ts';
import { MODELS } from '../server/test/footage.ts';
import { REPOSITORY, sightline } from './harness/command.ts';
import { environment, makeFolder, prepareData } from './harness/service.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

/** Rows of both tables. Rows about objects and sirens are omitted without the models, because their status differs. */
const rowsOf = (text: string) =>
  structureOf(text).filter(
    (line) => line.startsWith('|') && (MODELS !== null || !/\b(car|bus|scene|siren)\b/.test(line)),
  );

test('docs/demo.svg shows the current output of the demo; npm run draw-demo updates it', {
  timeout: 300_000,
}, async () => {
  const svg = await readFile(join(REPOSITORY, 'docs/demo.svg'), 'utf8');
  expect(renderTerminal(DEMO_TITLE, textOf(svg))).toBe(svg);
  const env = await environment(join(folder.path, 'data'));
  await prepareData(env.SIGHTLINE_DATA_DIR!);
  const { code, stdout } = await sightline(['demo'], { env, timeoutMs: 250_000 });
  expect(code).toBe(0);
  expect(rowsOf(demoText(stdout).replaceAll(/│ [^│]*scene-/g, '│ data/demo/scene-'))).toEqual(rowsOf(textOf(svg)));
});
