import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import { httpProblems, reaches } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import { lockWritable, notFound } from './access.ts';
import type { Files } from './files.ts';
import { buryVideos, dropContent, eraseVideo } from './jobs.ts';
import { problems } from './problems.ts';
import * as store from './removal-store.ts';
import type { SpaceKeeper } from './space.ts';
import type { Videos } from './types.ts';

/** A file may be written by whoever has not yet heard of the deletion: what came after the first look goes with the second. */
const SECOND_LOOK_S = 600;
/** Erasing takes seconds; a deleted video that is there this long after its time has lost its job. */
const UNERASED_S = 6 * 3600;
/** How many videos a folder's deletion hands to one job. */
const BURIED_AT_ONCE = 100;

export type RemovalDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'hold' | 'countVideos'>;
  space: SpaceKeeper;
  files: Files;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle'>;
  /** How long a deleted video can be restored before its files go, in seconds. */
  restoreS: number;
};

type Removal = Pick<Videos, 'remove' | 'onFolderDeleted' | 'work'> & {
  /** Takes back the deletion. Throws as `Videos.restore` does. */
  restore(caller: Parameters<Videos['restore']>[0], id: string): Promise<void>;
  /** Deletes what its folder keeps no longer, and sees that what was deleted is erased; at most `limit` of each. */
  sweepOld(limit: number): Promise<void>;
};

/** How videos go: out of sight at once, out of storage when the time to restore them is over. */
export function createRemoval({ database, events, folders, space, files, jobs, restoreS }: RemovalDeps): Removal {
  const { db } = database;

  /** Tells the other rooms that it is gone, and has its files erased when its time is over. */
  async function bury(trx: Transaction, { id, orgId, restorable }: store.Hidden): Promise<void> {
    await events.publish(trx, 'video.deleted', { videoId: id, orgId });
    const graceS = restorable ? restoreS : 0;
    for (const startAfterS of graceS > SECOND_LOOK_S ? [graceS] : [graceS, graceS + SECOND_LOOK_S]) {
      await jobs.send(trx, eraseVideo, { videoId: id }, startAfterS > 0 ? { startAfterS } : {});
    }
  }

  async function hide(trx: Transaction, id: string, how: Parameters<typeof store.hide>[2]) {
    const hidden = await store.hide(trx, id, how);
    if (!hidden) return null;
    if (hidden.folderId !== null) await folders.countVideos(trx, hidden.folderId, -1);
    await bury(trx, hidden);
    return hidden;
  }

  /** Files before the record, which tells of them; a file that other videos have too goes with the last of them. */
  async function erase(id: string): Promise<void> {
    if (await store.isKept(db, id)) return;
    await files.remove(id);
    await database.transaction(async (trx) => {
      const gone = await store.erase(trx, id);
      if (!gone) return;
      await events.publish(trx, 'video.erased', { videoId: id, orgId: gone.orgId });
      await space.leave(trx, gone);
    });
  }

  return {
    async remove(caller, id, { erase = false } = {}) {
      return database.transaction(async (trx) => {
        const video = await lockWritable(trx, folders, caller, id);
        const hidden = video.eraseAfter ? null : await hide(trx, id, { graceS: erase ? 0 : restoreS });
        if (!hidden) throw notFound(id);
        return { restorableUntil: hidden.restorable ? hidden.eraseAfter : null };
      });
    },

    async restore(caller, id) {
      await database.transaction(async (trx) => {
        const video = await lockWritable(trx, folders, caller, id);
        const shown = await store.show(trx, id);
        if (!shown) throw problems.video_not_restorable();
        if (!reaches(caller, shown.folderId)) throw httpProblems.key_limited();
        if (shown.folderId !== null) await folders.countVideos(trx, shown.folderId, 1);
        await events.publish(trx, 'video.restored', { videoId: id, orgId: video.orgId });
      });
    },

    async onFolderDeleted(trx, { folderId, videos: leftovers }) {
      const hidden = leftovers === 'delete' ? await store.hideAll(trx, folderId, restoreS) : [];
      await store.emptyFolder(trx, folderId);
      const payloads = [];
      for (let i = 0; i < hidden.length; i += BURIED_AT_ONCE) {
        payloads.push({ videoIds: hidden.slice(i, i + BURIED_AT_ONCE) });
      }
      await jobs.sendMany(trx, buryVideos, payloads);
    },

    async sweepOld(limit) {
      for (const id of await store.expired(db, limit)) {
        await database.transaction((trx) => hide(trx, id, { graceS: restoreS, expired: true }));
      }
      const left = (await store.unerased(db, UNERASED_S, limit)).map((videoId) => ({ videoId }));
      await database.transaction(async (trx) => void (await jobs.sendMany(trx, eraseVideo, left)));
    },

    work() {
      jobs.handle(eraseVideo, ({ videoId }) => erase(videoId));
      jobs.handle(dropContent, ({ storageKey }) => files.dropContent(storageKey));
      jobs.handle(buryVideos, async ({ videoIds }) => {
        for (const id of videoIds) {
          await database.transaction(async (trx) => {
            const hidden = await store.hidden(trx, id);
            if (hidden) await bury(trx, hidden);
          });
        }
      });
    },
  };
}
