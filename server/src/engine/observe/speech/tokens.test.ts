import { describe, expect, test } from 'vitest';
import { pickToken } from './pick-token.ts';
import { toSegments } from './segments.ts';

/** Ten tokens of text, the end, and the time marks. */
const END = 10;
const TIME = 11;
const TOKENS = { endOfText: END, firstTime: TIME, size: TIME + 1_501 };
const at = (seconds: number) => TIME + Math.round(seconds / 0.02);

/** Logits in which each given token is more probable than the one after it. */
function logitsFor(...tokens: number[]): Float32Array {
  const logits = new Float32Array(TOKENS.size).fill(-50);
  for (const [i, token] of tokens.entries()) logits[token] = 10 - i;
  return logits;
}
const pick = (tokens: number[], ...likely: number[]) => pickToken(logitsFor(...likely), tokens, TOKENS);

describe('the next token', () => {
  test('is first a time within the first second', () => {
    expect(pick([], 3, at(5), at(0.4))).toBe(at(0.4));
  });
  test('after an opening time is text or the end', () => {
    expect(pick([at(0)], at(1), 3)).toBe(3);
    expect(pick([at(0), 3, at(2), at(2)], at(3), END)).toBe(END);
  });
  test('after a closing time is the next time or the end', () => {
    expect(pick([at(0), 3, at(2)], 4, at(1), at(2))).toBe(at(2));
    expect(pick([at(0), 3, at(2)], 4, END, at(3))).toBe(END);
  });
  test('is never an earlier time', () => {
    expect(pick([at(0), 3, at(2), at(2), 4], at(1), at(2), at(3))).toBe(at(3));
  });
  test('is a time if all times together are more probable than any text', () => {
    const logits = logitsFor(3);
    for (let time = at(1); time < at(2); time++) logits[time] = 8;
    expect(pickToken(logits, [at(0), 2], TOKENS)).toBe(at(1));
  });
});

describe('segments', () => {
  const WORDS = [' Stop', ' the', ' car', ' [', 'Music', ']', ' (', 'coughs', ')', ' ♪'];
  const segmentsOf = (tokens: number[], { noSpeech = 0, logProbability = -0.1, words = WORDS } = {}) => {
    const decode = (each: readonly number[]) => each.map((token) => words[token] ?? '').join('');
    const logProbabilities = tokens.map(() => logProbability);
    return toSegments({ tokens, logProbabilities, noSpeech }, { decode, firstTime: TIME }, 8);
  };

  test('are divided at their times, within the utterance', () => {
    expect(segmentsOf([at(0.5), 0, 1, 2, at(2), at(3), 0, at(30)])).toEqual([
      { startS: 0.5, endS: 2, text: 'Stop the car', confidence: expect.closeTo(Math.exp(-0.1), 5) },
      { startS: 3, endS: 8, text: 'Stop', confidence: expect.any(Number) },
    ]);
    expect(segmentsOf([at(1), 0, 1])).toMatchObject([{ startS: 1, endS: 8, text: 'Stop the' }]);
  });
  test('have no descriptions of noise', () => {
    expect(segmentsOf([at(0), 3, 4, 5, 0, 6, 7, 8, at(4)])).toMatchObject([{ text: 'Stop' }]);
    expect(segmentsOf([at(0), 3, 4, 5, at(2), at(2), 9, at(4)])).toEqual([]);
  });
  test('are left out if nothing is spoken, or the model repeats itself', () => {
    expect(segmentsOf([at(0), 0, at(2)], { noSpeech: 0.9, logProbability: -2 })).toEqual([]);
    expect(segmentsOf([at(0), 0, at(2)], { noSpeech: 0.9 })).toHaveLength(1);
    expect(segmentsOf([at(0), ...Array.from({ length: 60 }, () => [0, 1, 2]).flat(), at(2)])).toEqual([]);
  });
  test('of other scripts have no noise in their brackets, and are no loops because their letters share bytes', () => {
    const textOf = (...words: string[]) =>
      segmentsOf([at(0), ...words.keys(), at(8)], { words }).map(({ text }) => text);
    expect(textOf('（笑）', 'はい', '【音楽】')).toEqual(['はい']);
    const tamil =
      'இன்று நாம் நகரங்களின் வளர்ச்சி பற்றியும் மக்கள் ஏன் கிராமங்களிலிருந்து நகரங்களுக்கு வருகிறார்கள் என்பது பற்றியும் பேசப் போகிறோம்';
    expect(textOf(tamil)).toEqual([tamil]);
    expect(textOf('ขอบคุณครับ '.repeat(20))).toEqual([]);
  });
});
