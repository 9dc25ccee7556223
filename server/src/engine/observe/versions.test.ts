import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { encode } from './encoding.ts';
import { glance, stillsOf } from './glance/observer.ts';
import { sightingsOf } from './glance/sightings.ts';
import { NO_STEP } from './objects/camera.ts';
import { CLASSES } from './objects/classes.ts';
import { COLORS, countColors, exposureOf } from './objects/colors.ts';
import { objects } from './objects/observer.ts';
import { createThings } from './objects/things.ts';
import { cellsOf, NUMBERS, readOutput } from './objects/yolox.ts';
import type { VideoFacts } from './observer.ts';
import { OBSERVERS } from './observers.ts';
import { createSignalsObserver } from './signals/index.ts';
import { signals } from './signals/observer.ts';
import { noise, panned } from './signals/pictures.fixture.ts';
import { createSoundObserver } from './sound/index.ts';
import { sound } from './sound/observer.ts';
import { createTelemetry } from './telemetry/columns.ts';
import { telemetry } from './telemetry/observer.ts';
import { createTriageObserver } from './triage/index.ts';
import { triage } from './triage/observer.ts';

/**
 * What each version's observer makes of a made-up video. When a test here fails, results have changed: raise its `version` in `observer.ts` and put the new digest
 * here, so that stored observations are made anew.
 */
const DIGESTS: Record<string, string> = {
  'triage-3': 'e3b7bf2137c58b8b',
  'signals-10': '941269b2a0860615',
  'telemetry-2': 'c8f147b70b529948',
  'sound-1': 'c7f7631f10b94d77',
  'glance-4': 'c1b830ef8167a87c',
  'objects-12': '9e8d44b57099772a',
};

const video: VideoFacts = { durationS: 4, width: 416, height: 416, timeBase: [1, 25], hasAudio: true };
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

test('signals', () => {
  const observer = createSignalsObserver();
  const scenes = [noise(1, 12), noise(2, 30)] as const;
  for (let n = 0; n < 60; n++) {
    const scene = scenes[n < 40 ? 0 : 1];
    const picture = panned(scene, 40 + 0.7 * n, 50 + (n % 7), 1 + n * 0.004).map((pixel) => pixel >> (n > 50 ? 3 : 0));
    observer.take(picture, n / 25, n);
  }
  expect(digest(encode(signals, video, observer.finish()))).toBe(DIGESTS[signals.version]);
});

test('triage', () => {
  const observer = createTriageObserver();
  for (let n = 0; n < 60; n++) {
    observer.packet({ timeS: (n ^ 1) / 5, bytes: 40 * ((n * 31) % 17) + 9, keyframe: n % 10 === 0 });
    if (n % 10 === 0) observer.take({ data: panned(noise(1, 12), 40 + n, 50), timeS: n / 5, pts: n, keyframe: true });
  }
  expect(digest(encode(triage, video, observer.finish()))).toBe(DIGESTS[triage.version]);
});

test('sound', () => {
  const observer = createSoundObserver(4);
  const samples = Float32Array.from({ length: 40_000 }, (_, at) => (((at * 7919) % 2001) / 1000 - 1) * (at / 40_000));
  observer.take(samples, 0);
  observer.take(samples, 3);
  expect(digest(encode(sound, video, observer.finish()))).toBe(DIGESTS[sound.version]);
});

test('telemetry', () => {
  const samples = Array.from({ length: 200 }, (_, i) => ({
    timeS: i / 10 + (i > 150 ? 5 : 0),
    ...(i % 7 === 0 ? { speedMps: 10 + 3 * Math.sin(i / 20) } : {}),
    latitude: Math.round(48e6 + i * 12) / 1e6,
    longitude: Math.round(11e6 + i * i) / 1e6,
  }));
  const reading = { telemetry: createTelemetry('made', samples), reason: null };
  expect(digest(encode(telemetry, video, reading))).toBe(DIGESTS[telemetry.version]);
});

/** Pictures seconds apart in which things of several classes stay and go. */
test('glance', () => {
  const observer = createSignalsObserver();
  const looks = Array.from({ length: 6 }, (_, n) => {
    observer.take(panned(noise(1, 12), 40 + 9 * n, 50), 2 * n, n);
    observer.takeColor(new Uint8Array(32 * 18 * 3).fill(40 * n), 2 * n);
    const at = (x0: number, classIndex: number, score: number) => ({
      classIndex,
      score,
      x0,
      y0: 0.3,
      x1: x0 + 0.2,
      y1: 0.7,
    });
    const detections = [at(0.1 + 0.02 * n, 0, 0.9), at(0.15 * n, 2, 0.4 + 0.1 * n)];
    const colors = Float32Array.from({ length: 2 * COLORS.length }, (_, k) => (k * 7) % 5);
    return { detections, colors };
  });
  const seen = stillsOf(observer.finish());
  const { timeS, pts } = seen;
  const tracks = sightingsOf(looks);
  expect(tracks.length).toBeGreaterThan(2);
  const objects = { model: 'made', classes: [...CLASSES], timeS, pts, tracks };
  const heard = createSoundObserver(12);
  heard.take(
    Float32Array.from({ length: 40_000 }, (_, at) => ((at * 7919) % 2001) / 1000 - 1),
    0,
  );
  const observation = { signals: seen, objects, sound: heard.finish(), quiet: [{ startS: 4, endS: 8 }] };
  expect(digest(encode(glance, video, observation))).toBe(DIGESTS[glance.version]);
});

test('objects', () => {
  const picture = { width: 416, height: 416 };
  const rgb = new Uint8Array(416 * 416 * 3).map((_, at) => (at * 31) ^ (at >> 9));
  const looks = Array.from({ length: 20 }, (_, n) => {
    const output = new Float32Array(cellsOf(picture) * NUMBERS);
    for (const [k, classIndex] of [0, 2, 7, 2].entries()) {
      const cell = (52 * 52 + (4 + 5 * k) * 26 + (((k + 1) * n) % 26)) * 85;
      output.set([0.3, 0.6, 1 + 0.02 * n, 1.5, n % 6 === k ? 0.2 : 0.9], cell);
      output[cell + 5 + classIndex] = 0.9;
    }
    return {
      timeS: n / 5,
      camera: { ...NO_STEP, shiftX: 0.001 * n },
      cut: n === 15,
      moving: n < 8 ? [{ x0: 0.1 * n, y0: 0.8, x1: 0.1 * n + 0.2, y1: 1 }] : [],
      detections: readOutput(output, picture),
    };
  });
  const colors = looks.map(({ detections }) => {
    const shares = new Float32Array(detections.length * COLORS.length);
    detections.forEach((box, at) => {
      shares.set(countColors({ ...picture, rgb }, box, exposureOf({ rgb })), at * COLORS.length);
    });
    return shares;
  });
  const things = createThings();
  for (const [at, look] of looks.entries()) things.take(look, colors[at]!);
  const tracks = things.finish();
  expect(tracks.length).toBeGreaterThan(2);
  const timeS = Float64Array.from(looks, (look) => look.timeS);
  const observation = { model: 'made', classes: [...CLASSES], timeS, pts: timeS, tracks };
  expect(digest(encode(objects, video, observation))).toBe(DIGESTS[objects.version]);
});

test('every observer is held to its version', () => {
  expect(OBSERVERS.map(({ version }) => version).filter((version) => !(version in DIGESTS))).toEqual([]);
});
