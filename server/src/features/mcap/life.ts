import type { Events } from '#features/events/index';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { StoredFile } from '#platform/storage/index';
import { dropRecording, processRecording } from './jobs.ts';
import { assignRoles } from './roles.ts';
import * as store from './store.ts';
import type { Ingest, IngestStatus } from './types.ts';
import { viewsOf } from './views.ts';

export const WAITING = ['created', 'uploaded'] as const;
const UNDER_WAY = [...WAITING, 'transferring', 'processing'] as const;

export const isEnded = ({ status }: Ingest) => !UNDER_WAY.some((each) => each === status);

export const folderOf = (id: string) => `mcap/${id}/`;
/** Each try at a file has a name of its own: of two that come at once, one is kept. */
export const newFile = (id: string) => `${folderOf(id)}${newId()}`;

/** The channels that roles can be given to: all that have pictures, as far as the recording was looked into. */
export const camerasOf = ({ survey }: Pick<Ingest, 'survey'>) =>
  survey?.channels.filter(({ pictures }) => pictures).map(({ name }) => name) ?? null;

type Outcome = 'completed' | 'partial' | 'failed';
type Why = { code: string; message: string } | null;

export type LifeDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  jobs: Pick<Jobs, 'send'>;
  videos: Pick<Videos, 'holdSpace'>;
};

/** What happens to an ingest from its first word to its last, whoever brings it on. */
export function createLife({ database, events, jobs, videos }: LifeDeps) {
  /** Tells of the views that the roles make: each stretch of the recording is a set of its own. */
  async function publishViews(trx: Transaction, ingest: Ingest): Promise<void> {
    const films = (await store.films(trx, ingest.id)).filter(({ status }) => status === 'completed');
    const roles = assignRoles(camerasOf(ingest) ?? [], ingest.roles);
    for (const stretch of Map.groupBy(films, ({ part }) => part).values()) {
      const views = viewsOf(roles, stretch);
      if (views.length > 1) {
        await events.publish(trx, 'views.linked', { orgId: ingest.orgId, primaryVideoId: views[0]!.videoId, views });
      }
    }
  }

  /** Ends it in a transaction of the caller's, if it is in one of the states `from`: its views are told of, its file goes, its space is free. */
  async function end(
    trx: Transaction,
    id: string,
    status: Outcome,
    problem: Why,
    from: readonly IngestStatus[] = UNDER_WAY,
  ): Promise<void> {
    const ingest = await store.end(trx, id, from, status, problem);
    if (!ingest) return;
    if (status !== 'failed') await publishViews(trx, ingest);
    await jobs.send(trx, dropRecording, { ingestId: id });
    await videos.holdSpace(trx, ingest.orgId, -ingest.reservedBytes);
  }

  return {
    publishViews,
    end,
    /** The same in a transaction of its own. */
    finish: (id: string, outcome: Outcome, problem: Why, from?: readonly IngestStatus[]) =>
      database.transaction((trx) => end(trx, id, outcome, problem, from)),

    /** Holds space for a file whose size is known now, in place of what was held. Throws `quota_exceeded` (403). */
    async hold(trx: Transaction, id: string, bytes: number): Promise<void> {
      const ingest = await store.lock(trx, id);
      if (!ingest || isEnded(ingest)) return;
      await store.setReserved(trx, id, bytes);
      await videos.holdSpace(trx, ingest.orgId, bytes - ingest.reservedBytes);
    },

    /** The file was brought here: it is processed. False when the ingest waits for it no more. */
    async brought(trx: Transaction, id: string, storageKey: string, { size, sha256 }: StoredFile): Promise<boolean> {
      const ingest = await store.arrived(trx, id, 'transferring', { storageKey, sizeBytes: size, sha256 });
      if (!ingest) return false;
      await store.setStatus(trx, id, 'processing');
      await jobs.send(trx, processRecording, { ingestId: id }, { orgId: ingest.orgId });
      return true;
    },
  };
}

export type Life = ReturnType<typeof createLife>;
