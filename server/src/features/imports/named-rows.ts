import type { Events } from '#features/events/index';
import { uriOf } from '#features/integrations/index';
import type { Transaction } from '#platform/db/index';
import { kindOf } from './kinds.ts';
import { withKnown } from './known.ts';
import type { Lanes } from './lanes.ts';
import * as rowStore from './row-store.ts';
import { linkSets } from './sets.ts';
import * as store from './store.ts';
import type { Kinds } from './types.ts';

type NamedRow = Omit<rowStore.NewRow, 'objectId' | 'knownVideoId'>;
type Deps = { events: Pick<Events, 'publish'>; lanes: Pick<Lanes, 'send'>; kinds: Kinds };

/** Rows of an import whose objects were named: all of them are there when the request is answered. */
export function createNamedRows({ events, lanes, kinds }: Deps) {
  return {
    /** Rows of named objects and their records; those that cannot be read have failed already, those that are known have none. */
    async begin(trx: Transaction, job: store.NewJob, named: NamedRow[]): Promise<rowStore.NewRow[]> {
      const rows = await withKnown(trx, kinds, job, named);
      await rowStore.insertRows(trx, job, rows, true);
      const fresh = rows.filter(({ knownVideoId }) => knownVideoId === null);
      const objects = fresh.map(({ videoId: id, key, objectId, version, sizeBytes }) => ({
        ...{ id, key, uri: uriOf(job.provider, job.bucket, key), objectId, version, sizeBytes, job },
      }));
      for (const [kind, of] of Map.groupBy(objects, ({ key }) => kindOf(kinds, key))) await kind.begin(trx, of);
      let failed = 0;
      for (const { videoId, key, problem } of fresh) {
        if (!problem) continue;
        await kindOf(kinds, key).fail(trx, videoId, problem);
        failed++;
      }
      await store.advance(trx, { id: job.id, listCursor: null }, null);
      await lanes.send(trx, job, fresh.length - failed);
      const skippedSets = rows.flatMap(({ setId, knownVideoId }) => (knownVideoId && setId ? [setId] : []));
      await linkSets(trx, events, job.orgId, new Set(skippedSets));
      const total = rows.filter(({ position }) => position !== null).length;
      const skipped = rows.length - fresh.length;
      await store.count(trx, job.id, { total, objects: rows.length, uploaded: skipped, skipped, failed });
      return rows;
    },
  };
}
