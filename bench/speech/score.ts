import { toSpokenWords } from '../../server/src/engine/find/speech/word-matcher.ts';

/** Words that were substituted, inserted or left out, and the number of words that are spoken. */
export function countErrors(spoken: string, recognized: string): { errors: number; words: number } {
  const [expected, actual] = [toSpokenWords(spoken), toSpokenWords(recognized)];
  let row = Array.from({ length: actual.length + 1 }, (_, i) => i);
  for (const [i, word] of expected.entries()) {
    const next = [i + 1];
    for (const [j, other] of actual.entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (word === other ? 0 : 1)));
    row = next;
  }
  return { errors: row.at(-1)!, words: expected.length };
}

const rms = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);

/** Adds a background, from its start and repeated, so that the clip is `snrDb` louder. */
export function addNoise(clip: Float32Array, background: Float32Array, snrDb: number): Float32Array {
  const gain = rms(clip) / 10 ** (snrDb / 20) / rms(background);
  return clip.map((sample, i) => sample + gain * background[i % background.length]!);
}
