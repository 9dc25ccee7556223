import { describe, expect, test } from 'vitest';
import { assignSampleTimes, readGpmf } from './gpmf.ts';
import { readVideoTelemetry } from './reader.ts';

/** Hand-written packets of a GoPro metadata track. */
const entry = (key: string, type: string, size: number, payload: Buffer) => {
  const header = Buffer.alloc(8);
  header.write(key, 'latin1');
  header.write(type, 4, 'latin1');
  header[5] = size;
  header.writeUInt16BE(payload.length / size, 6);
  return Buffer.concat([header, payload, Buffer.alloc((4 - (payload.length % 4)) % 4)]);
};
const longs = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeInt32BE(value, i * 4);
  return bytes;
};
const packet = (fix: number) =>
  entry(
    'DEVC',
    '\0',
    1,
    entry(
      'STRM',
      '\0',
      1,
      Buffer.concat([
        entry('GPSF', 'L', 4, longs(fix)),
        entry('SCAL', 'l', 4, longs(10_000_000, 10_000_000, 1000, 1000, 100)),
        entry(
          'GPS5',
          'l',
          20,
          longs(481_000_000, 115_000_000, 520_000, 5_500, 560, 481_000_100, 115_000_000, 520_000, 6_500, 660),
        ),
      ]),
    ),
  );

test('reads keys, lengths and values', () => {
  expect(readGpmf(packet(3)).rows).toEqual([
    { latitude: 48.1, longitude: 11.5, altitudeM: 520, speedMps: 5.5 },
    { latitude: 48.10001, longitude: 11.5, altitudeM: 520, speedMps: 6.5 },
  ]);
  expect(readGpmf(packet(0)).rows).toEqual([null, null]);
});

test('samples are spread until the next packet, the last at the same pace', () => {
  const rows = [{ speedMps: 1 }, null];
  const packets = [
    { timeS: 0, rows },
    { timeS: 1, rows },
  ];
  expect(assignSampleTimes(packets).map(({ timeS }) => timeS)).toEqual([0, 1]);
  expect(
    assignSampleTimes([
      { timeS: 0, rows: [...rows, { speedMps: 2 }] },
      { timeS: 3, rows: [{ speedMps: 1 }, { speedMps: 1 }] },
    ]).map(({ timeS }) => timeS),
  ).toEqual([0, 2, 3, 4]);
});

test('stops at truncated entries, and accepts any bytes', () => {
  const whole = packet(3);
  for (let length = 0; length < whole.length; length++) expect(() => readGpmf(whole.subarray(0, length))).not.toThrow();
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 0xff;
    expect(() => readGpmf(changed)).not.toThrow();
  }
});

/** A stream of rows, each as a list of `[type, value]` for its columns. */
const TYPES: Record<string, (value: number) => Buffer> = {
  B: (value) => Buffer.of(value),
  s: (value) => bytes(2, (b) => b.writeInt16BE(value)),
  S: (value) => bytes(2, (b) => b.writeUInt16BE(value)),
  l: (value) => bytes(4, (b) => b.writeInt32BE(value)),
  L: (value) => bytes(4, (b) => b.writeUInt32BE(value)),
  J: (value) => bytes(8, (b) => b.writeBigUInt64BE(BigInt(value))),
};
function bytes(size: number, write: (target: Buffer) => void): Buffer {
  const target = Buffer.alloc(size);
  write(target);
  return target;
}

type Columns = { key: string; types: string; scales: number[]; rows: number[][]; fix?: number };

function streamOf({ key, types, scales, rows, fix }: Columns): Buffer {
  const row = (values: number[]) => Buffer.concat(values.map((value, i) => TYPES[types[i]!]!(value)));
  const size = row(rows[0]!).length;
  const parts = [
    entry('STNM', 'c', 1, Buffer.from('Position')),
    ...(fix === undefined ? [] : [entry('GPSF', 'L', 4, longs(fix))]),
    entry('SCAL', 'l', 4, longs(...scales)),
    entry('TYPE', 'c', 1, Buffer.from(types)),
    entry(key, '?', size, Buffer.concat(rows.map(row))),
  ];
  return entry('STRM', '\0', 1, Buffer.concat(parts));
}

const device = (...streams: Columns[]) => entry('DEVC', '\0', 1, Buffer.concat(streams.map(streamOf)));

