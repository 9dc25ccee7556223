import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Removes the files of a deleted video, and then its record. */
export const eraseVideo = defineJob({
  name: 'videos.erase',
  payload: Type.Object({ videoId: Type.String() }),
  retries: 20,
  retryDelayS: 2,
  timeoutS: 3600,
  concurrency: 2,
});

/** Removes a file that no video has as its content any more. */
export const dropContent = defineJob({
  name: 'videos.drop-content',
  payload: Type.Object({ storageKey: Type.String() }),
  retries: 20,
  retryDelayS: 2,
  timeoutS: 3600,
  concurrency: 2,
});

/** Tells the other rooms of videos that were deleted with their folder, and has them erased. */
export const buryVideos = defineJob({
  name: 'videos.bury',
  payload: Type.Object({ videoIds: Type.Array(Type.String()) }),
  retries: 20,
  retryDelayS: 2,
  timeoutS: 600,
  concurrency: 1,
});

/** Looks for uploads that went silent, for videos that their folder keeps no longer, and for deleted ones that are still there. */
export const sweepVideos = defineJob({
  name: 'videos.sweep',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const videoJobs = [eraseVideo, dropContent, buryVideos, sweepVideos] as const;
