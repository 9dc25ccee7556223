import type { Video, Videos } from '#features/videos/index';
import type { IdempotentUpload } from './types.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/**
 * Returns the video of an earlier request with the same key, once it is ready or the wait is over; throws the reason
 * if it failed. Null if there is none: the bytes of a file that did not arrive completely are lost, so its video is
 * removed and the upload restarts.
 */
export async function findEarlierUpload(
  videos: Pick<Videos, 'find' | 'discard'>,
  { savedReference: id }: IdempotentUpload,
  signal: AbortSignal,
): Promise<Video | null> {
  if (id === null) return null;
  const video = await videos.find(id);
  if (video?.source === 'file' && video.status !== 'UPLOADED') await videos.discard(id);
  return (await videos.find(id)) && waitUntilReady(videos, id, signal);
}
