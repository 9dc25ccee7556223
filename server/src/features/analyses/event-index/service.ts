import { LRUCache } from 'lru-cache';
import type { Folders } from '#features/folders/index';
import type { Videos } from '#features/videos/index';
import type { Principal } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, decodeCursor, encodeCursor, httpProblems } from '#platform/http/index';
import { ID_PATTERN } from '#platform/ids';
import type { EvidenceStore } from '../evidence/index.ts';
import { assignIncidents } from '../incidents/store.ts';
import { toEventId } from '../types.ts';
import { type EventByTime, findByTime } from './by-time-store.ts';
import {
  countByBatch,
  countByTime,
  countByVideo,
  countEvents,
  type EventPosition,
  findEvents,
  findStored,
  hasManyEvents,
  streamEvents,
} from './list-store.ts';
import type { EventFacets, EventPage, EventStatistics, EventSummary } from './schema.ts';
import * as store from './store.ts';
import type { EventFilter, EventKey, EventSort, EventWithDocument, VideoEventCount } from './types.ts';

export type EventListOptions = EventFilter & {
  /** Default: newest first. */
  sort?: EventSort | null;
  facets?: boolean | null;
  statistics?: boolean | null;
  /** `incident`: the first matching event of each incident, and counts of incidents. Default: events. */
  per?: 'event' | 'incident' | null;
  limit?: number | null;
  cursor?: string | null;
};

export interface EventIndex {
  /**
   * A page of the events that the caller may see and that match all filters. Throws the problems of the videos and
   * folders rooms for the video and the folder, or `cursor_invalid` (400).
   */
  list(caller: Caller, options: EventListOptions): Promise<EventPage>;
  /**
   * All events that a user may see and that match all filters, with their stored forms, ordered by video and start, in
   * pages. They are a snapshot, read in the given transaction. The calling room checks access to videos and folders.
   */
  stream(trx: Transaction, principal: Principal, filter: EventFilter): AsyncIterable<EventWithDocument[]>;
  /** Those of the events that the caller may see, in the same order. */
  getMany(caller: Caller, events: readonly EventKey[]): Promise<EventSummary[]>;
  /**
   * Counts the events that the caller may see of each of these videos, the newest `most` of each; videos without events
   * are left out.
   */
  countByVideo(caller: Caller, videoIds: readonly string[], most: number): Promise<Map<string, VideoEventCount>>;
  /** Counts the events of each of these batches, which the caller may read: at most `most` of each. */
  countByBatch(batchIds: readonly string[], most: number): Promise<Map<string, number>>;
  /**
   * The first or last event of a batch by the clocks of its videos; `undated`: names of videos with events that have no
   * clock; `missed`: its videos of which nothing was searched.
   */
  findByTime(trx: Transaction, batchId: string, picks: 'first' | 'last'): Promise<EventByTime>;
  onVideoMoved(trx: Transaction, videoId: string): Promise<void>;
  onVideoDeleted(trx: Transaction, videoId: string): Promise<void>;
  onVideoRestored(trx: Transaction, videoId: string): Promise<void>;
  /** Stores the events of analyses that an earlier version completed, one transaction each, until none is left. */
  indexEarlier(signal: AbortSignal): Promise<void>;
}

export const eventIdOf = ({ analysisId, position }: EventKey) => toEventId(analysisId, position);

type EventIndexDeps = {
  database: Database;
  videos: Pick<Videos, 'get'>;
  folders: Pick<Folders, 'require'>;
  evidence: Pick<EvidenceStore, 'placeholder' | 'sign'>;
};

const DEFAULT_LIMIT = 50;
/** Events of a page of `stream`, which is in memory with its stored forms. */
const STREAM_PAGE = 500;
/** Analyses that are selected at once for the index. */
const INDEX_BATCH = 200;
const TOP_LABELS = 3;
/** Time after which the size of an organization is read again. */
const LARGE_MS = 600_000;

