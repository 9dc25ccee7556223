import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputSchema } from '#engine/index';
import type { Analyses } from '#features/analyses/index';
import type { Principal } from '#platform/access/index';
import type { Database } from '#platform/db/index';
import type { JobContext } from '#platform/jobs/index';
import { findDataset } from '../store.ts';
import * as store from './store.ts';
import type { EventField } from './types.ts';

/** Wait for a video that another job observes. */
const BUSY_MS = 2_000;
const FAILED = 'The taxonomy could not be filled. Add it again.';

export type FillDeps = { database: Database; analyses: Pick<Analyses, 'classifyEvents'> };

/** The schema of a taxonomy: a field without a value leaves the others of its event. */
export const toSchema = (label: string, fields: readonly EventField[]): OutputSchema => ({
  label,
  scope: 'event',
  version: 1,
  fields: fields.map((field) => ({ ...field, required: false })),
});

/**
 * Fills a taxonomy, one analysis after the other; does nothing if it has ended. It fails with the reason if no event
 * has any value. A repeated attempt fills all again.
 */
export async function fillTaxonomy({ database, analyses }: FillDeps, id: string, context: JobContext): Promise<void> {
  const { signal } = context;
  const { db } = database;
  const taxonomy = await store.findTaxonomy(db, id);
  const dataset = taxonomy && (await findDataset(db, taxonomy.datasetId));
  if (taxonomy?.status !== 'processing' || !dataset) return;
  const owner: Principal = { orgId: dataset.orgId, userId: dataset.ownerId };
  const schema = toSchema(taxonomy.label, taxonomy.fields);
  const holder = `${context.jobId}:${context.attempt}`;
  const reasons = new Set<string>();
  let filled = 0;
  for (const [index, analysisId] of (await store.findAnalyses(db, dataset, owner)).entries()) {
    const events = await classify(analysisId);
    for (const { field, message } of events.flatMap(({ errors }) => errors)) reasons.add(`${field}: ${message}`);
    const values = events.map(({ position, values: all }) => ({ position, fieldValues: withoutNulls(all) }));
    filled += values.filter(({ fieldValues }) => Object.keys(fieldValues).length > 0).length;
    const isOpen = await database.transaction((trx) =>
      store.recordValues(trx, id, { analysisId, done: index + 1, values }),
    );
    if (!isOpen) return;
  }
  const [reason] = reasons;
  await store.endTaxonomy(db, id, filled === 0 && reason ? reason : null);

  async function classify(analysisId: string) {
    for (;;) {
      signal.throwIfAborted();
      const events = await analyses.classifyEvents(analysisId, schema, { holder, signal });
      if (events) return events;
      await sleep(BUSY_MS, undefined, { signal });
    }
  }
}

const withoutNulls = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Ends a taxonomy whose job was given up. */
export const giveUpTaxonomy = ({ database }: Pick<FillDeps, 'database'>, id: string): Promise<void> =>
  store.endTaxonomy(database.db, id, FAILED);
