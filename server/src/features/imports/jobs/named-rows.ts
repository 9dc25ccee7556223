import type { Events } from '#features/events/index';
import { toObjectUri } from '#features/integrations/index';
import type { Transaction } from '#platform/db/index';
import { kindForKey } from '../object-kinds.ts';
import { publishCompleteSets, type TransferWorkers } from '../transfer/index.ts';
import * as rowStore from '../transfer/row-store.ts';
import type { ObjectKinds } from '../types.ts';
import { findExistingVideos } from './existing-objects.ts';
import * as jobStore from './job-store.ts';
import { publishEnd } from './publish-end.ts';

export type NamedRow = Omit<rowStore.NewImportRow, 'objectId' | 'existingVideoId'>;
type Deps = { events: Pick<Events, 'publish'>; workers: Pick<TransferWorkers, 'start'>; kinds: ObjectKinds };

/** Creates the rows of imports whose objects the request names; all of them exist when the request ends. */
export function createNamedRows({ events, workers, kinds }: Deps) {
  return {
    /** Inserts rows and records, fails unreadable ones, and starts the transfer. Existing objects get no record. */
    async insert(trx: Transaction, job: jobStore.NewImportJob, named: NamedRow[]): Promise<rowStore.NewImportRow[]> {
      const rows = await findExistingVideos(trx, kinds, job, named);
      await rowStore.insertRows(trx, job, rows, true);
      const newRows = rows.filter(({ existingVideoId }) => existingVideoId === null);
      const objects = newRows.map(({ videoId: id, name, key, content, objectId, version, sizeBytes, folderId }) => ({
        id,
        name,
        key,
        content,
        uri: toObjectUri(job.provider, job.bucket, key),
        objectId,
        version,
        sizeBytes,
        job: { ...job, folderId: folderId ?? job.folderId },
      }));
      for (const [kind, ofKind] of Map.groupBy(objects, ({ key }) => kindForKey(kinds, key))) {
        await kind.createRecords(trx, ofKind);
      }
      let failed = 0;
      for (const { videoId, key, problem } of newRows) {
        if (!problem) continue;
        await kindForKey(kinds, key).markFailed(trx, videoId, problem);
        failed++;
      }
      await jobStore.advanceListing(trx, { id: job.id, listCursor: null }, null);
      await workers.start(trx, job, newRows.length - failed);
      const setsWithSkipped = rows.flatMap(({ setId, existingVideoId }) => (existingVideoId && setId ? [setId] : []));
      await publishCompleteSets(trx, events, job.orgId, new Set(setsWithSkipped));
      const total = rows.filter(({ position }) => position !== null).length;
      const skipped = rows.length - newRows.length;
      await jobStore.addToCounters(trx, job.id, { total, objects: rows.length, uploaded: skipped, skipped, failed });
      await publishEnd(trx, events, job.id);
      return rows;
    },
  };
}

export type NamedRows = ReturnType<typeof createNamedRows>;
