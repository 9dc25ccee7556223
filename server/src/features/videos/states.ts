import type { VideoState } from './types.ts';

/** Statuses of the API by stored state. */
export const STATUS_BY_STATE = {
  PREPARE_IN_PROGRESS: 'processing',
  UPLOADED: 'uploaded',
  UPLOADING_FAILED: 'uploading_failed',
} as const satisfies Record<VideoState, string>;

export const STATE_BY_STATUS = {
  processing: 'PREPARE_IN_PROGRESS',
  uploaded: 'UPLOADED',
  uploading_failed: 'UPLOADING_FAILED',
} as const satisfies { [S in VideoState as (typeof STATUS_BY_STATE)[S]]: S };
