import { glob, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { renderResources, renderTypes } from '../sdk/generate.ts';
import { compose } from '../server/src/compose/index.ts';
import { renderPromptsGuide } from '../server/src/engine/prompts-guide.ts';
import { listVariables, loadConfig } from '../server/src/platform/config/index.ts';
import { renderOpenApi } from '../server/src/platform/http/index.ts';
import { createLog } from '../server/src/platform/log.ts';
import type { ProblemTable } from '../server/src/platform/problem.ts';
import { DEMO_TITLE } from './demo-text.ts';
import { LICENSES_PAGE, listPackages, renderLicensesPage } from './licenses.ts';
import { DIGESTS_FILE, renderDigests } from './migration-digests.ts';
import { OPEN_CLASSES_FILE, renderOpenClasses } from './open-classes.ts';
import { PLACE_NOUNS_FILE, renderPlaceNouns } from './place-nouns.ts';
import { renderConfigurationPage, renderErrorsPage } from './reference-pages.ts';
import { RELATED_WORDS_FILE, renderRelatedWords } from './related-words.ts';
import { generateSchema } from './schema/index.ts';
import { renderTerminal, textOf } from './terminal-svg.ts';

/** Rendered from the text inside it; `npm run draw-demo` updates the text. */
const DEMO_PICTURE = 'docs/demo.svg';
const root = resolve(import.meta.dirname, '..');

export type GeneratedFile = { file: string; content: string };

/** Returns every generated file with its current content. `scratch` is an empty folder for a temporary database. */
export async function generatedFiles(scratch: string): Promise<GeneratedFile[]> {
  const dataDir = join(scratch, 'data');
  const schema = await generateSchema(dataDir);
  const openapi = await describeApi(dataDir);
  return [
    ...schema,
    { file: DIGESTS_FILE, content: await renderDigests(root) },
    { file: 'server/openapi.json', content: openapi },
    { file: 'sdk/src/api.generated.ts', content: await renderTypes(openapi) },
    { file: 'sdk/src/resources.generated.ts', content: renderResources(openapi) },
    { file: 'docs/configuration.md', content: renderConfigurationPage(listVariables()) },
    { file: 'docs/errors.md', content: renderErrorsPage(await problemTables()) },
    { file: 'docs/prompts.md', content: renderPromptsGuide() },
    { file: LICENSES_PAGE, content: renderLicensesPage(listPackages(root)) },
    { file: OPEN_CLASSES_FILE, content: renderOpenClasses() },
    { file: PLACE_NOUNS_FILE, content: renderPlaceNouns() },
    { file: RELATED_WORDS_FILE, content: renderRelatedWords() },
    {
      file: DEMO_PICTURE,
      content: renderTerminal(DEMO_TITLE, textOf(await readFile(join(root, DEMO_PICTURE), 'utf8'))),
    },
  ];
}

/** The OpenAPI document from the app itself, composed on a migrated data folder without listening. */
async function describeApi(dataDir: string): Promise<string> {
  const env = { SIGHTLINE_DATA_DIR: dataDir, SIGHTLINE_MODELS_DOWNLOAD: 'false' };
  const sightline = await compose(loadConfig(env, 1), createLog('error'), { roles: { api: true, worker: false } });
  try {
    await sightline.api.ready();
    return renderOpenApi(sightline.api);
  } finally {
    await sightline.close();
  }
}

/** The table of each `problems.ts`, by folder. */
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
