import { groupsOf } from '#engine/index';
import type { Database, Session } from '#platform/db/index';
import type { Log } from '#platform/log';
import { joined } from '../numbers.ts';
import * as store from './build-store.ts';
import { copiedRows } from './copied-rows.ts';
import { countRepresented } from './representatives.ts';
import { isSupported } from './server.ts';
import { readServer } from './server-store.ts';

/** Observations that are listed at once. */
const SOURCES_AT_ONCE = 1_000;
/** Vectors that are copied in one transaction, during which a deletion of their video waits. */
const VECTORS_AT_ONCE = 256;

/**
 * Builds what is missing of the index, one session at a time on all nodes: copies vectors, then builds the graph while
 * searches use the exact scan; later vectors are added to it. Throws if the database refuses a step.
 */
export async function buildIndex(
  { database, log, memoryMb }: { database: Database; log: Log; memoryMb: number | null },
  signal: AbortSignal,
): Promise<void> {
  await database.session(async (session) => {
    if (!(await store.tryLock(session))) return;
    await store.createExtension(session);
    const { installed, schema } = await readServer(database.db);
    if (schema === null || !isSupported(installed)) return;
    await store.createTables(session, schema);
    await store.dropIncomplete(session);
    for (;;) {
      const pending = await store.listPending(session, SOURCES_AT_ONCE);
      for (const source of pending) await addSource(session, source);
      if (pending.length > 0) continue;
      if (!(await store.lacksGraph(session))) return;
      const started = performance.now();
      const plan = await store.planGraph(session, memoryMb);
      log.info({ pgvector: installed, ...plan }, 'building the index of vectors');
      if (plan.memoryMb < plan.neededMb)
        log.warn(
          plan,
          'the index of vectors does not fit in memory while it is built: raise SIGHTLINE_VECTOR_INDEX_MEMORY',
        );
      await store.buildGraph(session, schema, plan.memoryMb);
      log.info({ seconds: Math.round((performance.now() - started) / 1_000) }, 'the index of vectors is built');
    }
  }, signal);
}

/** Copies the vectors of an observation. Its deletion ends that: the rows are deleted with it. */
async function addSource(session: Session, source: store.PendingSource): Promise<void> {
  const sourceId = await store.insertSource(session, source);
  if (sourceId === null) return;
  let copied = 0;
  for await (const block of store.readBlocks(session, source)) {
    const timeS = new Float64Array(joined([block.times]));
    const scales = new Float32Array(joined([block.scales]));
    const vectors = new Int8Array(joined([block.vectors]));
    const groups = groupsOf({ timeS, groups: block.tracks ? new Int32Array(joined([block.tracks])) : undefined });
    const represented = countRepresented({ vectors, scales, groups });
    const size = vectors.length / Math.max(timeS.length, 1);
    for (let from = 0; from < timeS.length; from += VECTORS_AT_ONCE) {
      const until = Math.min(timeS.length, from + VECTORS_AT_ONCE);
      const rows = copiedRows({
        sourceId,
        first: copied,
        timeS: timeS.subarray(from, until),
        scales: scales.subarray(from, until),
        vectors: vectors.subarray(from * size, until * size),
        groups: groups.subarray(from, until),
        represented: represented.subarray(from, until),
      });
      if (!(await store.copyVectors(session, rows))) return;
      copied += until - from;
    }
  }
  await store.completeSource(session, sourceId, copied);
}
