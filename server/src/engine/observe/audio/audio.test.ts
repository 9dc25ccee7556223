import { expect, test } from 'vitest';
import { SAMPLE_RATE } from '../types.ts';
import { createAudioCollector } from './collector.ts';

const tone = (seconds: number, amplitude: number) =>
  Float32Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, at) => amplitude * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE),
  );

/** Adds samples in odd lengths, as decoders do. */
function collect(parts: [samples: Float32Array, timeS: number][], durationS = 10) {
  const observer = createAudioCollector(durationS);
  for (const [samples, timeS] of parts) {
    for (let at = 0; at < samples.length; at += 1021)
      observer.addSamples(samples.subarray(at, at + 1021), timeS + at / SAMPLE_RATE);
  }
  return observer.finish();
}

test('level and peak of each tenth of a second', () => {
  const sound = collect([
    [tone(1, 0.5), 0],
    [new Float32Array(SAMPLE_RATE), 1],
    [tone(0.25, 1), 2],
  ])!;
  expect(sound).toMatchObject({ startS: 0, stepS: 0.1 });
  expect(sound.levelDb).toHaveLength(23);
  for (let at = 0; at < 10; at++) {
    expect(sound.levelDb[at]).toBeCloseTo(20 * Math.log10(0.5 / Math.SQRT2), 1);
    expect(sound.peakDb[at]).toBeCloseTo(20 * Math.log10(0.5), 1);
    expect(sound.levelDb[10 + at]).toBe(-120);
  }
  expect(sound.levelDb.at(-1)).toBeCloseTo(-3, 1);
});

test('a gap is silence; jitter of timestamps is not a gap', () => {
  const withGap = collect([
    [tone(0.5, 0.5), 0],
    [tone(0.5, 0.5), 2.013],
  ])!;
  expect(withGap.levelDb).toHaveLength(26);
  expect([...withGap.levelDb.subarray(5, 20)]).toEqual(new Array(15).fill(-120));
  expect(withGap.levelDb[21]).toBeGreaterThan(-12);
  const jittered = collect([
    [tone(0.5, 0.5), 0],
    [tone(0.5, 0.5), 0.507],
  ])!;
  expect(Math.min(...jittered.levelDb)).toBeGreaterThan(-12);
});

test('silence precedes late audio; audio before the first frame is ignored', () => {
  const late = collect([[tone(0.5, 0.5), 0.3]])!;
  expect([...late.levelDb.subarray(0, 3)]).toEqual([-120, -120, -120]);
  expect(late.levelDb[3]).toBeGreaterThan(-12);
  const early = collect([
    [new Float32Array(SAMPLE_RATE / 2), -0.5],
    [tone(0.5, 0.5), 0],
  ])!;
  expect(early.levelDb).toHaveLength(5);
  expect(Math.min(...early.levelDb)).toBeGreaterThan(-12);
});

test('audio with a time days later takes no memory', () => {
  const sound = collect([
    [tone(0.2, 0.5), 0],
    [tone(0.2, 0.5), 1e9],
  ])!;
  expect(sound.levelDb).toHaveLength(2);
});

test('returns null without samples', () => {
  expect(createAudioCollector(10).finish()).toBeNull();
});
