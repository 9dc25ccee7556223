import { SAMPLE_RATE } from '../types.ts';
import { STEP } from './voice-activity.ts';

/** Longest utterance in seconds; longer speech is cut where the voice is weakest. */
export const MAX_UTTERANCE_S = 12;
const STEP_S = STEP / SAMPLE_RATE;
const MAX_STEPS = Math.floor(MAX_UTTERANCE_S / STEP_S);
/** A voice begins and ends at these probabilities. */
const ENTER = 0.5;
const LEAVE = 0.35;
/** Pause that ends an utterance, and audio before the first sound of it, in steps. */
const PAUSE = Math.round(0.5 / STEP_S);
const LEAD = Math.round(0.2 / STEP_S);
/** Shorter voices are clicks. */
const MIN_VOICE = Math.round(0.2 / STEP_S);
/** The last part of an utterance in which it may be cut. */
const CUT = Math.round(4 / STEP_S);

/** Audio with a voice: from a pause to the next one. */
export type Utterance = {
  samples: Float32Array;
  startS: number;
  /** When the voice is heard, in seconds. */
  voiceStartS: number;
  voiceEndS: number;
};

export type Utterances = {
  /** Takes the next step of `STEP` samples, null for silence, with the probability of a voice in it. */
  addStep(samples: Float32Array | null, probability: number): Promise<void>;
  finish(): Promise<void>;
};

/**
 * Cuts audio into utterances at pauses. Keeps at most one utterance in memory: `onUtterance` gets each as soon as it
 * ends.
 */
export function createUtterances(onUtterance: (utterance: Utterance) => Promise<void>): Utterances {
  const buffer = new Float32Array(MAX_STEPS * STEP);
  const probabilities: number[] = [];
  /** Index of the first step in the buffer. */
  let first = 0;
  let isVoice = false;
  /** Step in the buffer at which the voice begins, and the one after its last sound. */
  let voiceFrom = 0;
  let voiceUntil = 0;

  /** Drops the first steps of the buffer. */
  function drop(steps: number): void {
    buffer.copyWithin(0, steps * STEP, probabilities.length * STEP);
    probabilities.splice(0, steps);
    first += steps;
    voiceFrom = Math.max(0, voiceFrom - steps);
    voiceUntil = Math.max(0, voiceUntil - steps);
  }

  /** Passes the first steps of the buffer on, unless there is hardly a voice in them. */
  async function emit(steps: number): Promise<void> {
    const until = Math.min(voiceUntil, steps);
    const utterance: Utterance = {
      samples: buffer.slice(0, steps * STEP),
      startS: first * STEP_S,
      voiceStartS: (first + voiceFrom) * STEP_S,
      voiceEndS: (first + until) * STEP_S,
    };
    const isLong = until - voiceFrom >= MIN_VOICE;
    drop(steps);
    if (isLong) await onUtterance(utterance);
  }

  return {
    async addStep(samples, probability) {
      const at = probabilities.length * STEP;
      if (samples) buffer.set(samples, at);
      else buffer.fill(0, at, at + STEP);
      probabilities.push(probability);
      const length = probabilities.length;
      if (!isVoice && probability >= ENTER) {
        isVoice = true;
        voiceFrom = length - 1;
      }
      if (!isVoice) {
        if (length > LEAD) drop(length - LEAD);
        return;
      }
      if (probability >= LEAVE) voiceUntil = length;
      if (length - voiceUntil >= PAUSE) {
        isVoice = false;
        await emit(length);
      } else if (length === MAX_STEPS) {
        const weakest = probabilities.slice(-CUT).reduce((best, p, i, all) => (p < all[best]! ? i : best), 0);
        await emit(length - CUT + weakest + 1);
      }
    },
    async finish() {
      if (isVoice) await emit(probabilities.length);
    },
  };
}
