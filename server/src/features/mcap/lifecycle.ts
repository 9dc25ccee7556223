import type { Events } from '#features/events/index';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { StoredFile } from '#platform/storage/index';
import { deleteRecordingFile, processRecording } from './jobs.ts';
import * as store from './store.ts';
import type { IngestStatus, McapIngest } from './types.ts';
import { assignRoles, buildViews } from './views/index.ts';

export const WAITING = ['created', 'uploaded'] as const;
const UNFINISHED = [...WAITING, 'transferring', 'processing'] as const;

export const isEnded = ({ status }: McapIngest) => !UNFINISHED.some((each) => each === status);

export const toStorageFolder = (id: string) => `mcap/${id}/`;
/** Every attempt to store a file uses its own key: of two concurrent ones, the first to finish counts. */
export const newStorageKey = (id: string) => `${toStorageFolder(id)}${newId()}`;

/** Channels that roles can be given to: all with images or video. Null before the recording was read. */
export const listCameras = ({ survey }: Pick<McapIngest, 'survey'>) =>
  survey?.channels.filter(({ pictures }) => pictures).map(({ name }) => name) ?? null;

/** Key of one of the files of a dataset. */
export const toFileKey = (storageKey: string, file: number) => `${storageKey}-${file}`;

type Outcome = 'completed' | 'partial' | 'failed';
type Reason = { code: string; message: string } | null;

export type LifecycleDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  jobs: Pick<Jobs, 'send'>;
  videos: Pick<Videos, 'reserveSpace'>;
};

/** State changes of an ingest, with their events, jobs and reserved space. */
export function createLifecycle({ database, events, jobs, videos }: LifecycleDeps) {
  /** Publishes the views of the ingest's roles: each part of the recording is a set of views. */
  async function publishViews(trx: Transaction, ingest: McapIngest): Promise<void> {
    const completed = (await store.listVideos(trx, ingest.id)).filter(({ status }) => status === 'completed');
    const roles = assignRoles(listCameras(ingest) ?? [], ingest.roles);
    for (const ofPart of Map.groupBy(completed, ({ part }) => part).values()) {
      const views = buildViews(roles, ofPart);
      if (views.length > 1) {
        await events.publish(trx, 'views.linked', { orgId: ingest.orgId, primaryVideoId: views[0]!.videoId, views });
      }
    }
  }

  /**
   * Ends an ingest that is in one of the states `from`: publishes its views, deletes its file and releases its space.
   */
  async function end(
    trx: Transaction,
    id: string,
    status: Outcome,
    problem: Reason,
    from: readonly IngestStatus[] = UNFINISHED,
  ): Promise<void> {
    const ingest = await store.end(trx, id, from, status, problem);
    if (!ingest) return;
    if (status !== 'failed') await publishViews(trx, ingest);
    await jobs.send(trx, deleteRecordingFile, { ingestId: id });
    await videos.reserveSpace(trx, ingest.orgId, -ingest.reservedBytes);
  }

  return {
    publishViews,
    end,
    /** Like `end`, in its own transaction. */
    finish: (id: string, outcome: Outcome, problem: Reason, from?: readonly IngestStatus[]) =>
      database.transaction((trx) => end(trx, id, outcome, problem, from)),

    /** Reserves space for a file of known size, in place of the current reservation. Throws `quota_exceeded` (403). */
    async hold(trx: Transaction, id: string, bytes: number): Promise<void> {
      const ingest = await store.lock(trx, id);
      if (!ingest || isEnded(ingest)) return;
      await store.setReserved(trx, id, bytes);
      await videos.reserveSpace(trx, ingest.orgId, bytes - ingest.reservedBytes);
    },

    /** Starts to process a transferred file. Returns false if the ingest no longer waits for it. */
    async startProcessing(
      trx: Transaction,
      id: string,
      storageKey: string,
      { size, sha256 }: StoredFile,
    ): Promise<boolean> {
      const ingest = await store.markUploaded(trx, id, 'transferring', { storageKey, sizeBytes: size, sha256 });
      if (!ingest) return false;
      await store.setStatus(trx, id, 'processing');
      await jobs.send(trx, processRecording, { ingestId: id }, { orgId: ingest.orgId });
      return true;
    },
  };
}

export type Lifecycle = ReturnType<typeof createLifecycle>;
