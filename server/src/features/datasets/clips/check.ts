import type { Video } from '#features/videos/index';
import { problems } from '../problems.ts';
import type { NewClip } from './types.ts';

/** Throws `dataset_clip_invalid` (400) if a clip is not within its video, which is one of `videos`. */
export function checkClips(
  clips: readonly NewClip[],
  videos: readonly Pick<Video, 'id' | 'name' | 'status' | 'durationS'>[],
): void {
  const byId = new Map(videos.map((video) => [video.id, video]));
  for (const { videoId, startS, endS } of clips) {
    const { name, status, durationS } = byId.get(videoId)!;
    if (status !== 'UPLOADED' || durationS === null)
      throw problems.dataset_clip_invalid(`The video "${name}" of a clip is not ready.`);
    if (startS >= endS || endS > durationS)
      throw problems.dataset_clip_invalid(
        `The clip ${startS} to ${endS} s is not a range of the video "${name}", which takes ${durationS} s.`,
      );
  }
}
