import { setTimeout as sleep } from 'node:timers/promises';
import type { Media } from '#platform/media/index';
import type { Problem } from '#platform/problem';
import { LeaseLostError } from '../lease-lost.ts';
import { problems } from '../problems.ts';
import type { SourceReader } from '../sources/index.ts';
import type { RecordingGap } from '../types.ts';
import type { SegmentWriter } from './segment-writer.ts';

export type BackfillRequest = {
  writer: SegmentWriter;
  /** Opens the source at the end of the recording. */
  open: () => SourceReader;
  capture: Media['capture'];
  segmentS: number;
  stallS: number;
  /** Time of the requested end in Unix milliseconds. */
  endMs: number;
  /** The reason why nothing was recorded at that time; null if segments arrived. */
  problem: Problem | null;
  /** Time until which the source had published then, in Unix milliseconds; null if it states no times. */
  publishedMs: number | null;
  /** Time limit in seconds. */
  longestS: number;
  signal: AbortSignal;
};

/** A recording that ends this long before what the source has published is incomplete. */
const INCOMPLETE_MS = 10_000;
/** Shorter differences are no gap, as clocks are inexact. */
const GAP_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * Fetches segments that a session lacked when its end was requested, if the source still has them (HLS with times).
 * Returns the gap that remains at the end of the recording; null if there is none.
 */
export async function backfillRecording(request: BackfillRequest): Promise<RecordingGap | null> {
  const { writer, endMs, problem, publishedMs } = request;
  const before = writer.position();
  if (!before || (!problem && (publishedMs ?? 0) - before.untilMs < INCOMPLETE_MS)) return null;
  const isComplete = endMs - before.untilMs < GAP_MS || (await fetchMissing(request));
  request.signal.throwIfAborted();
  const { untilMs } = writer.position()!;
  if (isComplete || endMs - untilMs < GAP_MS) return null;
  const { message } = problem ?? problems.live_interrupted();
  return { sequence: writer.segmentCount(), fromAt: new Date(untilMs), untilAt: new Date(endMs), reason: message };
}

/** True if the recording has everything that the source had published at the requested end. */
async function fetchMissing(request: BackfillRequest): Promise<boolean> {
  const { writer, open, capture, segmentS, stallS, endMs, problem, signal } = request;
  const source = open();
  const timeout = AbortSignal.timeout(request.longestS * 1000);
  const stop = AbortSignal.any([timeout, signal]);
  let targetMs: number | null = null;
  const isComplete = () => targetMs !== null && writer.position()!.untilMs >= targetMs - GAP_MS;
  while (!stop.aborted) {
    const attempt = new AbortController();
    try {
      const input = await source.next(AbortSignal.any([stop, attempt.signal]));
      const publishedMs = source.publishedMs?.() ?? null;
      if (!input) return isComplete();
      // A source without times sends only what happens after the requested end.
      if (publishedMs === null || input.clockMs === null) return false;
      targetMs ??= Math.min(publishedMs, endMs);
      const untilMs = targetMs;
      if (isComplete() || input.clockMs >= untilMs) return true;
      const done = new AbortController();
      await capture(
        { ...input, ...writer.captureStart(), segmentS, stallS },
        {
          signal,
          stop: AbortSignal.any([timeout, done.signal]),
          onSegment: async (segment) => {
            if (segment.capturedMs < untilMs) await writer.write(segment, problem ?? problems.live_interrupted());
            if (segment.capturedMs + segment.durationS * 1000 >= untilMs - GAP_MS) done.abort();
          },
        },
      );
      if (isComplete()) return true;
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      await sleep(RETRY_MS, undefined, { signal: stop }).catch(() => {});
    } finally {
      attempt.abort();
    }
  }
  return isComplete();
}
