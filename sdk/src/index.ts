/**
 * The TypeScript client: types come from the server's OpenAPI document, requests go through `fetch`, and what is more
 * than one request (uploading a file, asking and following the answer, waiting for something) has a function of its
 * own.
 */
export type { ActivityEvent, ActivityOptions, ActivityResource } from './activity.ts';
export { createSightline } from './client.ts';
export { SightlineError } from './errors.ts';
export type { FollowOptions, PreliminaryEvent, StreamEvent } from './events.ts';
export type { DatasetCoverage, DatasetEvent, DatasetFilter } from './resources/dataset-events.ts';
export type { FrameQuery } from './resources/frames.ts';
export type { PassageQuery } from './resources/passages.ts';
export type { SampleQuery } from './resources/review.ts';
export type * from './resources.generated.ts';
export { tracedFetch } from './traced-fetch.ts';
export type { Sightline } from './types.ts';
