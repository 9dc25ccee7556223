import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DIMENSIONS } from '../embeddings/index.ts';
import { createAudioCollector } from './audio/collector.ts';
import { audio } from './audio/observer.ts';
import { createEmbeddingsObserver } from './embeddings/embeddings-observer.ts';
import { embeddings } from './embeddings/observer.ts';
import { encodeObservation } from './encoding.ts';
import type { FileFacts } from './file/observation.ts';
import { file } from './file/observer.ts';
import { fineObjects, trackMissed } from './fine-objects/observer.ts';
import { createKeyframeCollector } from './keyframe-scan/collector.ts';
import { keyframeScan } from './keyframe-scan/observer.ts';
import { objectEmbeddings } from './object-embeddings/observer.ts';
import { selectViews } from './object-embeddings/select-views.ts';
import { createViewEmbedder } from './object-embeddings/view-embedder.ts';
import { objectsOf, trackedCars, trackOf } from './object-embeddings/views.fixture.ts';
import { CLASSES } from './objects/classes.ts';
import { estimateExposure, measureColorShares, SHARES_PER_BOX } from './objects/colors.ts';
import { countCells, decodeOutput, VALUES_PER_CELL } from './objects/detector/yolox.ts';
import { TRAFFIC_LIGHT, withLamp } from './objects/lit-lamp.ts';
import { objects } from './objects/observer.ts';
import { createTrackBuilder } from './objects/track-builder.ts';
import { IDENTITY_TRANSFORM } from './objects/tracker/camera-transform.ts';
import { OBSERVERS } from './observers.ts';
import { createInput, fillInput, squareAround } from './poses/crop-person.ts';
import { decodePose, OUTPUT_LENGTHS } from './poses/decode-output.ts';
import { poses } from './poses/observer.ts';
import { selectSamples } from './poses/select-samples.ts';
import { createSignalsCollector } from './signals/collector.ts';
import { noiseScene, renderScene } from './signals/frames.fixture.ts';
import { signals } from './signals/observer.ts';
import { createSoundClasses, sounds } from './sounds/observer.ts';
import { CLASS_COUNT } from './sounds/recognizer.ts';
import { createWindows } from './sounds/windows.ts';
import { clearMotion, sparsePass } from './sparse-pass/observer.ts';
import { buildTracks } from './sparse-pass/tracks.ts';
import { speech } from './speech/observer.ts';
import { createTranscript } from './speech/transcriber.ts';
import { createUtterances } from './speech/utterances.ts';
import { STEP } from './speech/voice-activity.ts';
import { subtitles } from './subtitles/observer.ts';
import { createChannels } from './telemetry/channels.ts';
import { telemetry } from './telemetry/observer.ts';
import { createTelemetry } from './telemetry/samples.ts';
import { text } from './text/observer.ts';
import { createTextObserver } from './text/text-observer.ts';
import type { TaskObserverContext, VideoFacts } from './types.ts';

/**
 * Digests of each observer's result on generated input. If a test here fails, results have changed: raise `version` in
 * the observer and update its digest, so that videos are observed again.
 */
const DIGESTS: Record<string, string> = {
  'keyframe-scan-3': 'e3b7bf2137c58b8b',
  'signals-10': '941269b2a0860615',
  'telemetry-5': 'edd61d0be99fcfcf',
  'sound-1': 'c7f7631f10b94d77',
  'sounds-1': '3e56b9184dcffb6b',
  'subtitles-1': '6be1996c7ad95c1b',
  'speech-1': '1085d3768eaceb88',
  'text-2': 'd8c66ab66ff004b0',
  'embeddings-1': '50794840e32609d4',
  'object-embeddings-1': 'fb75e1441111084f',
  'poses-1': '0d3c6417b395445b',
  'sparse-pass-8': 'f780f9b862bb480a',
  'fine-objects-2': '611ac50c023310c6',
  'file-1': '0792029f21e6ce01',
  'objects-16': '196103f151a69c57',
};

const video: VideoFacts = { durationS: 4, width: 416, height: 416, timeBase: [1, 25], hasAudio: true };
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

test('signals', () => {
  const observer = createSignalsCollector();
  const scenes = [noiseScene(1, 12), noiseScene(2, 30)] as const;
  for (let n = 0; n < 60; n++) {
    const scene = scenes[n < 40 ? 0 : 1];
    const picture = renderScene(scene, 40 + 0.7 * n, 50 + (n % 7), 1 + n * 0.004).map(
      (pixel) => pixel >> (n > 50 ? 3 : 0),
    );
    observer.addFrame(picture, n / 25, n);
  }
  expect(digest(encodeObservation(signals, video, observer.finish()))).toBe(DIGESTS[signals.version]);
});

