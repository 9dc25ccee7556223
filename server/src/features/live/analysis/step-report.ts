import type { EventChanges, Plan } from '#engine/index';
import type { Events } from '#features/events/index';
import type { Database } from '#platform/db/index';
import { LeaseLostError } from '../lease-lost.ts';
import type { LiveEvent, LiveSession } from '../types.ts';
import { type AnalyzedSegment, toEndFields, toEventPayload, toNewEvent } from './event-payload.ts';
import type { AnswerRecorder } from './recorded-answer.ts';
import { EDGE_S } from './skipped-ranges.ts';
import * as store from './store.ts';

/** A step of an analysis: its state before the step, and the worker that holds the lease. */
export type LiveStep = { holder: string; session: LiveSession; analysis: store.LiveAnalysis; plan: Plan };

export type ReportedChanges = Omit<EventChanges, 'reported'>;
/** Events that a step reports; `cut` marks events, also earlier ones, next to a skipped range. */
export type StepReport = { changes: ReportedChanges; places: AnalyzedSegment[]; cut: Map<string, store.EventCut> };

export const EMPTY_REPORT: StepReport = { changes: { started: [], ended: [] }, places: [], cut: new Map() };
export const CUT_END: store.EventCut = { cut_end: true };

/** Ids of events that last until `endS`. */
export function endsNear({ started, ended }: ReportedChanges, endS: number): string[] {
  return [
    ...started.filter(({ event }) => event.endS >= endS - EDGE_S).map(({ id }) => id),
    ...ended.filter((event) => event.endS >= endS - EDGE_S).map(({ id }) => id),
  ];
}

/** Returns a function that stores the row, events and report of a step in one transaction. */
export function createStepWriter({
  database,
  events,
  answers,
}: {
  database: Database;
  events: Pick<Events, 'appendAll' | 'publish'>;
  answers: AnswerRecorder;
}) {
  /** Throws `LeaseLostError`. */
  return async (
    { analysis, holder, session }: LiveStep,
    change: Partial<store.AnalysisStep>,
    { changes, places, cut }: StepReport,
  ): Promise<void> => {
    const { sessionId } = analysis;
    const createdAt = new Date();
    const started = changes.started.map(({ id, going, search, event }) => {
      const { data, ...where } = toNewEvent(id, sessionId, search, event, places);
      const marks = { cut_start: false, cut_end: false, ...cut.get(id) };
      return { id, ...where, createdAt, data: { ...data, ongoing: going, ...marks } };
    });
    const toMessage = (event: Omit<LiveEvent, 'position'>) => ({
      session_id: sessionId,
      finding: toEventPayload(sessionId, event),
    });
    const reported = new Set([...changes.started, ...changes.ended].map(({ id }) => id));
    const step = { ...analysis, observation: null, retainFrom: analysis.nextSequence, ended: false, ...change };
    await database.transaction(async (trx) => {
      if (step.ended) await answers.lock(trx, sessionId);
      if (!(await store.saveStep(trx, analysis, holder, step))) throw new LeaseLostError();
      await store.addEvents(trx, sessionId, started);
      const ended: LiveEvent[] = [];
      for (const { id, endS, event } of changes.ended) {
        ended.push(await store.endEvent(trx, id, toEndFields(endS, cut.get(id)?.cut_end ?? false, event)));
      }
      for (const [id, marks] of cut) if (!reported.has(id)) await store.markCut(trx, [id], marks);
      if (reported.size > 0) {
        const { orgId, folderId } = session;
        const payloads = [...started, ...ended].map((event) => toEventPayload(sessionId, event));
        const startedIds = started.map(({ id }) => id);
        await events.publish(trx, 'live.reported', { sessionId, orgId, folderId, events: payloads, startedIds });
      }
      await events.appendAll(trx, sessionId, [
        ...started.map((event) => ({ kind: 'finding', data: toMessage(event) }) as const),
        ...ended.map((event) => ({ kind: 'finding_ended', data: toMessage(event) }) as const),
      ]);
      if (step.ended) await answers.store(trx, sessionId);
    });
  };
}
