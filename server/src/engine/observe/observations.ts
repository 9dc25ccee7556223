import type { VideoFacts } from './observer.ts';
import type { OBSERVERS } from './observers.ts';

export type * from './glance/observation.ts';
export type * from './objects/observation.ts';
export type { VideoFacts } from './observer.ts';
export type * from './signals/observation.ts';
export type * from './sound/observation.ts';
export type * from './telemetry/observation.ts';
export type * from './triage/observation.ts';

type Listed = (typeof OBSERVERS)[number];

export type ObservationKind = Listed['kind'];

/**
 * What was observed in one video: plain arrays over presentation time, no opinion about any prompt. `find` is pure functions over these. Null is what was not observed, or is not
 * there. Times are seconds from the video's first frame. Positions and sizes are fractions of the picture's width and height, origin top left.
 */
export type Observations = { video: VideoFacts } & {
  [Each in Listed as Each['kind']]: ReturnType<Each['decode']> | null;
};
