import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeObservation } from '#engine/observe/encoding';
import type { Objects, Signals, SparsePass, Telemetry } from '#engine/observe/observations';
import { OBSERVERS } from '#engine/observe/observers';
import { NO_MEDIA } from '#test/app';
import { openLibrary, type TestLibrary } from '#test/library';
import type { Overrides } from '../../../compose/index.ts';

const FPS = 25;
const SECONDS = 60;
const VIDEO = {
  durationS: SECONDS,
  width: 640,
  height: 360,
  timeBase: [1, 12_800] as [number, number],
  hasAudio: true,
};

const { version } = OBSERVERS.signals;
const engine = {
  observers: async () => [{ kind: 'signals', depth: 'dense', version }],
  live: {},
  visionProfiles: () => [],
};
let library: TestLibrary;
let key: string;
let caller: Awaited<ReturnType<TestLibrary['keyOf']>>['caller'];

beforeAll(async () => {
  const overrides = { engine: engine as unknown as Overrides['engine'], media: NO_MEDIA };
  library = await openLibrary({}, { overrides });
  ({ key, caller } = await library.keyOf(library.owner, ['read', 'write']));
});
afterAll(() => library?.close());

const floats = (length: number, value: (i: number) => number) => Float32Array.from({ length }, (_, i) => value(i));

/** Signals with a peak of motion in frame 700 and a cut in frame 1000. */
function makeSignals(frames = SECONDS * FPS, stepS = 1 / FPS): Signals {
  const plain = () => floats(frames, () => 0.01);
  const names = [
    'contrast',
    'dark',
    'bright',
    'sharpness',
    'difference',
    'dissolve',
    'zoom',
    'roll',
    'advance',
  ] as const;
  const timeS = Float64Array.from({ length: frames }, (_, i) => i * stepS);
  return {
    ...(Object.fromEntries(names.map((name) => [name, plain()])) as Record<(typeof names)[number], Float32Array>),
    timeS,
    pts: timeS.map((s) => s * 12_800),
    luma: floats(frames, (i) => i % 200),
    cut: floats(frames, (i) => (i === 1000 ? 80 : 0)),
    localMotion: floats(frames, (i) => (i === 700 ? 0.9 : 0.1)),
    globalX: floats(frames, () => 3),
    globalY: floats(frames, () => 4),
    colorTimeS: new Float64Array(),
    red: floats(0, Number),
    green: floats(0, Number),
    blue: floats(0, Number),
    chroma: floats(0, Number),
    regions: floats(frames * 2, () => 0),
    regionRows: 1,
    regionColumns: 2,
  };
}

/** Two people from second 10 to 20, one of them until 30; a car all the time. */
function makeObjects(frames = SECONDS * 5, stepS = 0.2): Objects {
  const track = (id: number, className: string, from: number, to: number) => ({
    id,
    className,
    colors: id === 3 ? [{ name: 'red', share: 0.8 }] : [],
    stationary: [],
    enteredFrom: null,
    leftTo: null,
    agreement: 1,
    frame: Int32Array.from({ length: to - from }, (_, i) => from + i),
    x: floats(to - from, (i) => 0.5 + i / 1_000),
    y: floats(to - from, () => 0.5),
    width: floats(to - from, () => 0.2),
    height: floats(to - from, () => 0.4),
    score: floats(to - from, () => 0.75),
  });
  return {
    model: 'yolox_nano 0123',
    classes: ['person', 'car', 'dog'],
    timeS: Float64Array.from({ length: frames }, (_, i) => i * stepS),
    pts: Float64Array.from({ length: frames }, (_, i) => i),
    tracks: [track(1, 'person', 50, 100), track(2, 'person', 50, 150), track(3, 'car', 0, frames)],
  };
}

const makeTelemetry = (): Telemetry => {
  const of = (value: (i: number) => number) => Float64Array.from({ length: SECONDS * 10 }, (_, i) => value(i));
  const none = of(() => Number.NaN);
  return {
    source: 'GoPro track',
    notes: ['speed is derived'],
    gapS: 2,
    timeS: of((i) => i / 10),
    speedMps: of((i) => (i === 333 ? 40 : 10)),
    accelerationMps2: none,
    yawRateDps: none,
    headingDeg: none,
    altitudeM: none,
    latitude: of((i) => (i < 5 ? Number.NaN : 52 + i / 1e5)),
    longitude: of((i) => 13 + i / 1e5),
  };
};

type Observer = (typeof OBSERVERS)[keyof typeof OBSERVERS];

