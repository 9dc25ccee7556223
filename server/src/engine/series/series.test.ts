import { expect, test } from 'vitest';
import { packArtifact } from '../observe/artifact.ts';
import { readLanes } from './read-lanes.ts';
import { readTracks } from './read-tracks.ts';
import { openArrays } from './stored-arrays.ts';

/** A source that counts what is read. */
function sourceOf(bytes: Uint8Array) {
  const source = {
    read: async (start: number, end: number) => {
      source.bytes += end - start;
      source.largest = Math.max(source.largest, end - start);
      return bytes.subarray(start, end);
    },
    size: bytes.length,
    bytes: 0,
    largest: 0,
  };
  return source;
}

const DAY_S = 86_400;

/** A day of signals at 10 frames a second. */
function packDay() {
  const frames = DAY_S * 10;
  const timeS = Float64Array.from({ length: frames }, (_, i) => i / 10);
  const localMotion = new Float32Array(frames);
  localMotion[frames - 5] = 0.7;
  return packArtifact({ kind: 'signals', facts: {}, arrays: { timeS, localMotion, luma: new Float32Array(frames) } });
}

test('a few seconds of a day read some kilobytes, a whole day reads in blocks', async () => {
  const source = sourceOf(packDay());
  const arrays = (await openArrays(source, 'signals'))!;
  const stored = new Map([['signals', arrays]] as const);
  const read = (fromS: number, toS: number) =>
    readLanes(stored, { fromS, toS, points: 500, fields: ['motion'] }).then(({ lanes }) => lanes[0]!);
  const seconds = await read(50_000, 50_010);
  expect(seconds.timesS).toHaveLength(101);
  expect(source.bytes).toBeLessThan(200_000);
  const day = await read(0, DAY_S);
  expect(day.timesS).toHaveLength(500);
  expect(day.samples).toBe(DAY_S * 10);
  expect(day.max.at(-1)).toBeCloseTo(0.7);
  expect(source.largest).toBeLessThanOrEqual(2 ** 21);
});

test('too many boxes lower the rate, on the same frames for all tracks', async () => {
  const [frames, tracks] = [600, 100];
  const entries = frames * tracks;
  const values = () => new Float32Array(entries).fill(0.5);
  const bytes = packArtifact({
    kind: 'objects',
    facts: {
      model: 'm',
      tracks: Array.from({ length: tracks }, (_, id) => ({ id, className: 'car', colors: [], entries: frames })),
    },
    arrays: {
      timeS: Float64Array.from({ length: frames }, (_, i) => i / 5),
      frame: Int32Array.from({ length: entries }, (_, i) => i % frames),
      x: values(),
      y: values(),
      width: values(),
      height: values(),
      score: values(),
    },
  });
  const stored = new Map([['objects', (await openArrays(sourceOf(bytes), 'objects'))!]] as const);
  const found = await readTracks(stored, { fromS: 0, toS: 120, classes: null, perS: 5 });
  expect(found.perS).toBe(1.25);
  expect(found.tracks).toHaveLength(tracks);
  const boxes = found.tracks.reduce((sum, track) => sum + track.boxes.length, 0);
  expect(boxes).toBeGreaterThan(10_000);
  expect(boxes).toBeLessThanOrEqual(20_000);
  for (const track of found.tracks) expect(track.timesS).toEqual(found.tracks[0]!.timesS);
});

/** Tracks of a class in an artifact, each in all frames. */
function packTracks(kind: 'objects' | 'fine_objects', { model = 'm', className = 'car', ids = [1], frames = 20 }) {
  const entries = frames * ids.length;
  const values = (value: number) => new Float32Array(entries).fill(value);
  return packArtifact({
    kind,
    facts: { model, tracks: ids.map((id) => ({ id, className, colors: [], entries: frames })) },
    arrays: {
      timeS: Float64Array.from({ length: frames }, (_, i) => i / 5),
      frame: Int32Array.from({ length: entries }, (_, i) => i % frames),
      x: values(kind === 'objects' ? 0.25 : 0.75),
      y: values(0.5),
      width: values(0.1),
      height: values(0.1),
      score: values(0.5),
    },
  });
}

test.each([
  ['m', { cars: 3, people: 1 }],
  ['another detector', { cars: 1, people: 0 }],
])('what was found in enlarged frames by %s is counted and drawn with the other tracks', async (model, expected) => {
  const pack = async (kind: 'objects' | 'fine_objects', options: Parameters<typeof packTracks>[1]) =>
    (await openArrays(sourceOf(packTracks(kind, options)), kind))!;
  const request = { fromS: 0, toS: 4 };
  const counts = async (fine: Awaited<ReturnType<typeof pack>>) => {
    const stored = new Map([
      ['objects', await pack('objects', { ids: [1] })],
      ['fine_objects', fine],
    ] as const);
    const fields = ['count:car', 'count:person'];
    const { lanes, counted } = await readLanes(stored, { ...request, points: 500, fields });
    const { tracks } = await readTracks(stored, { ...request, classes: null, perS: 5 });
    return { counted, tracks, of: (field: string) => lanes.find((lane) => lane.field === field)?.max[0] ?? 0 };
  };
  const cars = await counts(await pack('fine_objects', { model, ids: [2, 3] }));
  expect(cars.of('count:car')).toBe(expected.cars);
  expect(cars.tracks.map(({ id }) => id)).toEqual([1, 2, 3].slice(0, expected.cars));
  // Each track has the boxes of its own artifact.
  expect(cars.tracks.map(({ boxes }) => boxes[0]![0]!.toFixed(1))).toEqual(
    ['0.2', '0.7', '0.7'].slice(0, expected.cars),
  );
  const people = await counts(await pack('fine_objects', { model, ids: [2], className: 'person' }));
  expect(people.of('count:person')).toBe(expected.people);
  expect(people.counted).toEqual(['count:car', 'count:person'].slice(0, 1 + expected.people));
});

test('what is no artifact of the kind is not opened', async () => {
  const bytes = packDay();
  expect(await openArrays(sourceOf(bytes), 'objects')).toBeNull();
  expect(await openArrays(sourceOf(bytes.subarray(0, -8)), 'signals')).toBeNull();
  expect(await openArrays(sourceOf(new Uint8Array(5)), 'signals')).toBeNull();
});
