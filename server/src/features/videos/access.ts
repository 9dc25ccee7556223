import type { Folders } from '#features/folders/index';
import { canChange, canRead, reaches } from '#platform/access/index';
import type { Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type Person } from '#platform/http/index';
import { type Chunk, listChunks, parseChunkId } from './chunks.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { Video, Videos } from './types.ts';

/** True if the caller may see the video with this key. */
export const canSee = (caller: Person, video: Video): boolean =>
  canRead(caller, video) && reaches(caller, video.folderId);

/** Throws `video_forbidden` (403), or `key_limited` (403) if the key is limited to another folder. */
export function requireVisible(caller: Person, video: Video): void {
  if (!canRead(caller, video)) {
    throw problems.video_forbidden(`The video ${video.id} belongs to someone else.`);
  }
  if (!reaches(caller, video.folderId)) throw httpProblems.key_limited();
}

/** Throws as `requireVisible` does, or `video_read_only` (403) for a sample. */
export function requireWritable(caller: Caller, video: Video): void {
  requireVisible(caller, video);
  if (!canChange(caller, video)) throw problems.video_read_only();
}

export const notFound = (id: string) => problems.video_not_found(`There is no video with the id ${shorten(id)}.`);

/** Limits the length of an id that an error message repeats. */
const shorten = (id: string) => (id.length > 64 ? `${id.slice(0, 64)}…` : id);

/**
 * Locks a video, deleted or not, and returns it. Locks its folder and the target folder first: the deletion of a
 * folder locks in the same order. Throws `video_not_found` (404), or as `requireWritable` does.
 */
export async function lockWritable(
  trx: Transaction,
  folders: Pick<Folders, 'lock'>,
  caller: Caller,
  id: string,
  targetFolderId?: string | null,
): Promise<Video> {
  await store.setSavepoint(trx);
  for (;;) {
    const folderId = await store.findFolderId(trx, id);
    await folders.lock(
      trx,
      [folderId, targetFolderId].filter((folder) => folder != null),
    );
    const video = await store.lock(trx, id);
    if (!video) throw notFound(id);
    requireWritable(caller, video);
    if (video.folderId === folderId) return video;
    // The video was moved in between: the wrong folder is locked.
    await store.rollbackToSavepoint(trx);
  }
}

/**
 * The video of an id that may be that of a chunk, and the chunk. Throws as `Videos.get` does; 404 for a chunk that the
 * video does not have.
 */
export async function getWithChunk(
  videos: Pick<Videos, 'get'>,
  caller: Caller,
  id: string,
): Promise<{ video: Video; chunk: Chunk | null }> {
  const named = parseChunkId(id);
  const video = await videos.get(caller, named?.videoId ?? id);
  if (!named) return { video, chunk: null };
  const chunk = listChunks(video)[named.index];
  if (!chunk) throw notFound(id);
  return { video, chunk };
}
