import { type Analyses, eventIdOf } from '#features/analyses/index';
import type { Batches } from '#features/batches/index';
import type { Folders } from '#features/folders/index';
import { meanInterval, wilson } from '#features/review/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { compareVideo } from './compare.ts';
import { problems } from './problems.ts';
import type { Comparison, ComparisonRequest, StartedComparison } from './schema.ts';
import * as store from './store.ts';
import type { EventDifference, SideCounts, VideoComparison } from './types.ts';

type QueryMode = Comparison['mode'];

const DEFAULT_VIDEOS = 100;
/** Events of a response, which are in memory. */
const SHOWN_EVENTS = 500;

type ComparisonsDeps = {
  database: Database;
  analyses: { eventIndex: Pick<Analyses['eventIndex'], 'getMany'> };
  batches: Pick<Batches, 'start' | 'get'>;
  folders: Pick<Folders, 'require'>;
};

export interface Comparisons {
  /**
   * Runs a changed query on videos whose answers to the earlier prompt were reviewed. Throws
   * `comparison_nothing_reviewed` (409), or the problems of the folders room or of a query.
   */
  start(caller: Caller, request: ComparisonRequest): Promise<StartedComparison>;
  /**
   * Compares the completed analyses of a batch with the answers to an earlier prompt on the same videos. Throws
   * `comparison_without_baseline` (400), `batch_not_found` (404) or `batch_forbidden` (403).
   */
  get(caller: Caller, batchId: string, baselineQuery: string | null): Promise<Comparison>;
}

export function createComparisons({ database, analyses, batches, folders }: ComparisonsDeps): Comparisons {
  const { db } = database;

  async function listShown(caller: Caller, differences: readonly EventDifference[]) {
    const shown = differences.slice(0, SHOWN_EVENTS);
    const found = await analyses.eventIndex.getMany(
      caller,
      shown.map(({ key }) => key),
    );
    const byKey = new Map(found.map((event) => [event.eventId, event]));
    return shown.flatMap(({ change, judgment, key }) => {
      const event = byKey.get(eventIdOf(key));
      return event ? [{ change, judgment, event }] : [];
    });
  }

  return {
    async start(caller, request) {
      const { baselineQuery, maxVideos, mode, ...query } = request;
      const folderId = request.folderId ?? caller.folderId ?? null;
      if (folderId) await folders.require(caller, folderId);
      const selection = { query: baselineQuery, folderId, limit: maxVideos ?? DEFAULT_VIDEOS };
      const videoIds = await store.listReviewedVideos(db, caller, selection);
      if (videoIds.length === 0) throw problems.comparison_nothing_reviewed();
      const config = { compared_with: baselineQuery.trim() };
      const options = { mode: mode ?? ('thinking' as const), config };
      const { query: text, minConfidence, verify, visionProfile, detector } = query;
      return batches.start(caller, { query: text, minConfidence, verify, visionProfile, detector, videoIds }, options);
    },

    async get(caller, batchId, requested) {
      const { query, status, config } = await batches.get(caller, batchId, false);
      const { compared_with: comparedWith, mode } = config as { compared_with?: string; mode: QueryMode };
      const baselineQuery = requested?.trim() || comparedWith;
      if (!baselineQuery) throw problems.comparison_without_baseline();
      const pairs = await store.listPairs(db, caller, { batchId, baselineQuery });
      const compared = pairs.filter((pair) => pair.status === 'COMPLETED' && pair.baselineId !== null);
      const ids = compared.flatMap(({ candidateId, baselineId }) => [candidateId, baselineId!]);
      const [events, clear] =
        ids.length === 0
          ? [[], []]
          : await Promise.all([store.listEvents(db, caller, ids), store.listClearRanges(db, ids)]);
      const byAnalysis = Map.groupBy(events, ({ analysisId }) => analysisId);
      const clearBy = Map.groupBy(clear, ({ analysisId }) => analysisId);
      const results = compared.map(({ candidateId, baselineId }) =>
        compareVideo({
          baseline: byAnalysis.get(baselineId!) ?? [],
          candidate: byAnalysis.get(candidateId) ?? [],
          clear: [...(clearBy.get(baselineId!) ?? []), ...(clearBy.get(candidateId) ?? [])],
        }),
      );
      const differences = results.flatMap((result) => result.differences);
      return {
        batchId,
        status,
        query,
        baselineQuery,
        mode,
        videos: pairs.length,
        comparedVideos: compared.length,
        failedVideos: pairs.filter((pair) => pair.status === 'FAILED').length,
        baseline: sideOf(results, 'baseline'),
        candidate: sideOf(results, 'candidate'),
        unchanged: results.reduce((sum, { unchanged }) => sum + unchanged, 0),
        appeared: differences.filter(({ change }) => change === 'appeared').length,
        disappeared: differences.filter(({ change }) => change === 'disappeared').length,
        events: await listShown(caller, differences),
      };
    },
  };
}

function sideOf(results: readonly VideoComparison[], side: 'baseline' | 'candidate'): Comparison['baseline'] {
  const counts: SideCounts[] = results.map((result) => result[side]);
  const sum = (of: (each: SideCounts) => number) => counts.reduce((total, each) => total + of(each), 0);
  const [right, wrong] = [sum((each) => each.right), sum((each) => each.wrong)];
  const missed = sum((each) => each.missed);
  const overlaps = counts.flatMap((each) => each.overlaps);
  const squares = overlaps.reduce((total, each) => total + each ** 2, 0);
  return {
    right,
    wrong,
    missed,
    undecided: sum((each) => each.undecided),
    precision: wilson(right, right + wrong),
    recall: wilson(overlaps.length, overlaps.length + missed),
    overlap: meanInterval(
      overlaps.reduce((total, each) => total + each, 0),
      squares,
      overlaps.length,
    ),
  };
}