async function addVideo(observed: readonly [Observer, unknown][], more = {}): Promise<string> {
  const id = await library.addStored(caller, Buffer.from('video'), more);
  await library.database.db.updateTable('videos').set({ durationS: SECONDS }).where('id', '=', id).execute();
  for (const [observer, observation] of observed) {
    const bytes = encodeObservation(observer as Parameters<typeof encodeObservation<unknown>>[0], VIDEO, observation);
    const storageKey = `videos/${id}/observations/${observer.kind}.bin`;
    await library.storage.write(storageKey, bytes);
    const row = { videoId: id, kind: observer.kind, version: observer.version, status: 'ready', storageKey };
    await library.database.db
      .insertInto('observations')
      .values({ ...row, sizeBytes: bytes.length })
      .execute();
  }
  return id;
}

const { signals, objects, sound, sparsePass, telemetry } = OBSERVERS;
const LOUD = { startS: 0, stepS: 0.05, levelDb: floats(1_200, () => -40), peakDb: floats(1_200, () => -20) };
const dense = () =>
  addVideo([
    [signals, makeSignals()],
    [objects, makeObjects()],
    [sound, LOUD],
  ]);

type Lane = { field: string; pass: string; times_s: number[]; min: number[]; max: number[]; samples: number };
const get = (path: string, as = key) => library.api.call('GET', `/api/videos/${path}`, { key: as });
const laneOf = (json: Record<string, unknown>, field: string) =>
  (json.lanes as Lane[]).find((lane) => lane.field === field)!;

test('each field has the peaks of the stored arrays at any number of points', async () => {
  const id = await dense();
  const { status, json } = await get(`${id}/observations?points=50`);
  expect(status).toBe(200);
  expect((json.lanes as Lane[]).map(({ field }) => field)).toEqual([
    'motion',
    'camera_motion',
    'brightness',
    'contrast',
    'sharpness',
    'cuts',
    'loudness',
    'peak',
    'count:car',
    'count:person',
  ]);
  expect(json).toMatchObject({ from_s: 0, to_s: SECONDS, unavailable: [], counted: ['count:car', 'count:person'] });
  const motion = laneOf(json, 'motion');
  expect(motion).toMatchObject({ pass: 'dense', samples: 1_500 });
  expect(motion.times_s).toHaveLength(50);
  expect(Math.max(...motion.max)).toBeCloseTo(0.9);
  expect(motion.max.filter((value) => value > 0.5)).toHaveLength(1);
  expect(motion.times_s[motion.max.findIndex((value) => value > 0.5)]).toBeLessThanOrEqual(28);
  expect(new Set(laneOf(json, 'camera_motion').max)).toEqual(new Set([5]));
  expect(Math.max(...laneOf(json, 'cuts').max)).toBe(80);
  const people = laneOf(json, 'count:person');
  expect([Math.min(...people.min), Math.max(...people.max)]).toEqual([0, 2]);
});

test('a short range has every value with its time', async () => {
  const id = await dense();
  const { json } = await get(`${id}/observations?fields=motion,count:person,loudness&from=27.9&to=28.1&points=2000`);
  const motion = laneOf(json, 'motion');
  expect(motion.times_s).toEqual([27.92, 27.96, 28, 28.04, 28.08]);
  expect(motion.max.map((value) => Math.round(value * 10) / 10)).toEqual([0.1, 0.1, 0.9, 0.1, 0.1]);
  expect(motion.min).toEqual(motion.max);
  expect(laneOf(json, 'count:person').max).toEqual([1]);
  expect(laneOf(json, 'loudness').samples).toBe(5);
});

test('CSV has a row per field and interval', async () => {
  const id = await dense();
  const { text, headers } = await get(`${id}/observations?fields=motion,cuts&from=28&to=28.04&format=csv`);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(text.trimEnd().split('\n')).toEqual([
    'field,time_s,min,max',
    'motion,28,0.9,0.9',
    'motion,28.04,0.1,0.1',
    'cuts,28,0,0',
    'cuts,28.04,0,0',
  ]);
});

