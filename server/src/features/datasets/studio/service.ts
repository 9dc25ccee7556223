import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '#engine/index';
import { type Analyses, toEventId } from '#features/analyses/index';
import type { EventSearch } from '#features/search/index';
import type { VideoPage, Videos } from '#features/videos/index';
import { canManage } from '#platform/access/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { problems } from '../problems.ts';
import { type Datasets, MAX_VIDEOS } from '../service.ts';
import type { Dataset, DatasetWithState } from '../types.ts';
import { facetTable, filterFields, taxonomyFields } from './fields.ts';
import { fillTaxonomy as fill, giveUpTaxonomy } from './fill-taxonomy.ts';
import { readFilter } from './filter.ts';
import { failTaxonomy, fillTaxonomy } from './jobs.ts';
import * as store from './store.ts';
import type { EventField, StudioEvent, Taxonomy } from './types.ts';

/** A dataset with the fields by which its events are classified. */
export type StudioDataset = DatasetWithState & { taxonomies: Taxonomy[] };
export type FoundEvent = StudioEvent & { eventId: string; score: number | null; reason: string | null };
export type FoundEventPage = { events: FoundEvent[]; total: number; nextOffset: number | null };
/** `degraded`: a configured language model could not rank, so that words did. */
export type RankedEvents = { events: FoundEvent[]; total: number; ranking: 'llm' | 'words'; degraded: boolean };
export type FacetRows = ReturnType<typeof facetTable> & { events: FoundEvent[]; isTruncated: boolean };

export type NewStudioDataset = {
  title: string;
  description: string | null;
  vertical: string | null;
  batchIds: string[];
  folderIds: readonly string[];
};

/** Explores the events of datasets. Functions with an id throw the problems of `Datasets.get`. */
export interface Studio {
  /**
   * Creates a dataset of batches, or of the videos that are in folders now. Throws `dataset_contents_unclear` (400) or
   * the problems of `Datasets.create`.
   */
  create(caller: Caller, dataset: NewStudioDataset): Promise<StudioDataset>;
  get(caller: Caller, id: string): Promise<StudioDataset>;
  /** The 100 newest datasets of the caller. */
  listOwn(caller: Caller): Promise<StudioDataset[]>;
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

const MAX_LISTED = 100;
const VIDEO_PAGE = 200;
const MAX_FACET_ROWS = 100_000;
/** Best matches of a search before its filter. */
const MAX_MATCHES = 5_000;
const POLL_MS = 500;
const BY_MODEL = 'The language model matched its description with the query.';

type StudioDeps = {
  database: Database;
  engine: Pick<Engine, 'checkOutputSchema' | 'textRanker'>;
  analyses: Pick<Analyses, 'classifyEvents'>;
  datasets: Pick<Datasets, 'create' | 'get' | 'list'>;
  search: Pick<EventSearch, 'rank'>;
  videos: Pick<Videos, 'list'>;
  jobs: Jobs;
};

export function createStudio(deps: StudioDeps): Studio {
  const { database, engine, datasets, search, videos, jobs } = deps;
  const { db } = database;

  async function taxonomiesOf(caller: Caller, dataset: Dataset): Promise<Taxonomy[]> {
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

  /** Ids of the videos of a folder, as many as a dataset may have and one more. */
  async function listVideos(caller: Caller, folderId: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = null; ids.length <= MAX_VIDEOS; ) {
      const page: VideoPage = await videos.list(caller, { folderId, limit: VIDEO_PAGE, cursor });
      ids.push(...page.videos.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return ids;
  }

  /** Matches by the language model, the best first; `none` without a model, `failed` if it could not rank. */
  async function rankByModel(query: string, selection: store.EventSelection, signal: AbortSignal) {
    if (!engine.textRanker) return 'none';
    const { events, total } = await store.findEvents(db, selection, { offset: 0, limit: MAX_MATCHES });
    if (total > events.length) return 'failed';
    const labels = [...new Set(events.map(({ label }) => label))];
    const ranked = await engine.textRanker.rank(query, labels, signal);
    if ('failure' in ranked) return 'failed';
    const scores = new Map(labels.map((label, i) => [label, ranked.scores[i]!]));
    const scored = events.map((event) => ({ ...toFound(event), score: scores.get(event.label)!, reason: BY_MODEL }));
    return scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  }

  const withTaxonomies = async (caller: Caller, dataset: DatasetWithState): Promise<StudioDataset> => ({
    ...dataset,
    taxonomies: await taxonomiesOf(caller, dataset),
  });

  const studio: Studio = {
    async create(caller, { title, description, vertical, batchIds, folderIds }) {
      if (batchIds.length > 0 === folderIds.length > 0) throw problems.dataset_contents_unclear();
      const videoIds: string[] = [];
      for (const folderId of new Set(folderIds)) videoIds.push(...(await listVideos(caller, folderId)));
      const made = await datasets.create(caller, {
        name: title,
        searchDescription: description ?? '',
        scope: 'user',
        vertical,
        batchIds,
        videoIds,
      });
      return withTaxonomies(caller, made);
    },

    get: async (caller, id) => withTaxonomies(caller, await datasets.get(caller, id)),

    async listOwn(caller) {
      const found = await datasets.list(caller, { scope: 'user', before: null, limit: MAX_LISTED });
      return Promise.all(found.map((dataset) => withTaxonomies(caller, dataset)));
    },

    async filterFields(caller, id) {
      return [...filterFields(await taxonomiesOf(caller, await datasets.get(caller, id))).values()];
    },

    async filter(caller, id, where, { offset, limit }) {
      const contents = await datasets.get(caller, id);
      const filter = readFilter(where, filterFields(await taxonomiesOf(caller, contents)));
      const { events, total } = await store.findEvents(db, { contents, caller, filter, keys: null }, { offset, limit });
      const next = offset + events.length;
      return { events: events.map(toFound), total, nextOffset: events.length > 0 && next < total ? next : null };
    },

    async facets(caller, id) {
      const contents = await datasets.get(caller, id);
      const selection = { contents, caller, filter: null, keys: null };
      const { events, total } = await store.findEvents(db, selection, { offset: 0, limit: MAX_FACET_ROWS });
      const table = facetTable(await taxonomiesOf(caller, contents), events);
      return { ...table, events: events.map(toFound), isTruncated: total > events.length };
    },

    async search(caller, id, { query, limit, where }, signal) {
      const contents = await datasets.get(caller, id);
      const filter = where === null ? null : readFilter(where, filterFields(await taxonomiesOf(caller, contents)));
      const ranked = await rankByModel(query, { contents, caller, filter, keys: null }, signal);
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
      const known = taxonomyFields(await taxonomiesOf(caller, contents));
      const repeated = schema.fields.filter(({ name }) => known.has(name)).map(({ name }) => name);
      if (repeated.length > 0)
        throw problems.dataset_field_exists(`The dataset has these fields already: ${repeated.join(', ')}.`);
      const id = newId();
      const analysesTotal = (await store.findAnalyses(db, contents, caller)).length;
      return database.transaction(async (trx) => {
        await store.insertTaxonomy(trx, { id, datasetId, label: schema.label, fields: schema.fields, analysesTotal });
        await jobs.send(trx, fillTaxonomy, { taxonomyId: id });
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
  return studio;
}

const idOf = ({ analysisId, position }: StudioEvent) => toEventId(analysisId, position);
const toFound = (event: StudioEvent): FoundEvent => ({ ...event, eventId: idOf(event), score: null, reason: null });
