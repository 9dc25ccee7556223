import type { Folders } from '#features/folders/index';
import type { Transaction } from '#platform/db/index';
import { type Caller, httpProblems, reaches } from '#platform/http/index';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { Video } from './types.ts';

const isTheirs = (caller: Caller, { orgId, scope, ownerId }: Video): boolean =>
  orgId === caller.orgId && (scope !== 'user' || ownerId === caller.userId || caller.scopes.includes('admin'));

/** Whether the caller sees the video with this key. */
export const sees = (caller: Caller, video: Video): boolean =>
  isTheirs(caller, video) && reaches(caller, video.folderId);

/** Throws `video_forbidden` (403), or `key_limited` (403) when the key is limited to another folder. */
export function requireSeen(caller: Caller, video: Video): void {
  if (!isTheirs(caller, video)) {
    throw problems.video_forbidden(`The video ${video.id} belongs to someone else.`);
  }
  if (!reaches(caller, video.folderId)) throw httpProblems.key_limited();
}

/** Throws the same, or `video_read_only` (403). */
export function requireWritable(caller: Caller, video: Video): void {
  requireSeen(caller, video);
  if (video.scope === 'sample') throw problems.video_read_only();
}

export const notFound = (id: string) => problems.video_not_found(`There is no video with the id ${shown(id)}.`);

/** An id as it is said back to whoever sent it. */
const shown = (id: string) => (id.length > 64 ? `${id.slice(0, 64)}…` : id);

/**
 * The video, deleted or not, its row locked, and before that its folder and the one it goes to: who deletes a folder locks in this order
 * too. Throws `video_not_found` (404), or what `requireWritable` throws.
 */
export async function lockWritable(
  trx: Transaction,
  folders: Pick<Folders, 'hold'>,
  caller: Caller,
  id: string,
  goesTo?: string | null,
): Promise<Video> {
  await store.mark(trx);
  for (;;) {
    const folderId = await store.folderIdOf(trx, id);
    await folders.hold(
      trx,
      [folderId, goesTo].filter((folder) => folder != null),
    );
    const video = await store.lock(trx, id);
    if (!video) throw notFound(id);
    requireWritable(caller, video);
    if (video.folderId === folderId) return video;
    // Moved between the two looks: the wrong folder is held.
    await store.back(trx);
  }
}