test('fields without values state why', async () => {
  const reasons = async (id: string, fields: string) => {
    const { json } = await get(`${id}/observations?fields=${fields}`);
    const missing = json.unavailable as { field: string; reason: string; message: string }[];
    for (const { message } of missing) expect(message).toMatch(/^[A-Z].*\.$/);
    return Object.fromEntries(missing.map(({ field, reason }) => [field, reason]));
  };
  expect(await reasons(await addVideo([]), 'motion,loudness,count:car')).toEqual({
    motion: 'not_observed',
    loudness: 'not_observed',
    'count:car': 'not_observed',
  });
  const silent = await addVideo([
    [signals, makeSignals()],
    [sound, null],
  ]);
  expect(await reasons(silent, 'loudness,count:car')).toEqual({ loudness: 'no_audio', 'count:car': 'no_detector' });
  expect(await reasons(await dense(), 'count:dog')).toEqual({ 'count:dog': 'none_found' });
  const sparse: SparsePass = { signals: makeSignals(30, 2), objects: makeObjects(30, 2), sound: LOUD, quiet: [] };
  sparse.objects!.tracks = sparse.objects!.tracks.filter(({ id }) => id === 3);
  const scanned = await addVideo([[sparsePass, sparse]]);
  expect(await reasons(scanned, 'motion,cuts,brightness,count:car,loudness')).toEqual({
    motion: 'needs_every_frame',
    cuts: 'needs_every_frame',
  });
  const { json } = await get(`${scanned}/observations?fields=brightness,count:car`);
  expect((json.lanes as Lane[]).map(({ field, pass, samples }) => [field, pass, samples])).toEqual([
    ['brightness', 'sparse', 30],
    ['count:car', 'sparse', 30],
  ]);
});

test('a damaged or missing artifact counts as not observed', async () => {
  const id = await dense();
  await library.storage.write(`videos/${id}/observations/signals.bin`, Buffer.from('not an artifact at all'));
  await library.storage.remove(`videos/${id}/observations/objects.bin`);
  const { json } = await get(`${id}/observations?fields=motion,count:car,peak`);
  expect(json.unavailable).toMatchObject([
    { field: 'motion', reason: 'not_observed' },
    { field: 'count:car', reason: 'not_observed' },
  ]);
  expect(laneOf(json, 'peak').samples).toBe(1_200);
});

test('tracks have boxes by their top left corner, sampled and bounded', async () => {
  const id = await dense();
  const { json } = await get(`${id}/tracks?from=12&to=13&rate=5`);
  const tracks = json.tracks as { id: number; class: string; color: string; times_s: number[]; boxes: number[][] }[];
  expect(json).toMatchObject({ rate: 5, pass: 'dense', classes: ['car', 'person'], unavailable: null });
  expect(tracks.map((track) => [track.id, track.class, track.color])).toEqual([
    [1, 'person', null],
    [2, 'person', null],
    [3, 'car', 'red'],
  ]);
  expect(tracks[0]!.times_s).toEqual([12, 12.2, 12.4, 12.6, 12.8, 13]);
  expect(tracks[0]!.boxes[0]).toEqual([0.41, 0.3, 0.2, 0.4]);
  const slow = await get(`${id}/tracks?from=0&to=60&rate=1&classes=person`);
  const people = slow.json.tracks as typeof tracks;
  expect(people.map((track) => [track.id, track.times_s.length])).toEqual([
    [1, 10],
    [2, 20],
  ]);
  expect((await get(`${await addVideo([])}/tracks`)).json).toMatchObject({
    tracks: [],
    unavailable: { reason: 'not_observed' },
  });
});

test('telemetry has fields with peaks, and positions', async () => {
  const id = await addVideo([[telemetry, { telemetry: makeTelemetry(), reason: null }]]);
  const { json } = await get(`${id}/telemetry?points=20`);
  expect(json).toMatchObject({ source: 'GoPro track', notes: ['speed is derived'] });
  const [speed] = json.fields as (Lane & { unit: string })[];
  expect(speed).toMatchObject({ field: 'speed', unit: 'm/s', samples: 600 });
  expect(speed!.times_s).toHaveLength(20);
  expect(Math.max(...speed!.max)).toBe(40);
  expect(json.unavailable).toMatchObject(
    ['acceleration', 'yaw_rate', 'heading', 'altitude'].map((field) => ({ field, reason: 'not_measured' })),
  );
  const { times_s, latitude } = json.track as { times_s: number[]; latitude: number[] };
  expect([times_s.length, times_s[0], latitude[0]]).toEqual([20, 0.5, 52.00005]);
  const csv = (await get(`${id}/telemetry?points=2&fields=speed&format=csv`)).text.trimEnd().split('\n');
  expect(csv).toEqual([
    'field,time_s,min,max,latitude,longitude',
    'speed,0,10,10,,',
    'speed,30,10,40,,',
    'position,0.5,,,52.00005,13.00005',
    'position,30,,,52.003,13.003',
  ]);
  const without = await addVideo([[telemetry, { telemetry: null, reason: 'the file has no columns' }]]);
  const answer = await get(`${without}/telemetry?fields=speed`);
  expect(answer.json).toMatchObject({ fields: [], track: null, unavailable: [{ reason: 'no_telemetry' }] });
  expect(answer.text).toContain('the file has no columns');
});

