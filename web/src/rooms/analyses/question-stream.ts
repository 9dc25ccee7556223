import { useSyncExternalStore } from 'react';
import { sightline } from '#api/client.ts';
import { queries } from '#api/queries.ts';
import { type EventItem, fromPreliminary, fromStream, type SeenPart } from './types.ts';

/** Progress of one analysis of a question. `etaS`: seconds left; null while unknown. */
export type AnalysisProgress = { stage: string; percent: number; etaS: number | null };

/** State of a question, as reported by its stream. The keys of the maps are analysis ids. */
export type QuestionState = {
  interpretation: string | null;
  progress: ReadonlyMap<string, AnalysisProgress>;
  events: ReadonlyMap<string, readonly EventItem[]>;
  /** Events that may still change or be withdrawn. */
  preliminary: ReadonlyMap<string, readonly EventItem[]>;
  /** The part of the video that was seen so far. */
  seen: ReadonlyMap<string, SeenPart>;
  done: boolean;
  error: unknown;
};

const START: QuestionState = {
  interpretation: null,
  progress: new Map(),
  events: new Map(),
  preliminary: new Map(),
  seen: new Map(),
  done: false,
  error: null,
};

type Data = Record<string, unknown>;

/** The state after an event of the stream. */
export function reduceQuestion(state: QuestionState, kind: string, data: Data): QuestionState {
  const id = String(data.analysis_id);
  switch (kind) {
    case 'batch_created':
      return { ...state, interpretation: (data.interpretation as string | undefined) ?? null };
    case 'progress': {
      const { stage, progress, eta_s } = data as { stage: string; progress: number; eta_s?: number };
      return { ...state, progress: new Map(state.progress).set(id, { stage, percent: progress, etaS: eta_s ?? null }) };
    }
    case 'finding': {
      const events = [...(state.events.get(id) ?? []), fromStream(data.finding)];
      return { ...state, events: new Map(state.events).set(id, events) };
    }
    case 'preliminary': {
      const event = fromPreliminary(data.preliminary);
      return withPreliminary(state, id, event.id, event);
    }
    case 'preliminary_confirmed':
    case 'preliminary_withdrawn':
      return withPreliminary(state, id, String(data.preliminary_id), null);
    case 'preliminary_coverage': {
      const { until_s, duration_s } = data as { until_s: number | null; duration_s: number | null };
      if (until_s === null || duration_s === null) return state;
      return { ...state, seen: new Map(state.seen).set(id, { untilS: until_s, durationS: duration_s }) };
    }
    case 'video_completed': {
      const [progress, seen] = [new Map(state.progress), new Map(state.seen)];
      progress.delete(id);
      seen.delete(id);
      return { ...state, progress, seen };
    }
    case 'done':
      return { ...state, done: true };
    default:
      return state;
  }
}

/** The state after a preliminary event of an analysis was reported or changed; null: confirmed or withdrawn. */
function withPreliminary(
  state: QuestionState,
  analysisId: string,
  eventId: string,
  event: EventItem | null,
): QuestionState {
  const others = (state.preliminary.get(analysisId) ?? []).filter(({ id }) => id !== eventId);
  const events = [...others, ...(event ? [event] : [])].toSorted((a, b) => a.startS - b.startS);
  return { ...state, preliminary: new Map(state.preliminary).set(analysisId, events) };
}

/** Shortest time between two shown states: a question about many videos reports hundreds of events a second. */
const SHOW_MS = 150;

/** Follows one stream while somebody listens, and resumes after its last event when somebody listens again. */
class QuestionStream {
  /** The state that is shown. */
  state = START;
  /** The state after the last event. */
  #latest = START;
  #showing = 0;
  readonly #streamId: string;
  readonly #listeners = new Set<() => void>();
  #lastId = 0;
  #abort: AbortController | null = null;

  constructor(streamId: string) {
    this.#streamId = streamId;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#abort && !this.#latest.done) void this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#abort?.abort();
      this.#abort = null;
    };
  };

  #set(state: QuestionState): void {
    this.#latest = state;
    if (state.done || state.error !== null) this.#show();
    else this.#showing ||= window.setTimeout(() => this.#show(), SHOW_MS);
  }

  #show(): void {
    window.clearTimeout(this.#showing);
    this.#showing = 0;
    this.state = this.#latest;
    for (const listener of this.#listeners) listener();
  }

  async #follow(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const { signal } = abort;
      // A service that restarts is back within minutes; the reader of the page should not have to reload it.
      for await (const event of sightline.follow(this.#streamId, { lastId: this.#lastId, signal, maxReconnects: 60 })) {
        if (signal.aborted) return;
        this.#lastId = event.id;
        if (event.kind === 'video_completed' || event.kind === 'done') refresh(event.kind, event.data);
        this.#set(reduceQuestion({ ...this.#latest, error: null }, event.kind, event.data));
      }
    } catch (error) {
      if (!abort.signal.aborted) this.#set({ ...this.#latest, error });
    } finally {
      if (this.#abort === abort) this.#abort = null;
    }
  }
}

/** Refreshes the documents and lists that an ended analysis, or the end of the question, has changed. */
function refresh(kind: string, data: Data): void {
  const { video_id, analysis_id, batch_id } = data as { video_id?: string; analysis_id?: string; batch_id: string };
  if (kind === 'done') {
    void queries.invalidateQueries({ queryKey: ['batch', batch_id] });
    void queries.invalidateQueries({ queryKey: ['batches'] });
    return;
  }
  void queries.invalidateQueries({ queryKey: ['analysis', video_id, analysis_id] });
  void queries.invalidateQueries({ queryKey: ['analyses', video_id] });
  refreshSoon(batch_id);
}

const REFRESH_MS = 2_000;
const waiting = new Set<string>();

/** A question about a thousand videos ends an analysis many times a second. */
function refreshSoon(batchId: string): void {
  if (waiting.has(batchId)) return;
  waiting.add(batchId);
  setTimeout(() => {
    waiting.delete(batchId);
    void queries.invalidateQueries({ queryKey: ['batch', batchId] });
  }, REFRESH_MS);
}

const streams = new Map<string, QuestionStream>();

function streamOf(streamId: string): QuestionStream {
  const stream = streams.get(streamId) ?? new QuestionStream(streamId);
  streams.set(streamId, stream);
  return stream;
}

const nothing = { subscribe: () => () => {}, state: START };

/** The live state of a question; undefined follows nothing. */
export function useQuestionStream(streamId: string | undefined): QuestionState {
  const stream = streamId ? streamOf(streamId) : nothing;
  return useSyncExternalStore(stream.subscribe, () => stream.state);
}
