import { setTimeout as sleep } from 'node:timers/promises';
import type { Media } from '#platform/media/index';
import type { Problem } from '#platform/problem';
import type { Recording } from './keep.ts';
import { Lost } from './lost.ts';
import { problems } from './problems.ts';
import type { Source } from './source.ts';
import type { Gap } from './types.ts';

export type CatchUp = {
  recording: Recording;
  /** Opens the source where the recording ends. */
  open: () => Source;
  capture: Media['capture'];
  segmentS: number;
  stallS: number;
  /** When the session was asked to end, in milliseconds of the epoch. */
  endMs: number;
  /** Why nothing was recorded when it was; null when the stream came. */
  trouble: Problem | null;
  /** Until when the source had published by then, where it says so. */
  publishedMs: number | null;
  /** Longest time that it takes, in seconds. */
  longestS: number;
  /** Ends it at once. */
  signal: AbortSignal;
};

/** A recording that ends this much before what the source has published is incomplete. */
const BEHIND_MS = 10_000;
/** Less than this is no gap: clocks are not exact. */
const GAP_MS = 1_000;
const PAUSE_MS = 1_000;

/**
 * Fetches what a session lacked when it was asked to end, of a source that still has it: HLS that tells times. Returns what stays missing, as the gap at the end of the
 * recording; null where nothing does.
 */
export async function completeRecording(request: CatchUp): Promise<Gap | null> {
  const { recording, endMs, trouble, publishedMs } = request;
  const before = recording.recorded();
  if (!before || (!trouble && (publishedMs ?? 0) - before.untilMs < BEHIND_MS)) return null;
  const isComplete = endMs - before.untilMs < GAP_MS || (await fetchRest(request));
  request.signal.throwIfAborted();
  const { untilMs } = recording.recorded()!;
  if (isComplete || endMs - untilMs < GAP_MS) return null;
  const { message } = trouble ?? problems.live_interrupted();
  return { sequence: recording.segments(), fromAt: new Date(untilMs), untilAt: new Date(endMs), reason: message };
}

/** Whether the recording has all that the source had published when it was asked. */
async function fetchRest(request: CatchUp): Promise<boolean> {
  const { recording, open, capture, segmentS, stallS, endMs, trouble, signal } = request;
  const source = open();
  const late = AbortSignal.timeout(request.longestS * 1000);
  const either = AbortSignal.any([late, signal]);
  let targetMs: number | null = null;
  const hasAll = () => targetMs !== null && recording.recorded()!.untilMs >= targetMs - GAP_MS;
  while (!either.aborted) {
    const trying = new AbortController();
    try {
      const stretch = await source.next(AbortSignal.any([either, trying.signal]));
      const publishedMs = source.publishedMs?.() ?? null;
      if (!stretch) return hasAll();
      // What another kind of source sends now was not sent before the end.
      if (publishedMs === null || stretch.clockMs === null) return false;
      targetMs ??= Math.min(publishedMs, endMs);
      const untilMs = targetMs;
      if (hasAll() || stretch.clockMs >= untilMs) return true;
      const done = new AbortController();
      await capture(
        { ...stretch, ...recording.place(), segmentS, stallS },
        {
          signal,
          stop: AbortSignal.any([late, done.signal]),
          onSegment: async (segment) => {
            if (segment.capturedMs < untilMs) await recording.keep(segment, trouble ?? problems.live_interrupted());
            if (segment.capturedMs + segment.durationS * 1000 >= untilMs - GAP_MS) done.abort();
          },
        },
      );
      if (hasAll()) return true;
    } catch (error) {
      if (error instanceof Lost) throw error;
      await sleep(PAUSE_MS, undefined, { signal: either }).catch(() => {});
    } finally {
      trying.abort();
    }
  }
  return hasAll();
}