test('actions of the vehicle come from telemetry', async () => {
  // Driving, braking to a stop, standing, driving off.
  const speedMps = makeTelemetry().timeS.map((t) => (t < 30 ? Math.max(0, 10 - Math.max(0, t - 10) * 2) : t - 30));
  const id = await addVideo([[telemetry, { telemetry: { ...makeTelemetry(), speedMps }, reason: null }]]);
  const { json } = await get(`${id}/causation`);
  expect(json).toMatchObject({
    video_id: id,
    source: 'GoPro track',
    duration_s: SECONDS,
    annotations: null,
    annotations_unavailable: expect.stringContaining('SIGHTLINE_VISION_URL'),
    ego_meta_actions: [
      { start_s: 0, longitudinal: 'driving', lateral: null },
      { longitudinal: 'stopped', end_s: 30.5 },
      { longitudinal: 'driving', end_s: 59.9, speed_mps: expect.closeTo(15, 0) },
    ],
  });
  const without: [readonly [Observer, unknown][], string][] = [
    [[[telemetry, { telemetry: null, reason: 'the file has no columns' }]], 'Reason: the file has no columns.'],
    [[], 'The first question about it observes it.'],
  ];
  for (const [observed, reason] of without) {
    const missing = await get(`${await addVideo(observed)}/causation`);
    expect([missing.status, missing.json.error]).toEqual([404, 'causation_not_found']);
    expect(missing.json.detail).toContain(reason);
  }
});

test('invalid requests are refused', async () => {
  const id = await dense();
  for (const [path, error] of [
    ['observations?from=20&to=10', 'range_invalid'],
    ['observations?fields=nothing', 'field_unknown'],
    ['observations?fields=count:unicorn', 'field_unknown'],
    ['observations?points=2001', 'request_invalid'],
    ['tracks?from=0&to=601', 'range_invalid'],
    ['tracks?classes=unicorn', 'field_unknown'],
    ['telemetry?fields=motion', 'field_unknown'],
  ]) {
    expect((await get(`${id}/${path}`)).json, path).toMatchObject({ error });
  }
  expect((await get('0123456789abcdef0123456789abcdef/observations')).status).toBe(404);
});

test('coverage divides the video by how it was seen', async () => {
  const coverageOf = async (id: string, query = '') => {
    const { json } = await get(`${id}/observations?fields=brightness${query}`);
    const parts = json.coverage as { from_s: number; to_s: number; seen: string; message: string }[];
    for (const [at, { from_s, message }] of parts.entries()) {
      if (at > 0) expect(from_s).toBe(parts[at - 1]!.to_s);
      expect(message).toMatch(/^[A-Z].*\.$/);
    }
    return parts.map(({ from_s, to_s, seen }) => [from_s, to_s, seen]);
  };
  expect(await coverageOf(await addVideo([]))).toEqual([[0, SECONDS, 'nothing']]);
  const whole = await dense();
  expect(await coverageOf(whole)).toEqual([[0, SECONDS, 'every_frame']]);
  expect(await coverageOf(whole, '&from=10&to=12.5')).toEqual([[10, 12.5, 'every_frame']]);
  // The header claims more than could be decoded.
  await library.database.db.updateTable('videos').set({ durationS: 90 }).where('id', '=', whole).execute();
  expect(await coverageOf(whole)).toEqual([
    [0, SECONDS, 'every_frame'],
    [SECONDS, 90, 'nothing'],
  ]);

  const interrupted = makeSignals();
  for (let i = 500; i < interrupted.timeS.length; i++) interrupted.timeS[i]! += 12;
  const gap = await addVideo([[signals, interrupted]]);
  expect(await coverageOf(gap)).toEqual([
    [0, 20, 'every_frame'],
    [20, 32, 'nothing'],
    [32, SECONDS, 'every_frame'],
  ]);

  const quiet = [{ startS: 20, endS: 34 }];
  const sampled: SparsePass = { signals: makeSignals(30, 2), objects: null, sound: null, quiet };
  const scanned = await addVideo([[sparsePass, sampled]]);
  expect(await coverageOf(scanned)).toEqual([
    [0, 20, 'single_frames'],
    [20, 34, 'unchanged'],
    [34, SECONDS, 'single_frames'],
  ]);
  for (const [from, to] of [
    [0, 10],
    [30, 40],
  ]) {
    const row = { videoId: scanned, kind: 'signals', version: `${signals.version}@${from}-${to}`, status: 'ready' };
    const values = { ...row, storageKey: `range ${from}`, sizeBytes: 1 };
    await library.database.db.insertInto('observations').values(values).execute();
  }
  expect(await coverageOf(scanned)).toEqual([
    [0, 10, 'every_frame'],
    [10, 20, 'single_frames'],
    [20, 30, 'unchanged'],
    [30, 40, 'every_frame'],
    [40, SECONDS, 'single_frames'],
  ]);
});
