import {
  type Chunk,
  createWindow,
  decodeChunk,
  type Engine,
  encodeChunk,
  type Lead,
  type LiveEngine,
  type LiveNews,
  type Plan,
  tell,
  type Window,
} from '#engine/index';
import type { Events } from '#features/events/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { Lost } from '../lost.ts';
import { findSession, segmentsFrom } from '../store.ts';
import type { LiveEvent, Segment, Session } from '../types.ts';
import type { Files } from './files.ts';
import { everyS, leftOut, type Pace, paced } from './pace.ts';
import * as store from './store.ts';
import { endOf, eventAnswer, type Place, toldOf } from './told.ts';

export type AnalyseDeps = {
  database: Database;
  engine: Pick<Engine, 'plan'> & { live: LiveEngine };
  events: Pick<Events, 'appendAll'>;
  files: Files;
  log: Log;
  /** How much of a stream is looked at together at least, in seconds. */
  windowS: number;
};

/** What the worker that has a session knows of it besides what is stored. */
type Memory = {
  window: Window;
  places: Place[];
  /** The last segment that was observed, for what follows on it. */
  last: { epoch: number; video: Chunk['video']; lead: Lead | null; durationS: number } | null;
  pace: Pace;
};

/** How many waiting segments are looked at to know how many there are. */
const WAITING = 64;

/**
 * The analysis of one session, step by step: a segment is observed, joins the window, the query is answered over that, and what is new is told. What a step leaves is one
 * transaction; whoever takes the session over goes on behind the last of them.
 */
