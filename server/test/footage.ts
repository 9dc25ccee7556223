import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { modelsBeside, serviceModels } from './find-footage.ts';

/** The one way to real footage and weights, see `find-footage.ts`. */
const FOLDER = inject('footage');

export const hasFootage = FOLDER !== null;

/** Path of a real file, such as `road/clip.mp4`; use it where `hasFootage`. */
export const footage = (name: string): string => join(FOLDER ?? 'no footage', name);

/** Paths of all clips in a folder of footage; none without footage. */
export function footageIn(name: string): string[] {
  if (!hasFootage) return [];
  return readdirSync(footage(name), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(tsv|md|csv)$/.test(entry.name))
    .map((entry) => join(footage(name), entry.name));
}

/** Folder of the weights of models; null without footage. */
export const MODELS = FOLDER && modelsBeside(FOLDER);

/** Folder of the weights for services that tests start, without the speech recognizer; null without footage. */
export const SERVICE_MODELS = FOLDER && serviceModels(inject('folder'));
