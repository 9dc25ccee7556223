import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Erases a deleted video: its files first, then its record. */
export const eraseVideo = defineJob({
  name: 'videos.erase',
  class: 'maintenance',
  payload: Type.Object({ videoId: Type.String() }),
  retries: 20,
  retryDelayS: 2,
  timeoutS: 3600,
  concurrency: 2,
});

/** Deletes a file that no video refers to any more. */
export const deleteContent = defineJob({
  name: 'videos.delete-content',
  class: 'maintenance',
  formerNames: ['videos.drop-content'],
  payload: Type.Object({ storageKey: Type.String() }),
  retries: 20,
  retryDelayS: 2,
  timeoutS: 3600,
  concurrency: 2,
});

/** Publishes `video.deleted` for the videos of a deleted folder and schedules their erasure. */
export const publishDeletions = defineJob({
  name: 'videos.publish-deletions',
  class: 'maintenance',
  formerNames: ['videos.bury'],
  payload: Type.Object({ videoIds: Type.Array(Type.String()) }),
  retries: 20,
  retryDelayS: 2,
  timeoutS: 600,
  concurrency: 1,
});

/** Fails stalled uploads, deletes videos past their folder's retention period, and retries overdue erasures. */
export const cleanUpVideos = defineJob({
  name: 'videos.clean-up',
  class: 'maintenance',
  formerNames: ['videos.sweep'],
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

/** Reads the clocks of videos that earlier versions stored. */
export const readClocks = defineJob({
  name: 'videos.read-clocks',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 3,
  retryDelayS: 10,
  timeoutS: 3600,
  concurrency: 1,
});

export const videoJobs = [eraseVideo, deleteContent, publishDeletions, cleanUpVideos, readClocks] as const;
