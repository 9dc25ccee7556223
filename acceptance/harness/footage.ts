import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './command.ts';

/** Real footage lies beside the checkout where a developer has it; it is never part of the repository. */
const DATA = join(REPOSITORY, '..', 'shared', 'data');
const MODELS_FOLDER = join(REPOSITORY, '..', 'shared', 'models');

/** Folder of the detector's weights; null where there are none. */
export const MODELS = existsSync(join(MODELS_FOLDER, 'yolox_nano.onnx')) ? MODELS_FOLDER : null;

/** Path of a real clip, such as `road/clip.mp4`; null where it is not there. */
export function footage(name: string): string | null {
  const path = join(DATA, name);
  return existsSync(path) ? path : null;
}

/** Paths of all clips of a folder; none where it is not there. */
export function footageIn(folder: string): string[] {
  const path = join(DATA, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(tsv|md|csv)$/.test(entry.name))
    .map((entry) => join(path, entry.name));
}
