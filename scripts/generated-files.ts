import { glob, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { renderTypes } from '../sdk/generate.ts';
import { compose } from '../server/src/compose.ts';
import { renderPromptsGuide } from '../server/src/engine/guide.ts';
import { loadConfig, VARIABLES } from '../server/src/platform/config/index.ts';
import { renderOpenApi } from '../server/src/platform/http/index.ts';
import { createLog } from '../server/src/platform/log.ts';
import type { ProblemTable } from '../server/src/platform/problem.ts';
import { DEMO_TITLE } from './demo-text.ts';
import { DIGESTS_FILE, renderDigests } from './migration-digests.ts';
import { renderConfigurationPage, renderErrorsPage } from './reference-pages.ts';
import { generateSchema } from './schema/index.ts';
import { renderTerminal, textOf } from './terminal-svg.ts';

/** Drawn again from the text in it; the text itself comes from `npm run draw-demo`. */
const DEMO_PICTURE = 'docs/demo.svg';
const root = resolve(import.meta.dirname, '..');

export type GeneratedFile = { file: string; content: string };

/** Every generated file of the repository with what it should hold now. `scratch` is an empty folder for a database to describe. */
export async function generatedFiles(scratch: string): Promise<GeneratedFile[]> {
  const openapi = await describeApi(scratch);
  return [
    ...(await generateSchema(join(scratch, 'schema'))),
    { file: DIGESTS_FILE, content: await renderDigests(root) },
    { file: 'server/openapi.json', content: openapi },
    { file: 'sdk/src/api.generated.ts', content: await renderTypes(openapi) },
    { file: 'docs/configuration.md', content: renderConfigurationPage(VARIABLES) },
    { file: 'docs/errors.md', content: renderErrorsPage(await problemTables()) },
    { file: 'docs/prompts.md', content: renderPromptsGuide() },
    {
      file: DEMO_PICTURE,
      content: renderTerminal(DEMO_TITLE, textOf(await readFile(join(root, DEMO_PICTURE), 'utf8'))),
    },
  ];
}

/** The API's description, from the app itself: composed on a scratch data folder, never listening. */
async function describeApi(scratch: string): Promise<string> {
  const env = { SIGHTLINE_DATA_DIR: join(scratch, 'data'), SIGHTLINE_MODELS_DOWNLOAD: 'false' };
  const sightline = await compose(loadConfig(env, 1), createLog('error'), { roles: { api: true, worker: false } });
  try {
    await sightline.api.ready();
    return renderOpenApi(sightline.api);
  } finally {
    await sightline.close();
  }
}

/** The table of each `problems.ts`, by the room it lies in. */
async function problemTables(): Promise<{ room: string; table: ProblemTable }[]> {
  const files = (await Array.fromAsync(glob('server/src/**/problems.ts', { cwd: root }))).sort();
  return Promise.all(
    files.map(async (file) => {
      const exported = Object.values((await import(join(root, file))) as Record<string, unknown>);
      const table = exported.find(isProblemTable);
      if (!table) throw new Error(`${file} exports no table of problems`);
      return { room: relative('server/src', dirname(file)), table };
    }),
  );
}

function isProblemTable(value: unknown): value is ProblemTable {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((entry) => typeof entry?.status === 'number' && typeof entry.sentence === 'string');
}
