/**
 * Runs the demo in a new data folder and renders its output into `docs/demo.svg`. Needs the detector, from
 * SIGHTLINE_MODELS_DIR or the network.
 * `npm run draw-demo`
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DEMO_TITLE, demoText } from './demo-text.ts';
import { renderTerminal } from './terminal-svg.ts';

const root = resolve(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'sightline-demo-'));
try {
  const env = { ...process.env, SIGHTLINE_DATA_DIR: join(folder, 'data') };
  const main = join(root, 'server/src/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'demo'], { cwd: folder, env });
  if (stdout.includes('with models that are missing')) throw new Error(`The demo ran without the detector:\n${stdout}`);
  await writeFile(join(root, 'docs/demo.svg'), renderTerminal(DEMO_TITLE, demoText(stdout)));
} finally {
  await rm(folder, { recursive: true, force: true });
}
