import { join } from 'node:path';
import type { Log } from '#platform/log';
import { ownCommand } from '#platform/own-command';
import { CATALOG, type ModelEntry, type ModelFiles } from '../models/index.ts';

/** Weights of the object detector. */
export type Weights = {
  path: string;
  /** `yolox_nano`, `yolox_tiny`. */
  name: string;
  /** SHA-256 of the file, 64 hex digits. */
  digest: string;
};

export type WeightsFinder = {
  /** Finds the weights; a new or changed file takes effect at once. Never throws. */
  find(): Promise<Weights | { unavailable: string }>;
};

export type WeightsOptions = { models: ModelFiles; catalog?: readonly ModelEntry[]; log: Log };

export function createWeights({ models, catalog = CATALOG, log }: WeightsOptions): WeightsFinder {
  const detectors = catalog.filter(({ task }) => task === 'objects');
  return {
    async find() {
      try {
        for (const model of detectors) {
          const file = await models.locate(model, model.files[0]);
          if (file) return { path: file.path, name: model.name, digest: file.sha256 };
        }
        return { unavailable: `The object detector's weights are missing. ${remedyOf(detectors, models.dir)}` };
      } catch (error) {
        log.info({ err: error, dir: models.dir }, "the object detector's weights cannot be read");
        const reason = (error as Error).message;
        return { unavailable: `The object detector's weights in ${models.dir} cannot be read: ${reason}.` };
      }
    },
  };
}

/** All that is needed to add the default model, also by hand on a machine without internet access. */
function remedyOf(detectors: readonly ModelEntry[], dir: string): string {
  const { name, files } = detectors.find(({ isDefault }) => isDefault)!;
  const [file] = files;
  const path = join(dir, file.name);
  return `An administrator can download them in the console (Settings, System) or with "${ownCommand(`models fetch ${name}`)}". Without internet access, download ${file.urls[0]} (${file.bytes} bytes, SHA-256 ${file.sha256}) on another machine and save it as ${path}.`;
}