test('subtitles', async () => {
  const file = Buffer.from(
    'WEBVTT\nLanguage: en\n\n00:01.000 --> 00:02.000\n<v Ann>Stop!\n\n00:03.000 --> 00:04.000\n(bell)\n',
  );
  const decoder = { metadataTracks: async () => [], readMetadataTrack: async () => {} };
  const input = { path: 'talk.mp4', video, subtitles: file, decoder } as unknown as TaskObserverContext;
  const { observation } = await subtitles.observe(input);
  expect(digest(encodeObservation(subtitles, video, observation))).toBe(DIGESTS[subtitles.version]);
});

test('text', async () => {
  const lines = [
    { box: { x0: 32, y0: 40, x1: 200, y1: 72 }, texts: ['STOP', 'STOP', 'ST0P', 'STOP'] },
    { box: { x0: 300, y0: 200, x1: 420, y1: 228 }, texts: ['12:00:01', '12:00:02', '12:00:03', 'blur'] },
  ];
  let frame = 0;
  const reader = {
    detect: async () => lines.map(({ box }) => box),
    recognize: async (_: unknown, { x0 }: { x0: number }) => {
      const { texts } = lines.find(({ box }) => box.x0 === x0)!;
      return { text: texts[frame]!, score: 0.9 - 0.05 * frame };
    },
    close: async () => {},
  };
  const { request, finish } = createTextObserver(reader, video, 'm');
  const size = request.width * request.height * 3;
  for (; frame < 4; frame++) {
    const data = Uint8Array.from({ length: size }, (_, at) => (Math.floor(at / 12) % 2) * (100 + 40 * frame));
    await request.onFrame({ data, timeS: frame, pts: frame, keyframe: false });
  }
  expect(digest(encodeObservation(text, video, finish()))).toBe(DIGESTS[text.version]);
});

test('embeddings', async () => {
  const embed = async ({ data }: { data: Uint8Array }) =>
    Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(at * (1 + data[0]!)));
  const { request, finish } = createEmbeddingsObserver(embed, video, 'made');
  const size = request.width * request.height * 3;
  for (const [timeS, level] of [10, 10, 90, 10].entries())
    await request.onFrame({ data: new Uint8Array(size).fill(level), timeS, pts: 12 * timeS, keyframe: false });
  const observation = finish();
  expect([...observation.timeS]).toEqual([0, 2, 3]);
  expect(digest(encodeObservation(embeddings, video, observation))).toBe(DIGESTS[embeddings.version]);
});

test('object embeddings', async () => {
  const embed = async ({ data }: { data: Uint8Array }) =>
    Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(at * (1 + data[0]!)));
  const found = trackedCars();
  const { takeFrame, finish } = createViewEmbedder(embed, selectViews(found, video), { model: 'made', objects: found });
  for (const [at, pts] of found.pts.entries())
    await takeFrame({ width: 416, height: 416, data: new Uint8Array(3 * 416 ** 2).fill(60 * at), pts });
  expect(digest(encodeObservation(objectEmbeddings, video, finish()))).toBe(DIGESTS[objectEmbeddings.version]);
});

test('fine objects', () => {
  const detections = (x0: number) => [{ classIndex: 1, score: 0.6, x0, x1: x0 + 0.1, y0: 0.4, y1: 0.6 }];
  const shown = [0.1, 0.15, 0.2].map((x0) => ({ detections: detections(x0) }));
  const observation = trackMissed(trackedCars(), [0, 2, 3], shown, shown);
  expect(observation.tracks).toHaveLength(1);
  expect(digest(encodeObservation(fineObjects, video, observation))).toBe(DIGESTS[fineObjects.version]);
});

test('keyframe scan', () => {
  const observer = createKeyframeCollector();
  for (let n = 0; n < 60; n++) {
    observer.addPacket({ timeS: (n ^ 1) / 5, bytes: 40 * ((n * 31) % 17) + 9, keyframe: n % 10 === 0 });
    if (n % 10 === 0)
      observer.addKeyframe({ data: renderScene(noiseScene(1, 12), 40 + n, 50), timeS: n / 5, pts: n, keyframe: true });
  }
  expect(digest(encodeObservation(keyframeScan, video, observer.finish()))).toBe(DIGESTS[keyframeScan.version]);
});

