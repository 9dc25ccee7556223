import type { SoundClasses } from '../../observe/observations.ts';
import { RECOGNIZED_SOUNDS, type RecognizedSound, type SoundName } from '../../plan/index.ts';
import { round } from '../format.ts';
import { hysteresis, mergeGaps, type Span } from '../time/intervals.ts';
import { SOUND_RULES } from './sound-classes.ts';

/** A span of windows in which a sound was recognized, with its best window and that one's score. */
export type RecognizedInterval = Span & { best: number; score: number; reason: string };

/** Pauses of up to this many seconds belong to the sound: between barks, or the tones of an alarm. */
const PAUSE_S = 1.5;

export const isRecognizedSound = (sound: SoundName): sound is RecognizedSound =>
  RECOGNIZED_SOUNDS.some((each) => each === sound);

/** Score of a sound in each window, 0 to 1: that of its most certain class. */
export function scoresOf(sound: RecognizedSound, { offset, classIndex, score }: SoundClasses): Float32Array {
  const classes = new Set(Object.values(SOUND_RULES[sound].classes));
  const scores = new Float32Array(Math.max(0, offset.length - 1));
  for (let window = 0; window < scores.length; window++) {
    for (let at = offset[window]!; at < offset[window + 1]!; at++) {
      if (classes.has(classIndex[at]!)) scores[window] = Math.max(scores[window]!, score[at]! / 255);
    }
  }
  return scores;
}

/** Finds where a sound was recognized. */
export function findRecognized(sound: RecognizedSound, observed: SoundClasses): RecognizedInterval[] {
  const { threshold } = SOUND_RULES[sound];
  const scores = scoresOf(sound, observed);
  const times = scores.map((_, window) => window * observed.stepS);
  const spans = mergeGaps(hysteresis(scores, { enter: threshold, leave: threshold / 2 }), times, PAUSE_S);
  return spans.map((span) => {
    let best = span.from;
    for (let window = span.from; window <= span.to; window++) if (scores[window]! > scores[best]!) best = window;
    const score = scores[best]!;
    const reason = `the sound was recognized with a score of up to ${round(score, 2)} (threshold ${threshold})`;
    return { ...span, best, score, reason };
  });
}

/**
 * Time at which a window starts and ends as the interval of a sound: windows overlap by half, so each counts for the
 * middle half of its length.
 */
export const spanTimes = ({ from, to }: Span, { startS, stepS, windowS }: SoundClasses) => ({
  startS: startS + from * stepS + (windowS - stepS) / 2,
  endS: startS + to * stepS + (windowS + stepS) / 2,
});
