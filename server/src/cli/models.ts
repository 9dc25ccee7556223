import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createProgress, table } from '@sightline/sdk/terminal';
// Not the whole engine, which takes half a second to load.
import {
  CATALOG,
  createModelConverter,
  createModelFolder,
  isPinned,
  type ModelEntry,
  type ModelFile,
  type ModelFiles,
} from '#engine/models/index';
import { createGuardedFetch, downloadPinnedFile, removePartialFiles } from '#platform/net/index';
import { Problem } from '#platform/problem';
import type { Context } from './types.ts';

/** Lists all models and whether they are in the models folder of this machine. */
export async function listModels({ config, log }: Context): Promise<void> {
  const folder = createModelFolder(config.modelsDir, createModelConverter({ log }));
  const rows = await Promise.all(
    CATALOG.map(async (model) => [
      model.name,
      model.license.name,
      `${megabytes(sizeOf(model))} MB`,
      await describeState(model, folder),
      model.adds,
    ]),
  );
  process.stdout.write(`${table(['model', 'license', 'size', 'state', 'adds'], rows)}\n\n${config.modelsDir}\n`);
}

/** Downloads a model to the models folder of this machine. A running service uses it at once. */
export async function fetchModel({ config, log, interrupted }: Context, name: string): Promise<void> {
  const model = find(name);
  if (!config.modelsDownload) {
    const message = 'Downloads of models are turned off (SIGHTLINE_MODELS_DOWNLOAD=false).';
    throw new Problem({ status: 409, code: 'model_download_off', message });
  }
  if (!isPublished(model, config.modelsUrl)) {
    const message = model.files.some(({ packaged }) => packaged)
      ? `${model.title} comes with the installation, and needs no download.`
      : `${model.title} is not published for download. docs/models.md describes how to get its file.`;
    throw new Problem({ status: 409, code: 'model_not_published', message });
  }
  const progress = createProgress();
  try {
    await download({ config, log }, model, interrupted, (fraction) => progress.show('downloading', 100 * fraction));
  } finally {
    progress.stop();
  }
  process.stdout.write(
    `${model.title} is in ${config.modelsDir}. License: ${model.license.name}, ${model.license.url}\n`,
  );
}

/** Compares the files in the models folder with the published ones. Exits with 1 if one differs or is missing. */
export async function verifyModels({ config, log }: Context, name: string | undefined): Promise<void> {
  const folder = createModelFolder(config.modelsDir, createModelConverter({ log }));
  const states = await Promise.all(
    (name === undefined ? CATALOG : [find(name)]).map(
      async (model) => [model.name, await describeState(model, folder)] as const,
    ),
  );
  // Without a name: the models that are there.
  const checked = name === undefined ? states.filter(([, state]) => state !== 'missing') : states;
  for (const [model, state] of checked) process.stdout.write(`${model}: ${state}\n`);
  if (checked.length === 0) process.stdout.write(`There are no models in ${config.modelsDir}.\n`);
  if (checked.some(([, state]) => state !== VERIFIED)) process.exitCode = 1;
}

/** Deletes a model, and what interrupted downloads of it have left, from the models folder of this machine. */
export async function removeModel({ config }: Context, name: string): Promise<void> {
  for (const file of find(name).files) {
    const path = join(config.modelsDir, file.name);
    await rm(path, { force: true });
    await removePartialFiles(path);
  }
  process.stdout.write(`${name} is not in ${config.modelsDir} any more.\n`);
}

/**
 * Downloads the default models that are missing, for commands without a service. A failure is reported by the engine,
 * as a missing model.
 */
export async function fetchDefaults({ config, log, interrupted }: Context): Promise<void> {
  if (!config.modelsDownload) return;
  const folder = createModelFolder(config.modelsDir, createModelConverter({ log }));
  const tasks = new Map(CATALOG.map(({ task }) => [task, false]));
  for (const model of CATALOG.filter(({ isFallback }) => !isFallback))
    if ((await describeState(model, folder)) !== 'missing') tasks.set(model.task, true);
  for (const model of CATALOG.filter(
    (each) => each.isDefault && !tasks.get(each.task) && isPublished(each, config.modelsUrl),
  )) {
    await download({ config, log }, model, interrupted, () => {}).catch((error) => {
      interrupted.throwIfAborted();
      log.info({ err: error, model: model.name }, 'a model could not be downloaded');
    });
  }
}

const VERIFIED = 'there, verified';

async function describeState({ files, ...model }: ModelEntry, folder: ModelFiles): Promise<string> {
  const found = await Promise.all(files.map((file) => folder.locate({ files, ...model }, file)));
  if (found.some((file) => file === null)) return 'missing';
  return found.every((file, at) => file!.sha256 === files[at]!.sha256) ? VERIFIED : 'there, not the published file';
}

async function download(
  { config, log }: Pick<Context, 'config' | 'log'>,
  model: ModelEntry,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const folder = createModelFolder(config.modelsDir, createModelConverter({ log }));
  const net = createGuardedFetch({ allowedNetworks: config.allowedNetworks });
  const mirror = config.modelsUrl?.replace(/\/+$/, '');
  let before = 0;
  try {
    for (const file of model.files.filter(isPinned)) {
      const urls = mirror === undefined ? file.urls : [`${mirror}/${file.name}`];
      if ((await folder.locate(model, file))?.sha256 !== file.sha256) {
        const path = join(config.modelsDir, file.name);
        const show = (bytes: number) => onProgress((before + bytes) / sizeOf(model));
        await downloadPinnedFile(net, { ...file, urls, path }, { signal, onProgress: show });
      }
      before += file.bytes;
    }
  } finally {
    await net.close();
  }
}

function find(name: string): ModelEntry {
  const model = CATALOG.find((each) => each.name === name);
  if (model) return model;
  const names = CATALOG.map((each) => each.name).join(', ');
  throw new Problem({
    status: 404,
    code: 'model_not_found',
    message: `There is no model "${name}". There are: ${names}.`,
  });
}

/** True if every file has an address: that of its publisher or, for a file whose content is known, that of a mirror. */
const isPublished = ({ files }: ModelEntry, mirror: string | null) =>
  files.every((file: ModelFile) => file.urls.length > 0 || (mirror !== null && isPinned(file)));
const sizeOf = ({ files }: ModelEntry) => files.reduce((sum, { bytes }) => sum + bytes, 0);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