test('sound', () => {
  const observer = createAudioCollector(4);
  const samples = Float32Array.from({ length: 40_000 }, (_, at) => (((at * 7919) % 2001) / 1000 - 1) * (at / 40_000));
  observer.addSamples(samples, 0);
  observer.addSamples(samples, 3);
  expect(digest(encodeObservation(audio, video, observer.finish()))).toBe(DIGESTS[audio.version]);
});

test('sounds', async () => {
  const collected = createSoundClasses('made');
  const windows = createWindows(4, async (samples) => {
    const scores = Float32Array.from({ length: CLASS_COUNT }, (_, index) => Math.abs(samples?.[index * 29] ?? 0) / 9);
    collected.addScores(samples && scores);
  });
  const samples = Float32Array.from({ length: 40_000 }, (_, at) => (((at * 7919) % 2001) / 1000 - 1) * (at / 40_000));
  await windows.addSamples(samples, 0);
  await windows.addSamples(samples, 3);
  await windows.finish();
  expect(digest(encodeObservation(sounds, video, collected.finish()))).toBe(DIGESTS[sounds.version]);
});

test('speech', async () => {
  const transcript = createTranscript('made');
  const utterances = createUtterances(async (utterance) => {
    transcript.addVoice(utterance);
    const text = `samples ${utterance.samples.length}`;
    transcript.addSegment({ startS: utterance.startS, endS: utterance.voiceEndS, text, confidence: 0.5 });
  });
  for (let step = 0; step < 900; step++)
    await utterances.addStep(new Float32Array(STEP), step % 100 < 60 || step > 400 ? 0.9 - (step % 7) / 50 : 0.1);
  await utterances.finish();
  expect(digest(encodeObservation(speech, video, transcript.finish()))).toBe(DIGESTS[speech.version]);
});

test('file', () => {
  const facts: FileFacts = {
    container: 'mp4',
    sizeBytes: 1000,
    codec: 'h264',
    pixelFormat: 'yuv420p',
    hdr: null,
    audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
    createdAt: '2026-01-02T03:04:05.000Z',
    camera: 'Maker Model',
  };
  expect(digest(encodeObservation(file, video, facts))).toBe(DIGESTS[file.version]);
});

test('telemetry', () => {
  const samples = Array.from({ length: 200 }, (_, i) => ({
    timeS: i / 10 + (i > 150 ? 5 : 0),
    ...(i % 7 === 0 ? { speedMps: 10 + 3 * Math.sin(i / 20) } : {}),
    latitude: Math.round(48e6 + i * 12) / 1e6,
    longitude: Math.round(11e6 + i * i) / 1e6,
  }));
  const timeS = samples.map((sample) => sample.timeS);
  const recorded = createChannels([{ name: 'battery_v', timeS, values: timeS.map((time) => 12 - time / 10) }])!;
  const reading = { telemetry: createTelemetry('made', samples), reason: null, recorded };
  expect(digest(encodeObservation(telemetry, video, reading))).toBe(DIGESTS[telemetry.version]);
});

/** Frames seconds apart in which objects of several classes stay and leave. */
test('sparse pass', () => {
  const observer = createSignalsCollector();
  const samples = Array.from({ length: 6 }, (_, n) => {
    observer.addFrame(renderScene(noiseScene(1, 12), 40 + 9 * n, 50), 2 * n, n);
    observer.addColorFrame(new Uint8Array(32 * 18 * 3).fill(40 * n), 2 * n);
    const at = (x0: number, classIndex: number, score: number) => ({
      classIndex,
      score,
      x0,
      y0: 0.3,
      x1: x0 + 0.2,
      y1: 0.7,
    });
    const detections = [at(0.1 + 0.02 * n, 0, 0.9), at(0.15 * n, 2, 0.4 + 0.1 * n)];
    const colors = Float32Array.from({ length: 2 * SHARES_PER_BOX }, (_, k) => (k * 7) % 5);
    return { detections, colors };
  });
  const seen = clearMotion(observer.finish());
  const { timeS, pts } = seen;
  const tracks = buildTracks(samples);
  expect(tracks.length).toBeGreaterThan(2);
  const objects = { model: 'made', classes: [...CLASSES], timeS, pts, tracks };
  const heard = createAudioCollector(12);
  heard.addSamples(
    Float32Array.from({ length: 40_000 }, (_, at) => ((at * 7919) % 2001) / 1000 - 1),
    0,
  );
  const observation = { signals: seen, objects, sound: heard.finish(), quiet: [{ startS: 4, endS: 8 }] };
  expect(digest(encodeObservation(sparsePass, video, observation))).toBe(DIGESTS[sparsePass.version]);
});

