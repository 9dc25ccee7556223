import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '#platform/log';
import { ownCommand } from '#platform/own-command';
import { CATALOG, type ModelEntry, type ModelFiles, type ModelTask } from '../models/index.ts';
import { weightsNameOf } from './objects/detectors.ts';

/** Weights of a model. */
export type Weights = {
  /** Of its files, in the order of the catalog. */
  paths: readonly [string, ...string[]];
  /** Name of the model, `yolox_nano` or `yamnet`, or of the detector that uses it: `yolox_nano_640`. */
  name: string;
  /** SHA-256 of the file, or of the digests of several files; 64 hex digits. */
  digest: string;
  /** True if all files are those that the catalog pins by their digests. */
  isPinned: boolean;
  /** Reason why a better model is not used, and how to get it; null if these are the weights to use. */
  fallback: string | null;
};

export type WeightsFinder = {
  /**
   * Finds the weights for a task, of the named model if there is a name; a new or changed file takes effect at once.
   * Never throws.
   */
  find(task: ModelTask, name?: string | null): Promise<Weights | { unavailable: string }>;
};

export type WeightsOptions = {
  models: ModelFiles;
  catalog?: readonly ModelEntry[];
  /** Name of the detector to use; null: the first one of the catalog whose weights are there. */
  detector?: string | null;
  log: Log;
};

/** Parts of the engine that need weights, as messages name them. */
const OWNERS: Record<ModelTask, string> = {
  objects: 'object detector',
  sounds: 'sound recognizer',
  speech: 'speech recognizer',
  text: 'text reader',
  embeddings: 'image search',
  poses: 'pose estimator',
};
export const ownerOf = (task: ModelTask): string => OWNERS[task];

export function createWeights({ models, catalog = CATALOG, detector = null, log }: WeightsOptions): WeightsFinder {
  return {
    async find(task, name) {
      const requested = name ?? (task === 'objects' ? detector : null);
      const candidates = catalog.filter(
        (model) => model.task === task && (requested === null || model.name === weightsNameOf(requested)),
      );
      const owner = ownerOf(task);
      const subject = requested === null ? `The ${owner}'s weights` : `The weights of the ${owner} ${requested}`;
      const wanted = candidates.filter(({ isFallback }) => !isFallback || requested !== null);
      const missing = () => `${subject} are missing. ${remedyOf(wanted, models.dir)}`;
      const better = wanted.find(({ isDefault }) => isDefault)?.name;
      const instead = () => `The weights of ${better}, a better ${owner}, are missing. ${remedyOf(wanted, models.dir)}`;
      try {
        for (const model of candidates) {
          const [first, ...rest] = await Promise.all(model.files.map((file) => models.locate(model, file)));
          const others = rest.filter((file) => file !== null);
          if (!first || others.length < rest.length) continue;
          const digests = [first, ...others].map(({ sha256 }) => sha256);
          return {
            paths: [first.path, ...others.map(({ path }) => path)],
            name: requested ?? model.name,
            digest: digestOf(digests),
            isPinned: digests.every((digest, at) => digest === model.files[at]!.sha256),
            fallback: model.isFallback && requested === null ? instead() : null,
          };
        }
        return { unavailable: missing() };
      } catch (error) {
        log.info({ err: error, dir: models.dir }, `the ${owner}'s weights cannot be read`);
        const reason = (error as Error).message;
        return { unavailable: `The ${owner}'s weights in ${models.dir} cannot be read: ${reason}.` };
      }
    },
  };
}

const digestOf = ([first, ...rest]: readonly string[]) =>
  rest.length === 0
    ? first!
    : createHash('sha256')
        .update([first, ...rest].join())
        .digest('hex');

/** All that is needed to add the default model, also by hand on a machine without internet access. */
function remedyOf(candidates: readonly ModelEntry[], dir: string): string {
  const model = candidates.find(({ isDefault }) => isDefault) ?? candidates[0];
  if (!model) return 'There is no model for it.';
  const source = model.module ?? model.files[0].packaged?.package;
  if (source !== undefined) return `They come with the package ${source}: install the service again.`;
  const [{ name, bytes, sha256, urls }, ...others] = model.files;
  if (sha256 === null) {
    return `An administrator can upload ${name} (docs/models.md describes where it comes from) in the console (Settings, System), or save it as ${join(dir, name)}.`;
  }
  if (others.length > 0) {
    // Without a default, nothing but the user's needs decides between them.
    const offered = model.isDefault ? [model] : candidates;
    const commands = offered.map((each) => `"${ownCommand(`models fetch ${each.name}`)}"`).join(' or ');
    return `An administrator can download them in the console (Settings, System) or with ${commands}. docs/models.md describes how to add the ${model.files.length} files by hand, to ${dir}.`;
  }
  const facts = `${bytes} bytes, SHA-256 ${sha256}`;
  const path = join(dir, name);
  if (urls.length === 0) {
    return `An administrator can upload ${name} (${facts}; docs/models.md describes where it comes from) in the console (Settings, System), or save it as ${path}.`;
  }
  return `An administrator can download them in the console (Settings, System) or with "${ownCommand(`models fetch ${model.name}`)}". Without internet access, download ${urls[0]} (${facts}) on another machine and save it as ${path}.`;
}
