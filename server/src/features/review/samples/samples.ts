import { type Analyses, type EventFields, type EventSummary, eventIdOf } from '#features/analyses/index';
import { type AuditActor, recordAction } from '#features/audit/index';
import type { Folders } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller, Domain } from '#platform/http/index';
import { problems } from '../problems.ts';
import type { ScoreFilter } from '../scores/score-store.ts';
import { drawSamples, type Sample } from './drawing.ts';
import * as store from './sample-store.ts';
import { MAX_LENGTH_S } from './schema.ts';

export type SampleReview = {
  videoId: string;
  analysisId: string;
  startS: number;
  endS: number;
  verdict: store.SampleVerdict;
  /** The event that was missed; it is added. */
  event: EventFields | null;
};
type ReviewedSample = Omit<SampleReview, 'videoId' | 'event'> & { event: Domain<typeof EventSummary> | null };

/** Drawn ranges are rounded to milliseconds. */
const ROUNDING_S = 0.001;

export interface Samples {
  /**
   * Draws random ranges without events of the engine, of analyses that the caller may read. Throws
   * `folder_not_found` (404) or `folder_forbidden` (403).
   */
  draw(caller: Caller, filter: ScoreFilter, options: { count: number; lengthS: number }): Promise<Sample[]>;
  /**
   * Stores what a reviewer saw in a range. Throws `sample_invalid`, `event_range_invalid` (400),
   * `event_not_found` (404), `analysis_forbidden` or `key_limited` (403).
   */
  review(caller: Caller, sample: SampleReview, by: AuditActor): Promise<ReviewedSample>;
}

type SamplesDeps = {
  database: Database;
  reviewing: Pick<Analyses['reviewing'], 'open' | 'notFound' | 'findClock'>;
  folders: Pick<Folders, 'require'>;
  /** Adds an event in a transaction. Returns its position. */
  addEvent(
    trx: Transaction,
    caller: Caller,
    to: { videoId: string; analysisId: string },
    event: EventFields,
    by: AuditActor,
  ): Promise<number>;
  getEvent(caller: Caller, eventId: string): Promise<Domain<typeof EventSummary>>;
};

/** Recall from samples: reviewers are shown random ranges in which the engine found nothing. */
export function createSamples({ database, reviewing, folders, addEvent, getEvent }: SamplesDeps): Samples {
  /** Throws `sample_invalid` for a range that is not in the video or that overlaps another sample. */
  async function checkRange(trx: Transaction, sample: SampleReview): Promise<void> {
    const { videoId, startS, endS, verdict, event } = sample;
    const { durationS } = await reviewing.findClock(trx, videoId);
    const limitS = durationS === null ? Number.POSITIVE_INFINITY : durationS + ROUNDING_S;
    const fits = startS < endS && endS - startS <= MAX_LENGTH_S && endS <= limitS;
    const starts = event === null || (verdict === 'missed' && event.startS >= startS && event.startS < endS);
    if (!fits || !starts || (await store.overlapsSample(trx, sample, ROUNDING_S))) throw problems.sample_invalid();
  }

  return {
    async draw(caller, filter, options) {
      const folderId = filter.folderId ?? caller.folderId;
      if (folderId) await folders.require(caller, folderId);
      return drawSamples(await store.listCandidates(database.db, caller, { ...filter, folderId }), options);
    },

    async review(caller, sample, by) {
      const { videoId, analysisId, startS, endS, verdict, event } = sample;
      const position = await database.transaction(async (trx) => {
        const analysis = (await reviewing.open(trx, caller, [analysisId])).get(analysisId)!;
        if (analysis.videoId !== videoId) throw reviewing.notFound();
        await checkRange(trx, sample);
        const { orgId, userId } = caller;
        await store.saveSample(trx, { analysisId, startS, endS, orgId, userId, verdict });
        const detail = { start_s: startS, end_s: endS, verdict };
        await recordAction(trx, by, { orgId, action: 'sample.reviewed', subjectId: analysisId, detail });
        return event && addEvent(trx, caller, { videoId, analysisId }, event, by);
      });
      const added = position === null ? null : await getEvent(caller, eventIdOf({ analysisId, position }));
      return { analysisId, startS, endS, verdict, event: added };
    },
  };
}
