import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, openAccount } from '#engine/index';
import { type Analyses, toEventId } from '#features/analyses/index';
import type { EventSearch } from '#features/search/index';
import { canManage } from '#platform/access/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { problems } from '../problems.ts';
import type { Datasets } from '../service.ts';
import type { Dataset } from '../types.ts';
import { facetTable, filterFields, taxonomyFields } from './fields.ts';
import { fillTaxonomy as fill, giveUpTaxonomy } from './fill-taxonomy.ts';
import { readFilter } from './filter.ts';
import { failTaxonomy, fillTaxonomy } from './jobs.ts';
import * as store from './store.ts';
import type { DatasetEvent, EventField, Taxonomy } from './types.ts';

export type FoundEvent = DatasetEvent & { eventId: string; score: number | null; reason: string | null };
export type FoundEventPage = { events: FoundEvent[]; total: number; nextOffset: number | null };
/** `degraded`: a configured language model could not rank, so that words did. */
export type RankedEvents = { events: FoundEvent[]; total: number; ranking: 'llm' | 'words'; degraded: boolean };
export type FacetRows = ReturnType<typeof facetTable> & { events: FoundEvent[]; isTruncated: boolean };

/** Explores the events of datasets. Functions with an id throw the problems of `Datasets.get`. */
export interface DatasetEvents {
  /** Fields by which the events of a dataset that the caller may read are classified. */
  listTaxonomies(caller: Caller, dataset: Dataset): Promise<Taxonomy[]>;
  /** Fields that a filter can name, with the values of enums. */
  filterFields(caller: Caller, id: string): Promise<EventField[]>;
  /** Events to which a filter applies, from an offset. Throws `dataset_filter_invalid` (400). */
  filter(caller: Caller, id: string, where: unknown, page: { offset: number; limit: number }): Promise<FoundEventPage>;
  /** The values of all events, at most 100,000. */
  facets(caller: Caller, id: string): Promise<FacetRows>;
  /**
   * The best matches of a query among the events, and the number of all: by the configured language model, else by
   * words. Throws `dataset_filter_invalid` (400).
   */
  search(
    caller: Caller,
    id: string,
    request: { query: string; limit: number; where: unknown },
    signal: AbortSignal,
  ): Promise<RankedEvents>;
  /**
   * Starts to classify the events by new fields. Throws `output_schema_invalid` (400), `taxonomy_scope_invalid` (400)
   * or `dataset_field_exists` (409).
   */
  addTaxonomy(caller: Caller, id: string, schema: { label: string | null; fields: unknown }): Promise<Taxonomy>;
  /** Waits at most `waitS` seconds for the end of a taxonomy. Throws `taxonomy_not_found` (404). */
  taxonomy(
    caller: Caller,
    id: string,
    taxonomyId: string,
    options: { waitS: number; signal: AbortSignal },
  ): Promise<Taxonomy>;
  /** Registers the job handlers. */
  registerJobs(): void;
}

const MAX_FACET_ROWS = 100_000;
/** Best matches of a search before its filter. */
const MAX_MATCHES = 5_000;
const POLL_MS = 500;
const BY_MODEL = 'The language model matched its description with the query.';

type DatasetEventsDeps = {
  database: Database;
  engine: Pick<Engine, 'checkOutputSchema' | 'textRanker'>;
  analyses: Pick<Analyses, 'classifyEvents' | 'usageLedgerOf'>;
  datasets: Pick<Datasets, 'get'>;
  search: Pick<EventSearch, 'rank'>;
  jobs: Jobs;
};

