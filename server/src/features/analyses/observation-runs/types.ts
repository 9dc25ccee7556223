import type { Caller, IdPage } from '#platform/http/index';

export type ObservationStatus = 'processing' | 'completed' | 'failed' | 'canceled';
export type RunVideoStatus = 'waiting' | 'running' | 'completed' | 'failed' | 'canceled';

/** Observation of one video. `progress` is 0 to 1. */
export type RunVideo = {
  videoId: string;
  status: RunVideoStatus;
  progress: number;
  problem: { code: string; message: string } | null;
};

/** Observation of chosen videos by chosen observers. `progress` is the mean of the videos, 0 to 1. */
export type ObservationRun = {
  observationId: string;
  orgId: string;
  ownerId: string;
  scope: 'user' | 'org';
  observers: string[];
  detector: string | null;
  createdAt: Date;
  status: ObservationStatus;
  progress: number;
  total: number;
  completed: number;
  failed: number;
};

export type RunRequest = {
  observers: readonly string[];
  videoIds?: readonly string[] | null;
  folderId?: string | null;
  detector?: string | null;
};

/** Observes videos before anyone asks, so that questions about what was observed take no time. */
export interface ObservationRuns {
  /**
   * Starts a run. Videos that have the observations already are completed at once. Throws `observer_unknown`,
   * `observation_videos_invalid`, `detector_unknown` (400), `observer_missing` (409), or the problems of videos and
   * folders.
   */
  start(caller: Caller, request: RunRequest): Promise<ObservationRun>;
  /** A page of the runs that the caller may read, newest first. */
  list(caller: Caller, page: IdPage): Promise<{ runs: ObservationRun[]; hasMore: boolean; nextCursor: string | null }>;
  /** A run with its videos. Throws `observation_not_found` (404) or `observation_forbidden` (403). */
  get(caller: Caller, id: string): Promise<ObservationRun & { videos: RunVideo[] }>;
  /** Cancels what has not ended. Completed observations stay. Throws the same as `get`. */
  cancel(caller: Caller, id: string): Promise<ObservationRun & { videos: RunVideo[] }>;
}
