import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CATALOG,
  createEngine,
  createModelConverter,
  createModelFolder,
  type ModelFiles,
} from '../../server/src/engine/index.ts';
import { createLog, type Log } from '../../server/src/platform/log.ts';
import type { Media } from '../../server/src/platform/media/index.ts';

/** Folder of models that are converted from packages: that of the weights may be read-only. */
const CONVERTED = join(tmpdir(), 'sightline-models');

/** The weights in a folder, and the models that are converted from packages. */
export function modelsIn(folder: string, log: Log): ModelFiles {
  const given = createModelFolder(folder);
  const converted = createModelFolder(CONVERTED, createModelConverter({ log }));
  return {
    dir: folder,
    locate: async (model, file) => (await given.locate(model, file)) ?? converted.locate(model, file),
  };
}

/** Path of a model of one file. */
export async function locateModel(folder: string, name: string): Promise<string> {
  const model = CATALOG.find((each) => each.name === name)!;
  const located = await modelsIn(folder, createLog('error')).locate(model, model.files[0]);
  if (!located) throw new Error(`The weights of ${name} are not in ${folder}.`);
  return located.path;
}

/** An engine with the weights in a folder, and the detector that the arguments name with `--detector`. */
export function openEngine({
  media,
  log,
  models,
  args,
}: {
  media: Media;
  log: Log;
  models: string;
  args: readonly string[];
}) {
  const detector = args.includes('--detector') ? args[args.indexOf('--detector') + 1]! : null;
  return createEngine({ media, models: modelsIn(models, log), detector, vision: null, log });
}
