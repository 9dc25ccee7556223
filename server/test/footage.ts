import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';

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
export const MODELS = FOLDER && resolve(FOLDER, '../models');
