import { join } from 'node:path';
import type { Log } from '#platform/log';
import { ownCommand } from '#platform/own-command';
import { CATALOG, type ModelEntry, type ModelFiles, type ModelTask } from '../models/index.ts';

/** Weights of a model. */
export type Weights = {
  path: string;
  /** Name of the model: `yolox_nano`, `yamnet`. */
  name: string;
  /** SHA-256 of the file, 64 hex digits. */
  digest: string;
};

export type WeightsFinder = {
  /** Finds the weights for a task; a new or changed file takes effect at once. Never throws. */
  find(task: ModelTask): Promise<Weights | { unavailable: string }>;
};

export type WeightsOptions = { models: ModelFiles; catalog?: readonly ModelEntry[]; log: Log };

/** Parts of the engine that need weights, as messages name them. */
const OWNERS: Record<ModelTask, string> = { objects: 'object detector', sounds: 'sound recognizer' };
export const ownerOf = (task: ModelTask): string => OWNERS[task];

export function createWeights({ models, catalog = CATALOG, log }: WeightsOptions): WeightsFinder {
  return {
    async find(task) {
      const candidates = catalog.filter((model) => model.task === task);
      const owner = ownerOf(task);
      try {
        for (const model of candidates) {
          const file = await models.locate(model, model.files[0]);
          if (file) return { path: file.path, name: model.name, digest: file.sha256 };
        }
        return { unavailable: `The ${owner}'s weights are missing. ${remedyOf(candidates, models.dir)}` };
      } catch (error) {
        log.info({ err: error, dir: models.dir }, `the ${owner}'s weights cannot be read`);
        const reason = (error as Error).message;
        return { unavailable: `The ${owner}'s weights in ${models.dir} cannot be read: ${reason}.` };
      }
    },
  };
}

/** All that is needed to add the default model, also by hand on a machine without internet access. */
function remedyOf(candidates: readonly ModelEntry[], dir: string): string {
  const model = candidates.find(({ isDefault }) => isDefault);
  if (!model) return 'There is no model for it.';
  const [{ name, bytes, sha256, urls }] = model.files;
  const facts = `${bytes} bytes, SHA-256 ${sha256}`;
  const path = join(dir, name);
  if (urls.length === 0) {
    return `An administrator can upload ${name} (${facts}; docs/models.md describes where it comes from) in the console (Settings, System), or save it as ${path}.`;
  }
  return `An administrator can download them in the console (Settings, System) or with "${ownCommand(`models fetch ${model.name}`)}". Without internet access, download ${urls[0]} (${facts}) on another machine and save it as ${path}.`;
}