export function createAnalysis({ database, engine, events, files, log, windowS }: AnalyseDeps) {
  const { db } = database;

  /** What was observed before, by whomever. */
  async function remember(analysis: store.Analysis): Promise<Memory> {
    const memory: Memory = {
      ...{ window: createWindow(windowS), places: [], last: null },
      pace: { sampling: analysis.sampling, calm: 0 },
    };
    const rows = await store.observed(db, analysis.sessionId);
    if (rows.length === 0) return memory;
    const segments = await segmentsFrom(db, analysis.sessionId, rows[0]!.sequence, rows.length);
    for (const [i, { data }] of rows.entries()) {
      const [segment, chunk] = [segments[i], decodeChunk(data)];
      // What another version observed is not followed on.
      if (segment && chunk) join(memory, segment, chunk);
      else forget(memory);
    }
    return memory;
  }

  function join(memory: Memory, segment: Segment, chunk: Chunk, lead: Lead | null = null): void {
    const { sequence, streamS: startS, durationS, capturedAt, epoch } = segment;
    const fromS = memory.window.add({ chunk, startS });
    memory.places = [...memory.places, { sequence, startS, durationS, capturedAt }];
    memory.places = memory.places.filter((place) => place.startS >= fromS);
    memory.last = { epoch, video: chunk.video, lead, durationS };
  }

  /** Something is missing: nothing is followed over it. */
  function forget(memory: Memory): void {
    memory.window = createWindow(windowS);
    memory.places = [];
    memory.last = null;
  }

  /** What to tell of what is in the window, and what became of each part of the query. */
  function answer(analysis: store.Analysis, plan: Plan, { window }: Memory, over: boolean) {
    const since = Object.fromEntries(plan.searches.map(({ text }) => [text, analysis.since[text] ?? analysis.knownS]));
    const { findings, coverage } = engine.live.answer(plan, window);
    const [startS, endS] = [window.startS(), Math.max(window.endS(), analysis.knownS)];
    const { told, knownS } = analysis;
    const sinceS = (search: string) => since[search] ?? 0;
    const news = tell({ told, findings, startS, endS, knownS, over, sinceS, newId });
    return { news, since, knownS: endS, coverage: coverage.length > 0 ? coverage : analysis.coverage };
  }

  /** Row, events and what is told of them are one transaction. Throws `Lost` when another worker has the session by now. */
  async function settle(
    analysis: store.Analysis,
    holder: string,
    step: store.Settled,
    news: LiveNews,
    places: Place[],
  ) {
    const { sessionId } = analysis;
    const createdAt = new Date();
    const begun = news.begun.map(({ id, going, search, finding }) => {
      const { data, ...where } = toldOf(id, sessionId, search, finding, places);
      return { id, ...where, createdAt, data: { ...data, ongoing: going } };
    });
    const newsOf = (event: Omit<LiveEvent, 'position'>) => ({
      session_id: sessionId,
      finding: eventAnswer(sessionId, event),
    });
    await database.transaction(async (trx) => {
      if (!(await store.settle(trx, analysis, holder, step))) throw new Lost();
      await store.addEvents(trx, sessionId, begun);
      const ended: LiveEvent[] = [];
      for (const { id, endS } of news.ended) ended.push(await store.endEvent(trx, id, endOf(endS)));
      await events.appendAll(trx, sessionId, [
        ...begun.map((event) => ({ kind: 'finding', data: newsOf(event) }) as const),
        ...ended.map((event) => ({ kind: 'finding_ended', data: newsOf(event) }) as const),
      ]);
    });
  }

  /** Observes a segment; null where it cannot be decoded, or is gone. */
  async function observe(session: Session, segment: Segment, memory: Memory, plan: Plan, signal: AbortSignal) {
    const before = memory.last?.epoch === segment.epoch ? memory.last : null;
    try {
      await using file = await files.of(session, segment, signal);
      return await engine.live.observe(file.path, {
        everyS: engine.live.needsDetector(plan) ? everyS(memory.pace.sampling) : null,
        before: before?.lead ? { lead: before.lead, durationS: before.durationS } : null,
        ...(before ? { video: { ...before.video, durationS: segment.durationS } } : {}),
        signal,
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.status >= 500) throw error;
      log.info({ err: error, sessionId: session.id, sequence: segment.sequence }, 'a segment cannot be looked at');
      return null;
    }
  }

  return {
    remember,

    /**
     * The next step. `done`: the analysis has ended. `idle`: there is nothing to look at yet. Throws `Lost`.
     */
    async step(
      holder: string,
      sessionId: string,
      memory: Memory,
      signal: AbortSignal,
    ): Promise<'done' | 'idle' | 'more'> {
      const [analysis, session] = await Promise.all([store.find(db, sessionId), findSession(db, sessionId)]);
      if (!analysis || !session || analysis.endedAt) return 'done';
      const plan = engine.plan(session.query ?? '');
      const waiting = await segmentsFrom(db, sessionId, analysis.next, WAITING);
      const over = analysis.until !== null || session.endedAt !== null;
      if (waiting.length === 0 && !over) return 'idle';

      const left = leftOut(waiting);
      const segment = waiting[left];
      const skippedS = analysis.skippedS + lengthOf(waiting.slice(0, left));
      /** Nothing follows on what is in the window: it is told to its end, and the next step begins with what comes. */
      const breakOff = async (next: number, leftOutS: number) => {
        const { news, ...found } = answer(analysis, plan, memory, true);
        const { sampling } = memory.pace;
        const kept = { told: [], observed: null, forgetBefore: next, ended: !segment };
        await settle(analysis, holder, { ...found, ...kept, next, sampling, skippedS: leftOutS }, news, memory.places);
        forget(memory);
        return segment ? 'more' : 'done';
      };
      if (!segment) return breakOff(analysis.next, skippedS);
      if (memory.last && (left > 0 || segment.epoch !== memory.last.epoch)) return breakOff(segment.sequence, skippedS);

      const startedMs = performance.now();
      const { sequence, durationS: segmentS } = segment;
      const made = await observe(session, segment, memory, plan, signal);
      if (!made) return breakOff(sequence + 1, skippedS + segmentS);
      join(memory, segment, made.chunk, made.lead);
      const { news, ...found } = answer(analysis, plan, memory, false);
      const tookS = (performance.now() - startedMs) / 1000;
      const detects = engine.live.needsDetector(plan);
      memory.pace = paced(memory.pace, { waitingS: lengthOf(waiting), tookS, segmentS, detects });
      const step = {
        ...{ ...found, told: news.told, next: sequence + 1, sampling: memory.pace.sampling, skippedS, ended: false },
        observed: { sequence, data: encodeChunk(made.chunk) },
        forgetBefore: memory.places[0]!.sequence,
      };
      await settle(analysis, holder, step, news, memory.places);
      return 'more';
    },
  };
}

const lengthOf = (segments: readonly Segment[]) => segments.reduce((sum, { durationS }) => sum + durationS, 0);
