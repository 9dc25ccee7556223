import type { Video, Videos } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import { outcomeOf } from './outcome.ts';

/** What a request knows of an earlier one with the same `Idempotency-Key` that did not finish, and how it leaves the same for a later one. */
export type Repeat = {
  /** Id of the video that the earlier request created. */
  remembered: string | null;
  remember(id: string, trx: Transaction): Promise<void>;
};

/**
 * The video of the earlier request, once a worker has fetched it or when the wait is over; throws what is wrong with it. Null when there is
 * none: the bytes of a file that did not arrive whole are lost with their connection, so its video is removed and the upload starts over.
 */
export async function resumeUpload(
  videos: Pick<Videos, 'find' | 'discard'>,
  { remembered: id }: Repeat,
  gone: AbortSignal,
): Promise<Video | null> {
  if (id === null) return null;
  const video = await videos.find(id);
  if (video?.source === 'file' && video.status !== 'UPLOADED') await videos.discard(id);
  return (await videos.find(id)) && outcomeOf(videos, id, gone);
}
