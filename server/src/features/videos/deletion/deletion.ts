import { recordAction } from '#features/audit/index';
import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import { reaches } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import { httpProblems } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import { lockWritable, notFound } from '../access.ts';
import type { VideoFiles } from '../files.ts';
import { deleteContent, eraseVideo, publishDeletions } from '../jobs.ts';
import { problems } from '../problems.ts';
import type { Quotas } from '../quota/index.ts';
import type { Videos } from '../types.ts';
import * as store from './store.ts';

/** A process that has not noticed the deletion may still write files: a second erasure removes those. */
const SECOND_ERASURE_DELAY_S = 600;
/** Erasing takes seconds: a deleted video that exists this long after its restore period has lost its job. */
const ERASURE_OVERDUE_S = 6 * 3600;
/** Videos of a deleted folder per job. */
const PUBLISH_BATCH_SIZE = 100;

export type DeletionDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'lock' | 'countVideos'>;
  quotas: Quotas;
  files: VideoFiles;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle'>;
  /** Seconds in which a deleted video can be restored, before its files are erased. */
  restoreS: number;
};

type Deletion = Pick<Videos, 'remove' | 'onFolderDeleted' | 'registerJobs'> & {
  /** Puts a video on legal hold. Throws as `Videos.holdMany` reports. */
  hold(caller: Parameters<Videos['restore']>[0], id: string, reason: string): Promise<void>;
  /** Releases a video. Throws as `Videos.releaseMany` reports. */
  release(caller: Parameters<Videos['restore']>[0], id: string): Promise<void>;
  /** Undoes the deletion. Throws as `Videos.restore` does. */
  restore(caller: Parameters<Videos['restore']>[0], id: string): Promise<void>;
  /** Deletes videos past their folder's retention period and retries overdue erasures; at most `limit` of each. */
  deleteExpired(limit: number): Promise<void>;
};

/**
 * Deletion of videos: hidden at once, erased from storage after the restore period. Nothing deletes one on legal hold:
 * constraints of the table refuse what the queries of this folder would forget.
 */
