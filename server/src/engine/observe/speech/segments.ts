import { deflateSync } from 'node:zlib';
import { cleanRecognized, hasWord } from './clean-text.ts';
import { TIME_STEP_S, type Tokenizer } from './tokenizer.ts';
import type { Recognized } from './whisper.ts';

/** Words with their time in an utterance, in seconds. */
export type SpokenSegment = { startS: number; endS: number; text: string; confidence: number };

/** Above this probability of silence and below this mean logarithm of probability, nothing is spoken. */
export const NO_SPEECH = 0.6;
const UNLIKELY = -1;
/** Text that compresses better repeats itself: the model has got into a loop. */
const LOOP_RATIO = 2.4;

/** Divides recognized tokens at their time marks. What is no speech has no segments. `durationS`: of the utterance. */
export function toSegments(
  { tokens, logProbabilities, noSpeech }: Recognized,
  { decode, firstTime }: Pick<Tokenizer, 'decode' | 'firstTime'>,
  durationS: number,
): SpokenSegment[] {
  const mean = meanOf(logProbabilities);
  if (noSpeech > NO_SPEECH && mean < UNLIKELY) return [];
  if (isLoop(decode(tokens))) return [];
  const segments: SpokenSegment[] = [];
  let startS = 0;
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (token !== undefined && token < firstTime) continue;
    const timeS = token === undefined ? durationS : Math.min(durationS, (token - firstTime) * TIME_STEP_S);
    const text = cleanRecognized(decode(tokens.slice(from, at)));
    if (hasWord(text) && timeS > startS)
      segments.push({ startS, endS: timeS, text, confidence: Math.exp(meanOf(logProbabilities.slice(from, at))) });
    startS = timeS;
    from = at + 1;
  }
  return segments;
}

function isLoop(text: string): boolean {
  if (text.length === 0) return false;
  // The letters of some scripts begin with the same bytes, so that all of their texts compress well.
  const isLatin = Buffer.byteLength(text) < 1.5 * text.length;
  const bytes = Buffer.from(text, isLatin ? 'utf8' : 'utf16le');
  return bytes.length / deflateSync(bytes).length > LOOP_RATIO;
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
