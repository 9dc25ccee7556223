import type { Videos } from '#features/videos/index';
import { canRead, isAdmin } from '#platform/access/index';
import type { Database, Queryable, Transaction } from '#platform/db/index';
import { type Caller, httpProblems } from '#platform/http/index';
import type { EventKey } from '../event-index/index.ts';
import type { EvidenceStore } from '../evidence/index.ts';
import { assignIncidents } from '../incidents/index.ts';
import { problems } from '../problems.ts';
import { type Clock, type OpenAnalysis, openAnalysis } from './open-analysis.ts';
import * as store from './store.ts';

export interface Reviewing {
  /** Parses the id of an event. Throws `event_not_found` (404). Candidates are not reviewed. */
  parseEventId(eventId: string): EventKey;
  /** The problem of an event that does not exist. */
  notFound(): Error;
  /**
   * Checks that the caller may see these analyses. Who may see one may review its events, with the scope `write`.
   * Throws `event_not_found` (404), `analysis_forbidden` or `key_limited` (403).
   */
  require(caller: Caller, analysisIds: readonly string[]): Promise<void>;
  /**
   * Locks these analyses until the end of the transaction, for changes by the caller. Throws as `require` does, also
   * `event_not_found` (404) if one has not completed or its video is deleted.
   */
  open(trx: Transaction, caller: Caller, analysisIds: readonly string[]): Promise<Map<string, OpenAnalysis>>;
  /** Stores the changes of open analyses. The incidents of a video are assigned once for all of its analyses. */
  save(trx: Transaction, opened: readonly OpenAnalysis[]): Promise<void>;
  /** The clock and the duration in seconds of a video. */
  findClock(trx: Transaction, videoId: string): Promise<Clock & { durationS: number | null }>;
  /**
   * Leases events to a user until a time, or releases them (null). Those that somebody else has are left out, unless
   * the caller is an admin. Returns the changed ones.
   */
  lease(
    trx: Transaction,
    caller: Caller,
    events: readonly EventKey[],
    lease: { userId: string; until: Date } | null,
  ): Promise<EventKey[]>;
}

const EVENT_ID = /^([0-9a-f]{32})-(0|[1-9]\d{0,8})$/;
/** Of videos whose container states none. */
const DEFAULT_TIME_BASE: [number, number] = [1, 90_000];

export function createReviewing({
  database,
  videos,
  evidence,
}: {
  database: Database;
  videos: Pick<Videos, 'find' | 'canReachAll'>;
  evidence: Pick<EvidenceStore, 'placeholder'>;
}): Reviewing {
  async function check(db: Queryable, caller: Caller, analysisIds: readonly string[]): Promise<void> {
    const rows = await store.findAnalyses(db, analysisIds);
    if (!rows.every((row) => canRead(caller, row))) throw problems.analysis_forbidden();
    const videoIds = rows.map(({ videoId }) => videoId);
    if (caller.folderId && !(await videos.canReachAll(caller, videoIds))) throw httpProblems.key_limited();
    if (rows.length < analysisIds.length) throw problems.event_not_found();
  }

  return {
    notFound: problems.event_not_found,

    parseEventId(eventId) {
      const [, analysisId, position] = EVENT_ID.exec(eventId) ?? [];
      if (analysisId === undefined) throw problems.event_not_found();
      return { analysisId, position: Number(position) };
    },

    require: (caller, analysisIds) => check(database.db, caller, [...new Set(analysisIds)]),

    async open(trx, caller, analysisIds) {
      const wanted = [...new Set(analysisIds)];
      await check(trx, caller, wanted);
      const locked = await store.lockAnalyses(trx, wanted);
      if (locked.length < wanted.length) throw problems.event_not_found();
      return new Map(
        locked.map((row) => [row.analysisId, openAnalysis(row, (name) => evidence.placeholder(row.analysisId, name))]),
      );
    },

    async save(trx, opened) {
      for (const analysis of new Set(opened)) await analysis.save(trx);
      for (const videoId of new Set(opened.map((analysis) => analysis.videoId))) await assignIncidents(trx, videoId);
    },

    async findClock(trx, videoId) {
      const video = await videos.find(videoId, trx);
      const timeBase = video?.probe?.video.timeBase ?? DEFAULT_TIME_BASE;
      const startS = video?.probe?.startS ?? 0;
      return {
        timeBase: [timeBase[0], timeBase[1]],
        firstPts: Math.round((startS * timeBase[1]) / timeBase[0]),
        durationS: video?.durationS ?? null,
      };
    },

    lease: (trx, caller, events, lease) =>
      store.leaseEvents(trx, caller, events, {
        userId: lease?.userId ?? null,
        until: lease?.until ?? null,
        force: isAdmin(caller),
      }),
  };
}