const DEGREE = 1e7;
/** Fused sensor data of a drone that flies north-west over California. */
const GLPI: Columns = {
  key: 'GLPI',
  types: 'LllllsssS',
  scales: [1000, DEGREE, DEGREE, 1000, 1000, 100, 100, 100, 100],
  rows: [
    [145_000, 331_253_688, -1_173_310_668, 15_711, 2_003, 300, -400, -127, 33_156],
    [145_250, 331_253_712, -1_173_310_685, 15_643, 1_935, 600, -800, -127, 65_535],
  ],
};
/** Raw data of its receiver. */
const GPRI: Columns = {
  key: 'GPRI',
  types: 'JlllSSSSBB',
  scales: [1e6, DEGREE, DEGREE, 1000, 100, 100, 100, 100, 1, 1],
  rows: [
    [145_000_000, 331_253_680, -1_173_310_641, 15_445, 25, 42, 59, 33_179, 3, 20],
    [145_250_000, 331_253_675, -1_173_310_646, 15_440, 25, 42, 65_535, 33_179, 3, 20],
    [145_500_000, 0, 0, 0, 9_999, 9_999, 0, 0, 1, 2],
  ],
};
const ATTITUDE: Columns = { key: 'ATTD', types: 'Ls', scales: [1000, 1], rows: [[145_000, 3]] };

describe("a drone's streams", () => {
  const position = { latitude: 33.1253688, longitude: -117.3310668, altitudeM: 15.711 };

  test('fused positions, with speed and heading', () => {
    expect(readGpmf(device(GPRI, GLPI, ATTITUDE))).toMatchObject({
      rows: [
        { ...position, speedMps: 5, headingDeg: 331.56 },
        { latitude: 33.1253712, longitude: -117.3310685, altitudeM: 15.643, speedMps: 10 },
      ],
      streams: ['GPRI', 'GLPI', 'ATTD'],
    });
  });

  test('raw receiver data without fused data; no row without a fix, no unknown speed', () => {
    expect(readGpmf(device(ATTITUDE, GPRI)).rows).toEqual([
      { latitude: 33.125368, longitude: -117.3310641, altitudeM: 15.445, speedMps: 0.59 },
      { latitude: 33.1253675, longitude: -117.3310646, altitudeM: 15.44 },
      null,
    ]);
  });

  test('a camera that writes two streams of positions is read once, from the better one', () => {
    const gps9 = {
      key: 'GPS9',
      types: 'lllllllSS',
      scales: [DEGREE, DEGREE, 1000, 1000, 100, 1, 1000, 100, 1],
      rows: [[481_000_000, 115_000_000, 520_000, 5_500, 560, 8_000, 1_000, 150, 3]],
    };
    const gps5 = { key: 'GPS5', types: 'lllll', scales: gps9.scales.slice(0, 5), rows: [[1, 1, 1, 1, 1]], fix: 3 };
    const better = { latitude: 48.1, longitude: 11.5, altitudeM: 520, speedMps: 5.5 };
    expect(readGpmf(device(gps5, gps9)).rows).toEqual([better]);
    // Day 8,000 since 2000, after one second.
    expect(readGpmf(device(gps5, gps9)).utcMs).toBe(Date.UTC(2021, 10, 26, 0, 0, 1));
    gps9.rows[0]![8] = 0;
    expect(readGpmf(device(gps5, gps9)).utcMs).toBeNull();
    expect(readGpmf(device(gps5, gps9)).rows).toEqual([
      { latitude: 1e-7, longitude: 1e-7, altitudeM: 0.001, speedMps: 0.001 },
    ]);
  });
});

describe('unusable data is reported', () => {
  const reading = (tag: string, kind: 'data' | 'text', ...packets: Uint8Array[]) =>
    readVideoTelemetry('video.mp4', null, {
      metadataTracks: async () => [{ index: 2, kind, tag, codec: '', language: '' }],
      readMetadataTrack: async (_, __, onPacket) =>
        packets.forEach((data, timeS) => void onPacket({ data, timeS, durationS: 0 })),
    });
  const noFix = { ...GPRI, rows: [GPRI.rows[2]!] };

  test.each([
    ['no position', [device(ATTITUDE)], 'the GoPro track of this video has no position and no speed (only ATTD)'],
    [
      'no fix',
      [device(noFix)],
      'the GoPro track of this video has positions (GPRI), but the receiver had no satellite fix',
    ],
    [
      'columns of another kind',
      [device({ ...GLPI, types: 'LllllsssL' })],
      'the positions in the GoPro track of this video (GLPI) could not be read',
    ],
    ['damage', [Buffer.from('no GPMF at all')], 'the GoPro track of this video could not be read'],
  ])('a GoPro track with %s', async (_, packets, reason) => {
    expect(await reading('gpmd', 'data', ...packets)).toEqual({ telemetry: null, reason });
  });

  test('a track of another maker', async () => {
    expect((await reading('djmd', 'data')).reason).toBe(
      'the metadata track of this video (djmd) has a format that is not supported',
    );
  });

  test('time codes are not telemetry', async () => {
    expect(await reading('tmcd', 'data')).toEqual({ telemetry: null, reason: null });
  });
});