export function createDeletion({ database, events, folders, quotas, files, jobs, restoreS }: DeletionDeps): Deletion {
  const { db } = database;

  /** Publishes the deletion and schedules the erasure. */
  async function publishDeletion(trx: Transaction, { id, orgId, restorable }: store.DeletedVideoRow): Promise<void> {
    await events.publish(trx, 'video.deleted', { videoId: id, orgId });
    await scheduleErasure(trx, id, restorable ? restoreS : 0);
  }

  async function scheduleErasure(trx: Transaction, id: string, delayS: number): Promise<void> {
    const delays = delayS > SECOND_ERASURE_DELAY_S ? [delayS] : [delayS, delayS + SECOND_ERASURE_DELAY_S];
    for (const startAfterS of delays) {
      await jobs.send(trx, eraseVideo, { videoId: id }, startAfterS > 0 ? { startAfterS } : {});
    }
  }

  async function markDeleted(trx: Transaction, id: string, options: Parameters<typeof store.markDeleted>[2]) {
    const deleted = await store.markDeleted(trx, id, options);
    if (!deleted) return null;
    if (deleted.folderId !== null) await folders.countVideos(trx, deleted.folderId, -1);
    await publishDeletion(trx, deleted);
    return deleted;
  }

  /** Removes the files before the record, so that a crash in between leaves a record to retry from. */
  async function erase(id: string): Promise<void> {
    if (await store.isRetained(db, id)) return;
    await files.remove(id);
    await database.transaction(async (trx) => {
      const erased = await store.deleteErased(trx, id);
      if (!erased) return;
      await events.publish(trx, 'video.erased', { videoId: id, orgId: erased.orgId });
      await recordErasure(trx, id, erased);
      await quotas.release(trx, erased);
    });
  }

  return {
    async remove(caller, id, { erase = false, reason, rule } = {}) {
      return database.transaction(async (trx) => {
        const video = await lockWritable(trx, folders, caller, id);
        if (video.hold) throw problems.video_held();
        const cause = { by: rule ? null : caller.userId, rule, reason };
        if (erase && video.eraseAfter) {
          if (!(await store.endRestorePeriod(trx, id, cause))) throw notFound(id);
          await scheduleErasure(trx, id, 0);
          return { restorableUntil: null };
        }
        const deleted = video.eraseAfter
          ? null
          : await markDeleted(trx, id, { graceS: erase ? 0 : restoreS, ...cause });
        if (!deleted) throw notFound(id);
        return { restorableUntil: deleted.restorable ? deleted.eraseAfter : null };
      });
    },

    async hold(caller, id, reason) {
      await database.transaction(async (trx) => {
        const video = await lockWritable(trx, folders, caller, id);
        if (await store.hold(trx, id, { by: caller.userId, reason })) return;
        throw video.eraseAfter ? notFound(id) : problems.video_not_uploaded();
      });
    },

    async release(caller, id) {
      await database.transaction(async (trx) => {
        const video = await lockWritable(trx, folders, caller, id);
        if (!(await store.release(trx, id, restoreS))) throw problems.video_not_held();
        if (video.eraseAfter) await scheduleErasure(trx, id, restoreS);
      });
    },

    async restore(caller, id) {
      await database.transaction(async (trx) => {
        const video = await lockWritable(trx, folders, caller, id);
        const restored = await store.unmarkDeleted(trx, id);
        if (!restored) throw problems.video_not_restorable();
        if (!reaches(caller, restored.folderId)) throw httpProblems.key_limited();
        if (restored.folderId !== null) await folders.countVideos(trx, restored.folderId, 1);
        await events.publish(trx, 'video.restored', { videoId: id, orgId: video.orgId });
      });
    },

    async onFolderDeleted(trx, { folderId, videos: leftovers }) {
      const deleted = leftovers === 'delete' ? await store.markFolderDeleted(trx, folderId, restoreS) : [];
      const held = leftovers === 'delete' ? await store.countHeld(trx, folderId) : 0;
      if (held > 0) {
        throw problems.video_held(
          `Videos of this folder are on legal hold (${held}), so nothing can delete them. Delete the folder with \`videos=move_to_root\`, or let an administrator release them.`,
        );
      }
      await store.clearFolder(trx, folderId);
      const payloads = [];
      for (let i = 0; i < deleted.length; i += PUBLISH_BATCH_SIZE) {
        payloads.push({ videoIds: deleted.slice(i, i + PUBLISH_BATCH_SIZE) });
      }
      await jobs.sendMany(trx, publishDeletions, payloads);
    },

    async deleteExpired(limit) {
      for (const id of await store.findExpired(db, limit)) {
        await database.transaction((trx) => markDeleted(trx, id, { graceS: restoreS, rule: 'folder_retention' }));
      }
      const overdue = await store.findOverdueErasures(db, ERASURE_OVERDUE_S, limit);
      const payloads = overdue.map((videoId) => ({ videoId }));
      await database.transaction(async (trx) => void (await jobs.sendMany(trx, eraseVideo, payloads)));
    },

    registerJobs() {
      jobs.handle(eraseVideo, ({ videoId }) => erase(videoId));
      jobs.handle(deleteContent, ({ storageKey }) => files.removeUnusedContent(storageKey));
      jobs.handle(publishDeletions, async ({ videoIds }) => {
        for (const id of videoIds) {
          await database.transaction(async (trx) => {
            const deleted = await store.lockDeleted(trx, id);
            if (deleted) await publishDeletion(trx, deleted);
          });
        }
      });
    },
  };
}

/** Writes the entry of an erasure into the audit log. Its user deleted the video; without a user, a rule did. */
async function recordErasure(trx: Transaction, id: string, erased: store.ErasedVideo): Promise<void> {
  const { orgId, deletedBy, deletionRule, deletionReason } = erased;
  const detail = {
    rule: deletionRule,
    reason: deletionReason,
    deleted_at: erased.deletedAt,
    recorded_at: erased.recordedAt,
    recorded_until: erased.recordedUntil,
    uploaded_at: erased.createdAt,
    duration_s: erased.durationS,
    size_bytes: erased.sizeBytes,
    folder_id: erased.folderId,
    camera_id: erased.cameraId,
  };
  const known = Object.entries(detail).filter(([, value]) => value !== null);
  const entry = { orgId, action: 'video.erased', subjectId: id, detail: Object.fromEntries(known) };
  await recordAction(trx, { userId: deletedBy }, entry);
}