test('objects', () => {
  const picture = { width: 416, height: 416 };
  const rgb = new Uint8Array(416 * 416 * 3).map((_, at) => (at * 31) ^ (at >> 9));
  const [red, green] = [0, 1].map((lit) => rgb.map((value, at) => (at % 3 === lit ? 250 : value >> 3)));
  const samples = Array.from({ length: 20 }, (_, n) => {
    const output = new Float32Array(countCells(picture) * VALUES_PER_CELL);
    for (const [k, classIndex] of [0, 2, 7, 2, TRAFFIC_LIGHT].entries()) {
      const cell = (52 * 52 + (4 + 5 * k) * 26 + (((k + 1) * n) % 26)) * 85;
      output.set([0.3, 0.6, 1 + 0.02 * n, 1.5, n % 6 === k ? 0.2 : 0.9], cell);
      output[cell + 5 + classIndex] = 0.9;
    }
    return {
      timeS: n / 5,
      camera: { ...IDENTITY_TRANSFORM, shiftX: 0.001 * n },
      cut: n === 15,
      moving: n < 8 ? [{ x0: 0.1 * n, y0: 0.8, x1: 0.1 * n + 0.2, y1: 1 }] : [],
      detections: decodeOutput(output, picture).map((box) =>
        withLamp({ ...picture, rgb: (n < 10 ? red : green)! }, box),
      ),
    };
  });
  const colors = samples.map(({ detections }) => {
    const shares = new Float32Array(detections.length * SHARES_PER_BOX);
    detections.forEach((box, at) => {
      shares.set(measureColorShares({ ...picture, rgb }, box, estimateExposure({ rgb })), at * SHARES_PER_BOX);
    });
    return shares;
  });
  const builder = createTrackBuilder();
  for (const [at, sample] of samples.entries()) builder.add(sample, colors[at]!);
  const tracks = builder.finish();
  expect(tracks.length).toBeGreaterThan(2);
  expect(tracks.find(({ lit }) => lit)?.lit?.length).toBeGreaterThan(0);
  const timeS = Float64Array.from(samples, (sample) => sample.timeS);
  const observation = { model: 'made', classes: [...CLASSES], timeS, pts: timeS, tracks };
  expect(digest(encodeObservation(objects, video, observation))).toBe(DIGESTS[objects.version]);
});

test('poses', () => {
  const people = Array.from({ length: 3 }, (_, n) =>
    trackOf(
      n + 1,
      Array.from({ length: 20 + 5 * n }, (_each, k) => ({ frame: k, x: 0.2 + 0.01 * n * k, width: 0.1, height: 0.3 })),
      'person',
    ),
  );
  const samples = selectSamples(objectsOf(people, 0.2), { width: 1280, height: 720 });
  const input = createInput();
  const points = samples.flatMap(({ track, entry }, n) => {
    const picture = {
      width: 64,
      height: 48,
      data: new Uint8Array(64 * 48 * 3).map((_, at) => (at * (7 + n)) ^ (at >> 5)),
    };
    const { x, y, width, height } = track;
    const box = { x: x[entry]!, y: y[entry]!, width: width[entry]!, height: height[entry]! };
    fillInput(input, picture, squareAround(box, picture));
    const [joints, centers, regressed, offsets] = OUTPUT_LENGTHS.map((length, at) =>
      Float32Array.from({ length }, (_, k) => input[(k * (3 + at)) % input.length]! / 255),
    ) as [Float32Array, Float32Array, Float32Array, Float32Array];
    return [...decodePose({ joints, centers, regressed, offsets })];
  });
  const observation = {
    model: 'made',
    detector: 'made',
    track: Int32Array.from(samples, ({ track }) => track.id),
    frame: Int32Array.from(samples, ({ track, entry }) => track.frame[entry]!),
    points: Float32Array.from(points),
  };
  expect(digest(encodeObservation(poses, video, observation))).toBe(DIGESTS[poses.version]);
});

test('every version has a digest', () => {
  expect(
    Object.values(OBSERVERS)
      .map(({ version }): string => version)
      .filter((version) => !(version in DIGESTS)),
  ).toEqual([]);
});
