import { expect, test } from 'vitest';
import { SAMPLE_RATE } from '../observer.ts';
import { createSoundObserver } from './index.ts';

const tone = (seconds: number, amplitude: number) =>
  Float32Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, at) => amplitude * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE),
  );

/** Hands over samples in the odd lengths that decoders give. */
function take(parts: [samples: Float32Array, timeS: number][], durationS = 10) {
  const observer = createSoundObserver(durationS);
  for (const [samples, timeS] of parts) {
    for (let at = 0; at < samples.length; at += 1021)
      observer.take(samples.subarray(at, at + 1021), timeS + at / SAMPLE_RATE);
  }
  return observer.finish();
}

test('level and peak of each tenth of a second', () => {
  const sound = take([
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

test('a hole is silence, and time stamps that jitter make none', () => {
  const holed = take([
    [tone(0.5, 0.5), 0],
    [tone(0.5, 0.5), 2.013],
  ])!;
  expect(holed.levelDb).toHaveLength(26);
  expect([...holed.levelDb.subarray(5, 20)]).toEqual(new Array(15).fill(-120));
  expect(holed.levelDb[21]).toBeGreaterThan(-12);
  const jittered = take([
    [tone(0.5, 0.5), 0],
    [tone(0.5, 0.5), 0.507],
  ])!;
  expect(Math.min(...jittered.levelDb)).toBeGreaterThan(-12);
});

test('sound that starts late is preceded by silence, and what comes before the first frame is left out', () => {
  const late = take([[tone(0.5, 0.5), 0.3]])!;
  expect([...late.levelDb.subarray(0, 3)]).toEqual([-120, -120, -120]);
  expect(late.levelDb[3]).toBeGreaterThan(-12);
  const early = take([
    [new Float32Array(SAMPLE_RATE / 2), -0.5],
    [tone(0.5, 0.5), 0],
  ])!;
  expect(early.levelDb).toHaveLength(5);
  expect(Math.min(...early.levelDb)).toBeGreaterThan(-12);
});

test('sound that claims to come days later takes no memory', () => {
  const sound = take([
    [tone(0.2, 0.5), 0],
    [tone(0.2, 0.5), 1e9],
  ])!;
  expect(sound.levelDb).toHaveLength(2);
});

test('no samples are no sound', () => {
  expect(createSoundObserver(10).finish()).toBeNull();
});
