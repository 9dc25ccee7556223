import type { SearchMatches } from '../find/index.ts';
import type { VideoEvent } from '../types.ts';

/** The part of the video that was searched, in seconds. */
export type SearchedRange = { from: number; to: number };

/** The result of one search, with the events that are reported and the candidates below `minConfidence`. */
export type SearchEvents = {
  result: SearchMatches;
  events: VideoEvent[];
  candidates: VideoEvent[];
  minConfidence: number;
};
