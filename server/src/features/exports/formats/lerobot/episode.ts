import type { ExportedEvent, PixelStatistics } from '../../types.ts';

/** Column of the frames of videos. */
export const CAMERA = 'observation.images.camera';

/** An episode with the place of its video file, and its place among the frames of the dataset. */
export type EpisodeRow = {
  index: number;
  chunk: number;
  file: number;
  /** Number of its first frame in the dataset. */
  from: number;
  /** Number of its frames. */
  length: number;
  fps: number;
  /** Number of its task. */
  task: number;
  pixels: PixelStatistics;
  event: ExportedEvent;
};
