import { setTimeout as sleep } from 'node:timers/promises';
import type { Media } from '#platform/media/index';
import { NOTHING_OBSERVED } from '../observe/observers.ts';
import type { Plan } from '../plan/index.ts';
import {
  type CallLedger,
  CLIP_STEP_S,
  createReliability,
  type FrameSource,
  selectQuestions,
  type VideoFrame,
  type VisionProfiles,
} from '../vision/index.ts';
import type { ObservedSegment } from './observed-segment.ts';
import type { StreamSighting } from './sightings.ts';

/**
 * Shows chunks of one stream to a vision-language model, one at a time, beside the analysis, which never waits for it.
 * A chunk is shown if something changed since the last one, and not more often on average than the interval allows: a
 * quiet stream saves up calls, so that the first chunks with a change are shown at once.
 */
export interface ModelLook {
  /** Starts a call about this chunk if one is due. `startS` is its start, in seconds of the stream. */
  consider(plan: Plan, segment: ObservedSegment, path: string, startS: number): Promise<void>;
  /** Returns the sightings since the last call. */
  collect(): StreamSighting[];
  /** Waits for a running call, some seconds at most. */
  settle(): Promise<void>;
}

export type ModelLookDeps = {
  media: Pick<Media, 'frameImage' | 'pictureClip'>;
  looks: Pick<VisionProfiles, 'get'>;
  ledger: CallLedger;
  signal: AbortSignal;
  /** Longest time that `settle` waits, in milliseconds. */
  settleMs?: number;
};

/** Mean time between two calls for each part of the prompt, in seconds of the stream: 0.3 M tokens an hour. */
const INTERVAL_S = 10;
/** Calls that are saved up at most. */
const MAX_SAVED = 4;
/** Intervals without a sighting after which an event has ended. */
const HOLD = 2.5;
/** A still image is looked at again after this time. */
const STILL_S = 60;
const FRAMES = 6;
const SETTLE_MS = 10_000;

export function createModelLook({ media, looks, ledger, signal, settleMs = SETTLE_MS }: ModelLookDeps): ModelLook {
  let running: Promise<void> | null = null;
  /** Start of the latest chunk, and of the latest one that was shown. */
  let chunkS: number | null = null;
  let lastS = Number.NEGATIVE_INFINITY;
  let saved = MAX_SAVED;
  let hasChanged = true;
  let last: StreamSighting | null = null;
  const found: StreamSighting[] = [];
  const reliability = createReliability();

  return {
    async consider(plan, segment, path, startS) {
      const look = looks.get();
      const questions = selectQuestions(plan);
      if (!look || questions.length === 0) return;
      hasChanged ||= isChange(segment);
      const untilS = startS + segment.video.durationS;
      const intervalS = INTERVAL_S * questions.length;
      const range = { fromS: startS, untilS, by: look.search.name, holdS: HOLD * intervalS };
      saved = Math.min(MAX_SAVED, saved + Math.max(0, startS - (chunkS ?? startS)) / intervalS);
      chunkS = startS;
      const isSame = last !== null && questions.every(({ text }) => last!.states.some((each) => each.text === text));
      if (running) return;
      if (!hasChanged && isSame && startS - lastS < STILL_S) {
        // Nothing moved: what was seen is still there.
        found.push({ ...range, states: last!.states, reason: last!.reason });
        return;
      }
      if (saved < 1) return;
      const frames = framesOf(segment);
      const drawn = new Map<number, Buffer>();
      try {
        for (const { timeS } of frames)
          drawn.set(timeS, await media.frameImage(path, { timeS, maxSide: MAX_SIDE, signal }));
      } catch {
        // A chunk that cannot be drawn is analyzed all the same.
        return signal.throwIfAborted();
      }
      const source: FrameSource = {
        frame: async (timeS) => drawn.get(timeS)!,
        clip: (images) => media.pictureClip(images, { stepS: CLIP_STEP_S, signal }),
        sheet: () => Promise.reject(new Error('a chunk has no contact sheets')),
      };
      [lastS, hasChanged] = [startS, false];
      saved--;
      const observations = { ...NOTHING_OBSERVED, video: segment.video, signals: segment.signals };
      running = look.search
        .gate(questions, frames, { observations, source, ledger, signal, reliability })
        .then(
          (verdict) => {
            last = { ...range, ...verdict };
            found.push(last);
          },
          // Aborted: nobody waits for it.
          () => {},
        )
        .finally(() => {
          running = null;
        });
    },
    collect: () => found.splice(0),
    async settle() {
      if (running) await Promise.race([running, sleep(settleMs, undefined, { ref: false })]);
    },
  };
}

/** Longest side of the frames in pixels. */
const MAX_SIDE = 768;
/** Signs of a change, from which on a chunk is worth a call. */
const CHANGE = { cut: 5, localMotion: 0.005, global: 0.02, difference: 6 };

function isChange({ signals }: ObservedSegment): boolean {
  const { cut, localMotion, globalX, globalY, difference } = signals;
  const isAny = (values: Float32Array, limit: number) => values.some((value) => Math.abs(value) >= limit);
  return (
    isAny(cut, CHANGE.cut) ||
    isAny(localMotion, CHANGE.localMotion) ||
    isAny(globalX, CHANGE.global) ||
    isAny(globalY, CHANGE.global) ||
    isAny(difference, CHANGE.difference)
  );
}

/** Frames of a chunk, spread evenly. */
function framesOf({ signals, video }: ObservedSegment): VideoFrame[] {
  const own = [...signals.timeS.keys()].filter((i) => signals.timeS[i]! >= 0 && signals.timeS[i]! < video.durationS);
  const chosen = Array.from({ length: Math.min(FRAMES, own.length) }, (_, k) => {
    const at = own[Math.floor(((k + 0.5) * own.length) / Math.min(FRAMES, own.length))]!;
    return { timeS: signals.timeS[at]!, pts: signals.pts[at]! };
  });
  return chosen;
}
