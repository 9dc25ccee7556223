import { expect, test } from 'vitest';
import { Problem } from '#platform/problem';
import { audio as soundObserver } from './audio/observer.ts';
import { decodeObservation } from './decode-observation.ts';
import { decodeObservations, encodeObservation } from './encoding.ts';
import { objects as objectsObserver } from './objects/observer.ts';
import type { AudioLevels, Objects, Signals, VideoFacts } from './observations.ts';
import { NOTHING_OBSERVED } from './observers.ts';
import { signals as signalsObserver } from './signals/observer.ts';

const video: VideoFacts = { durationS: 2.08, width: 640, height: 480, timeBase: [1, 12_800], hasAudio: true };

const ramp = (length: number, step: number) => Float32Array.from({ length }, (_, index) => index * step);

const signals: Signals = {
  timeS: Float64Array.of(0, 0.04, 0.08),
  pts: Float64Array.of(1024, 1536, 2048),
  luma: ramp(3, 60),
  contrast: ramp(3, 10),
  dark: ramp(3, 0.1),
  bright: ramp(3, 0.2),
  colorTimeS: Float64Array.of(0),
  red: ramp(1, 90),
  green: ramp(1, 100),
  blue: ramp(1, 110),
  chroma: ramp(1, 20),
  sharpness: ramp(3, 300),
  difference: ramp(3, 2),
  cut: ramp(3, 40),
  dissolve: ramp(3, 5),
  globalX: ramp(3, -0.5),
  globalY: ramp(3, 0.25),
  roll: ramp(3, 0.01),
  advance: ramp(3, 0.02),
  zoom: ramp(3, 0.01),
  localMotion: ramp(3, 0.3),
  // Shares of 15 blocks (one region) are stored exactly.
  regions: Float32Array.from({ length: 48 }, (_, index) => (index % 16) / 15),
  regionRows: 4,
  regionColumns: 4,
};

const objects: Objects = {
  model: 'yolox_nano 0123456789ab',
  classes: ['person', 'car'],
  timeS: Float64Array.of(0, 0.2, 0.4),
  pts: Float64Array.of(0, 2560, 5120),
  tracks: [1, 2].map((id) => ({
    id,
    className: id === 1 ? 'car' : 'person',
    colors: [{ name: 'red', share: 0.62 }],
    frame: Int32Array.from({ length: id }, (_, index) => index + id),
    x: ramp(id, 0.1),
    y: ramp(id, 0.2),
    width: ramp(id, 0.3),
    height: ramp(id, 0.4),
    score: ramp(id, 0.5),
    enteredFrom: 'left',
    leftTo: null,
    agreement: 0.75,
    stationary: [{ startS: 0.2, endS: 1.5 }],
  })),
};

const encodeSignals = () => encodeObservation(signalsObserver, video, signals);
const encodeObjects = (observation = objects) => encodeObservation(objectsObserver, { ...video }, observation);
const encodeSound = (observation: AudioLevels | null) => encodeObservation(soundObserver, video, observation);

test('observations are decoded as they were encoded', () => {
  expect(decodeObservation(signalsObserver, encodeSignals())).toEqual({ video, observation: signals });
  expect(decodeObservation(objectsObserver, encodeObjects())).toEqual({ video, observation: objects });
  const sound = { startS: 0, stepS: 0.1, levelDb: ramp(20, -3), peakDb: ramp(20, -1) };
  for (const observation of [sound, null])
    expect(decodeObservation(soundObserver, encodeSound(observation))).toEqual({ video, observation });
});

test('missing observations are null', () => {
  const all = decodeObservations(new Map([['objects', encodeObjects()]]));
  expect(all).toEqual({ ...NOTHING_OBSERVED, video, objects });
});

test('equal observations are equal bytes', () => {
  expect(encodeObjects()).toEqual(encodeObjects(structuredClone(objects)));
});

test('bytes may be at any offset in memory', () => {
  const bytes = encodeSignals();
  for (const offset of [1, 4, 7]) {
    const moved = Buffer.alloc(bytes.length + offset).subarray(offset);
    moved.set(bytes);
    expect(decodeObservation(signalsObserver, moved)).toEqual({ video, observation: signals });
  }
});

test('any damaged byte is detected and reported', () => {
  const bytes = encodeSignals();
  const refusal = (damaged: Uint8Array) => {
    try {
      decodeObservation(signalsObserver, damaged);
    } catch (error) {
      expect(error).toBeInstanceOf(Problem);
      expect((error as Problem).code).toBe('observation_damaged');
      return (error as Problem).message;
    }
    throw new Error('damaged bytes were accepted');
  };
  for (let at = 0; at < bytes.length; at += 5) {
    const damaged = Uint8Array.from(bytes);
    damaged[at]! ^= 0x10;
    refusal(damaged);
  }
  expect(refusal(bytes.subarray(0, bytes.length - 8))).toContain('truncated');
  expect(refusal(bytes.subarray(0, 10))).toContain('not an artifact');
  expect(refusal(new Uint8Array())).toContain('not an artifact');
  expect(refusal(encodeSound(null))).toContain('sound observations');
});
