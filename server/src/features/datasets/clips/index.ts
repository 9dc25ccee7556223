/** Clips: ranges of videos in datasets. */
export { checkClips } from './check.ts';
export { clipsOfEvents } from './clips-of-events.ts';
export { CLIP_EXAMPLE, Clips, ClipsOfEvents, DatasetClip, DownloadedClip } from './schema.ts';
export * as clipStore from './store.ts';
export { type Clip, MAX_CLIPS, type NewClip } from './types.ts';
