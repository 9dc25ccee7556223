import type { OBSERVERS } from './observers.ts';
import type { VideoFacts } from './types.ts';

export type * from './audio/observation.ts';
export type * from './embeddings/observation.ts';
export type * from './file/observation.ts';
export type * from './fine-objects/observation.ts';
export type * from './keyframe-scan/observation.ts';
export type * from './object-embeddings/observation.ts';
export type * from './objects/observation.ts';
export type * from './poses/observation.ts';
export type * from './signals/observation.ts';
export type * from './sounds/observation.ts';
export type * from './sparse-pass/observation.ts';
export type * from './speech/observation.ts';
export type * from './subtitles/observation.ts';
export type * from './telemetry/observation.ts';
export type * from './text/observation.ts';
export type { TimeRange, VideoFacts } from './types.ts';

type Observers = typeof OBSERVERS;

export type ObservationKind = Observers[keyof Observers]['kind'];

/**
 * Observations of one video: typed arrays over presentation time, independent of any prompt. Null if not observed.
 * Times are seconds from the video's first frame. Positions and sizes are fractions of the frame's width and height,
 * origin top left.
 */
export type Observations = { video: VideoFacts } & {
  [Name in keyof Observers]: ReturnType<Observers[Name]['decode']> | null;
};
