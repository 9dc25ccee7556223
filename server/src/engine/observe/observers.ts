import { audio } from './audio/observer.ts';
import { embeddings } from './embeddings/observer.ts';
import { file } from './file/observer.ts';
import { fineObjects } from './fine-objects/observer.ts';
import { keyframeScan } from './keyframe-scan/observer.ts';
import { objectEmbeddings } from './object-embeddings/observer.ts';
import { objects } from './objects/observer.ts';
import { poses } from './poses/observer.ts';
import { signals } from './signals/observer.ts';
import { sounds } from './sounds/observer.ts';
import { sparsePass } from './sparse-pass/observer.ts';
import { speech } from './speech/observer.ts';
import { subtitles } from './subtitles/observer.ts';
import { telemetry } from './telemetry/observer.ts';
import { text } from './text/observer.ts';
import type { AnyObserver } from './types.ts';

/** All observers by their property in `Observations`. They are stored and reported by their `kind`. */
export const OBSERVERS = {
  signals,
  sound: audio,
  sounds,
  subtitles,
  speech,
  objects,
  fineObjects,
  keyframeScan,
  sparsePass,
  telemetry,
  text,
  embeddings,
  objectEmbeddings,
  poses,
  file,
} as const satisfies Record<string, AnyObserver>;

/** Observations of a video that was not observed: null for every observer. */
export const NOTHING_OBSERVED = Object.fromEntries(Object.keys(OBSERVERS).map((name) => [name, null])) as Record<
  keyof typeof OBSERVERS,
  null
>;
