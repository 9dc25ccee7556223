import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { LabeledInterval, LabeledSpan } from '../ask.ts';
import type { Part } from './recipes.ts';

type Range = readonly [least: number, most: number];

/** The right answer. One of the first eight is stated; README.md describes them. */
export type Truth = {
  yes?: boolean;
  count?: Range;
  seconds?: Range;
  /** Speeds are in km/h. */
  value?: Range;
  events?: readonly LabeledSpan[];
  during?: readonly LabeledInterval[];
  moments?: readonly number[];
  says?: string;
  refuse?: true;
  /** Where events that are reported for a yes may lie. */
  at?: readonly LabeledInterval[];
  maybe?: readonly LabeledInterval[];
};

export type Obstacle = 'none' | 'wording' | 'operator' | 'perception' | 'trap';

export type UnseenPrompt = { prompt: string; who: string; obstacle: Obstacle; truth: Truth };

export type UnseenClip = {
  clip: string;
  /** Accuracy of the labels, in seconds. */
  toleranceS: number;
  happens: readonly string[];
  prompts: readonly UnseenPrompt[];
};

/** SHA-256 of the closed parts in plain text: they are as they were when they were closed. */
export const DIGESTS: Record<Exclude<Part, 'open'>, string> = {
  once: '786580cf798cc20fa06d679fc6ff6891ec6e0d869227c2b77053fe4c8883d52f',
  sealed: '9854f5b6ec9694f5dd8ba4b1331bd8a3d18139e9cbb3cbcd008826343c00bcbc',
};

/** Reads the prompts of a part. Throws an error if a closed part was changed. */
export async function readPrompts(part: Part): Promise<UnseenClip[]> {
  if (part !== 'open') {
    const plain = gunzipSync(Buffer.from(await readFile(join(import.meta.dirname, `${part}.txt`), 'utf8'), 'base64'));
    const digest = createHash('sha256').update(plain).digest('hex');
    if (digest !== DIGESTS[part])
      throw new Error(`The prompts of ${part}.txt were changed: their digest is ${digest}.`);
    return JSON.parse(plain.toString('utf8')) as UnseenClip[];
  }
  const folder = join(import.meta.dirname, 'open');
  const files = (await readdir(folder)).toSorted();
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as UnseenClip));
}
