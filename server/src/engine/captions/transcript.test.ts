import { expect, test } from 'vitest';
import { encodeObservation } from '../observe/encoding.ts';
import { speech } from '../observe/speech/observer.ts';
import { createTranscript } from '../observe/speech/transcriber.ts';
import { readTranscript } from './transcript.ts';

const video = { durationS: 30, width: 64, height: 36, timeBase: [1, 25] as [number, number], hasAudio: true };

function captionsOf(...segments: [startS: number, endS: number, text: string][]) {
  const transcript = createTranscript('made');
  for (const [startS, endS, text] of segments) transcript.addSegment({ startS, endS, text, confidence: 0.9 });
  return readTranscript(encodeObservation(speech, video, transcript.finish())).captions;
}

test('short segments are captions, and long ones are divided between words', () => {
  const words = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
  const [short, ...parts] = captionsOf([1, 2.5, 'Please stop.'], [4, 16, words]);
  expect(short).toEqual({ startS: 1, endS: 2.5, text: 'Please stop.' });
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.map(({ text }) => text).join(' ')).toBe(words);
  for (const [i, { startS, endS, text }] of parts.entries()) {
    expect(text.length).toBeLessThanOrEqual(84);
    expect(endS - startS).toBeGreaterThan(2);
    expect(startS).toBeCloseTo(i === 0 ? 4 : parts[i - 1]!.endS, 9);
  }
  expect(parts.at(-1)!.endS).toBeCloseTo(16, 9);
});

test('a word that is longer than a caption stays whole, and nothing spoken is no caption', () => {
  const long = 'a'.repeat(200);
  expect(captionsOf([0, 2, long]).map(({ text }) => text)).toEqual([long]);
  expect(captionsOf()).toEqual([]);
  expect(readTranscript(encodeObservation(speech, video, null))).toEqual({ captions: [], language: null });
});

test('the language is stated if the model detected it', () => {
  const transcript = createTranscript('made', { isMultilingual: true });
  transcript.addSegment({ startS: 0, endS: 4, text: 'Guten Tag.', confidence: 0.9, language: 'de' });
  transcript.addSegment({ startS: 5, endS: 6, text: 'Hello.', confidence: 0.9, language: 'en' });
  expect(readTranscript(encodeObservation(speech, video, transcript.finish()))).toMatchObject({ language: 'de' });
  const english = createTranscript('made');
  english.addSegment({ startS: 0, endS: 4, text: 'Goodbye.', confidence: 0.9 });
  expect(readTranscript(encodeObservation(speech, video, english.finish()))).toMatchObject({ language: null });
});