export function createDatasetEvents(deps: DatasetEventsDeps): DatasetEvents {
  const { database, engine, analyses, datasets, search, jobs } = deps;
  const { db } = database;

  async function listTaxonomies(caller: Caller, dataset: Dataset): Promise<Taxonomy[]> {
    const requested = await store.findQuerySchemas(db, dataset, caller);
    const added = await store.findTaxonomies(db, dataset.id);
    return [
      ...requested.map(({ label, fields, count }) => ({
        id: null,
        label,
        fields,
        status: 'done' as const,
        reason: null,
        analysesDone: count,
        analysesTotal: count,
      })),
      ...added,
    ];
  }

  /** Matches by the language model, the best first; `none` without a model, `failed` if it could not rank. */
  async function rankByModel(caller: Caller, query: string, selection: store.EventSelection, signal: AbortSignal) {
    if (!engine.textRanker) return 'none';
    const { events, total } = await store.findEvents(db, selection, { offset: 0, limit: MAX_MATCHES });
    if (total > events.length) return 'failed';
    const labels = [...new Set(events.map(({ label }) => label))];
    const { orgId, keyId } = caller;
    const account = openAccount(analyses.usageLedgerOf({ orgId, keyId, batchId: null }));
    const ranked = await engine.textRanker.rank(query, labels, signal, account);
    if ('failure' in ranked) return 'failed';
    const scores = new Map(labels.map((label, i) => [label, ranked.scores[i]!]));
    const scored = events.map((event) => ({ ...toFound(event), score: scores.get(event.label)!, reason: BY_MODEL }));
    return scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  }

  return {
    listTaxonomies,

    async filterFields(caller, id) {
      return [...filterFields(await listTaxonomies(caller, await datasets.get(caller, id))).values()];
    },

    async filter(caller, id, where, { offset, limit }) {
      const contents = await datasets.get(caller, id);
      const filter = readFilter(where, filterFields(await listTaxonomies(caller, contents)));
      const { events, total } = await store.findEvents(db, { contents, caller, filter, keys: null }, { offset, limit });
      const next = offset + events.length;
      return { events: events.map(toFound), total, nextOffset: events.length > 0 && next < total ? next : null };
    },

    async facets(caller, id) {
      const contents = await datasets.get(caller, id);
      const selection = { contents, caller, filter: null, keys: null };
      const { events, total } = await store.findEvents(db, selection, { offset: 0, limit: MAX_FACET_ROWS });
      const table = facetTable(await listTaxonomies(caller, contents), events);
      return { ...table, events: events.map(toFound), isTruncated: total > events.length };
    },

    async search(caller, id, { query, limit, where }, signal) {
      const contents = await datasets.get(caller, id);
      const filter = where === null ? null : readFilter(where, filterFields(await listTaxonomies(caller, contents)));
      const ranked = await rankByModel(caller, query, { contents, caller, filter, keys: null }, signal);
      if (Array.isArray(ranked))
        return { events: ranked.slice(0, limit), total: ranked.length, ranking: 'llm', degraded: false };
      const { matches } = await search.rank(caller, contents, query, MAX_MATCHES);
      const keys = matches.map(({ analysisId, eventIndex }) => ({ analysisId, position: eventIndex }));
      const page = { offset: 0, limit: MAX_MATCHES };
      const { events } = await store.findEvents(db, { contents, caller, filter, keys }, page);
      const byId = new Map(events.map((event) => [idOf(event), event]));
      const found = matches.flatMap(({ analysisId, eventIndex, similarity, reason }) => {
        const event = byId.get(toEventId(analysisId, eventIndex));
        return event ? [{ ...toFound(event), score: similarity, reason }] : [];
      });
      return { events: found.slice(0, limit), total: found.length, ranking: 'words', degraded: ranked === 'failed' };
    },

    async addTaxonomy(caller, datasetId, { label, fields }) {
      const contents = await datasets.get(caller, datasetId);
      if (!canManage(caller, contents)) throw problems.dataset_forbidden();
      const schema = engine.checkOutputSchema({ label, scope: 'event', fields });
      if (schema.fields.some(({ type }) => type === 'text' || type === 'time_range'))
        throw problems.taxonomy_scope_invalid();
      const known = taxonomyFields(await listTaxonomies(caller, contents));
      const repeated = schema.fields.filter(({ name }) => known.has(name)).map(({ name }) => name);
      if (repeated.length > 0)
        throw problems.dataset_field_exists(`The dataset has these fields already: ${repeated.join(', ')}.`);
      const id = newId();
      const analysesTotal = (await store.findAnalyses(db, contents, caller)).length;
      return database.transaction(async (trx) => {
        await store.insertTaxonomy(trx, { id, datasetId, label: schema.label, fields: schema.fields, analysesTotal });
        await jobs.send(trx, fillTaxonomy, { taxonomyId: id }, { orgId: caller.orgId });
        return (await store.findTaxonomy(trx, id))!;
      });
    },

    async taxonomy(caller, datasetId, taxonomyId, { waitS, signal }) {
      await datasets.get(caller, datasetId);
      const end = Date.now() + waitS * 1000;
      for (;;) {
        const found = await store.findTaxonomy(db, taxonomyId);
        if (found?.datasetId !== datasetId) throw problems.taxonomy_not_found();
        if (found.status !== 'processing' || Date.now() >= end) return found;
        await sleep(POLL_MS, undefined, { signal });
      }
    },

    registerJobs() {
      jobs.handle(fillTaxonomy, ({ taxonomyId }, context) => fill(deps, taxonomyId, context));
      jobs.handle(failTaxonomy, ({ taxonomyId }) => giveUpTaxonomy(deps, taxonomyId));
    },
  };
}

const idOf = ({ analysisId, position }: DatasetEvent) => toEventId(analysisId, position);
const toFound = (event: DatasetEvent): FoundEvent => ({ ...event, eventId: idOf(event), score: null, reason: null });