export function createEventIndex({ database, videos, folders, evidence }: EventIndexDeps): EventIndex {
  const { db } = database;

  const imageUrl = (analysisId: string, image: string | null) =>
    image === null ? null : evidence.sign(analysisId, evidence.placeholder(analysisId, image));

  /** Organizations with many events: counting them costs more than a page. */
  const large = new LRUCache<string, true>({ max: 1_000, ttl: LARGE_MS });

  async function isLarge(orgId: string): Promise<boolean> {
    const isKnown = large.has(orgId);
    if (!isKnown && (await hasManyEvents(db, orgId))) large.set(orgId, true);
    return large.has(orgId);
  }

  const toSummaries = (found: Awaited<ReturnType<typeof findEvents>>): EventSummary[] =>
    // Videos without a name are being deleted with their folder.
    found.flatMap(({ videoName, position, image, leaseUserId, leaseUntil, implied, impliedBy, ...event }) => {
      if (videoName === null) return [];
      const isAssigned = leaseUntil !== null && leaseUntil.getTime() > Date.now();
      return {
        ...event,
        videoName,
        eventId: toEventId(event.analysisId, position),
        annotatedThumbnailUrl: imageUrl(event.analysisId, image),
        implied: implied && impliedBy !== null ? { approval: implied, eventId: impliedBy } : null,
        assignedTo: isAssigned ? leaseUserId : null,
        assignedUntil: isAssigned ? leaseUntil : null,
      };
    });

  return {
    async list(caller, { sort, facets, statistics, per, limit, cursor, ...filter }) {
      const order = sort ?? '-created_at';
      const after = cursor ? parseCursor(cursor, order) : null;
      if (filter.videoId) await videos.get(caller, filter.videoId);
      const folderId = filter.folderId ?? caller.folderId;
      if (folderId) await folders.require(caller, folderId);
      const selection = { ...filter, folderId, caller, perIncident: per === 'incident' };
      const size = limit ?? DEFAULT_LIMIT;
      const [found, counted, timed] = await Promise.all([
        findEvents(db, selection, { sort: order, after, limit: size + 1 }),
        facets ? countEvents(db, selection, await isLarge(caller.orgId)) : null,
        statistics ? countByTime(db, selection, await isLarge(caller.orgId)) : null,
      ]);
      const page = found.slice(0, size);
      const last = found.length > size ? page.at(-1)! : null;
      return {
        events: toSummaries(page),
        facets: counted && toFacets(counted),
        statistics: timed && toStatistics(timed),
        hasMore: last !== null,
        nextCursor: last && encodeCursor([order, String(last.confidence), last.analysisId, String(last.position)]),
      };
    },

    async *stream(trx, principal, filter) {
      for await (const page of streamEvents(trx, { ...filter, caller: principal }, STREAM_PAGE)) {
        const texts = new Map((await findStored(trx, page)).map((row) => [eventIdOf(row), row.text]));
        yield page.flatMap(({ position, ...event }) => {
          const eventId = toEventId(event.analysisId, position);
          const text = texts.get(eventId);
          return text === undefined
            ? []
            : [{ ...event, eventId, stored: JSON.parse(text) as EventWithDocument['stored'] }];
        });
      }
    },

    async getMany(caller, events) {
      const options = { sort: '-created_at' as const, after: null, limit: events.length };
      const found = toSummaries(await findEvents(db, { events, caller, folderId: caller.folderId }, options));
      const byId = new Map(found.map((event) => [event.eventId, event]));
      return events.flatMap((event) => byId.get(eventIdOf(event)) ?? []);
    },

    async countByVideo(caller, videoIds, most) {
      const limits = { events: most, labels: TOP_LABELS };
      const rows = await countByVideo(db, caller, videoIds, limits);
      return new Map(rows.map(({ videoId, ...counts }) => [videoId, counts]));
    },

    async countByBatch(batchIds, most) {
      const rows = await countByBatch(db, batchIds, most);
      return new Map(rows.map(({ batchId, count }) => [batchId, count]));
    },

    findByTime: (trx, batchId, picks) => findByTime(trx, batchId, picks),
    onVideoMoved: store.moveOfVideo,
    onVideoDeleted: store.deleteOfVideo,
    onVideoRestored: store.insertOfVideo,

    async indexEarlier(signal) {
      for (;;) {
        const analyses = await store.findNotIndexed(db, INDEX_BATCH);
        if (analyses.length === 0) return;
        for (const analysis of analyses) {
          signal.throwIfAborted();
          await database.transaction(async (trx) => {
            await store.indexAnalysis(trx, analysis);
            await assignIncidents(trx, analysis.videoId);
          });
        }
      }
    },
  };
}

function toStatistics({ rows, total, isComplete }: Awaited<ReturnType<typeof countByTime>>): EventStatistics {
  const counts = (field: 'hour' | 'weekday', first: number, length: number) => {
    const found = new Map(rows.filter((row) => row.field === field).map(({ value, count }) => [value, count]));
    return Array.from({ length }, (_, at) => found.get(first + at) ?? 0);
  };
  const hours = counts('hour', 0, 24);
  return {
    total,
    isComplete,
    undated: total - hours.reduce((sum, count) => sum + count, 0),
    hours,
    weekdays: counts('weekday', 1, 7),
    days: rows.flatMap(({ field, day, count }) => (field === 'day' && day !== null ? [{ day, count }] : [])),
  };
}

function toFacets({ rows, total, isComplete }: Awaited<ReturnType<typeof countEvents>>): EventFacets {
  const values = (wanted: string) =>
    rows.filter(({ field }) => field === wanted).map(({ value, count }) => ({ value, count }));
  const named = (wanted: string) =>
    rows.flatMap(({ field, value, name, count }) =>
      field === wanted && name !== null ? { id: value, name, count } : [],
    );
  return {
    total,
    isComplete,
    labels: values('label'),
    types: values('type'),
    severities: values('severity'),
    approvals: values('approval'),
    folders: named('folder'),
    videos: named('video'),
  };
}

const ID = new RegExp(ID_PATTERN);

/** Position that a cursor of a list in this order points to. Throws `cursor_invalid` (400). */
function parseCursor(cursor: string, sort: EventSort): EventPosition {
  const [cursorSort, confidence, analysisId, position] = decodeCursor(cursor, 4);
  if (cursorSort !== sort)
    throw httpProblems.cursor_invalid(
      `The query parameter \`cursor\` belongs to a list sorted by ${cursorSort}, not by ${sort}. Start again without it.`,
    );
  const parsed = { confidence: Number(confidence), analysisId: analysisId!, position: Number(position) };
  const isValid = parsed.confidence >= 0 && parsed.confidence <= 1 && ID.test(parsed.analysisId);
  if (!isValid || !Number.isInteger(parsed.position) || Math.abs(parsed.position) > 2 ** 31 - 1) {
    throw httpProblems.cursor_invalid();
  }
  return parsed;
}
