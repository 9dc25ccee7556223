import type { TelemetrySample } from './samples.ts';

/**
 * GoPro's metadata track (GPMF): nested keys, lengths and values, big-endian and padded to four bytes. One packet has
 * about a second of data. Format: github.com/gopro/gpmf-parser.
 */
type Entry = { key: string; type: string; size: number; count: number; data: DataView };

const HEADER = 8;
const MAX_DEPTH = 8;
/** Duration of a single packet in seconds. */
const PACKET_S = 1;

export type GpsRow = Omit<TelemetrySample, 'timeS'> | null;

/**
 * Content of one packet: a row per sample, null without a satellite fix; the keys of all streams; and UTC of its first
 * sample by the satellites, in milliseconds since 1970, null without a fix.
 */
export type GpmfPacket = { rows: GpsRow[]; streams: string[]; utcMs: number | null };

type Stream = Map<string, Entry>;
/** Values of one sample, scaled. */
type Reader = (values: readonly number[]) => GpsRow;

/** Streams with positions, the best first: key, column types and sample reader. */
const POSITIONS: readonly [key: string, types: string, read: Reader][] = [
  // Hero 11 and later: latitude, longitude, altitude, speed over ground and in space, days, seconds, precision, fix.
  ['GPS9', 'lllllllSS', (v) => (v[8]! < 2 ? null : position(v))],
  // Cameras up to Hero 11; the fix is stated once per packet.
  ['GPS5', 'lllll', (v) => position(v)],
  // Drones (Karma), fused: time, latitude, longitude, altitude above the sea and the start, speed north, east and down,
  // heading.
  [
    'GLPI',
    'LllllsssS',
    ([, latitude, longitude, altitudeM, , north, east, , heading]) => ({
      latitude: latitude!,
      longitude: longitude!,
      altitudeM: altitudeM!,
      speedMps: Math.hypot(north!, east!),
      ...known('headingDeg', heading!),
    }),
  ],
  // Drones, raw receiver data: time, latitude, longitude, altitude, precisions, speed over ground, course, fix,
  // satellites.
  [
    'GPRI',
    'JlllSSSSBB',
    ([, latitude, longitude, altitudeM, , , speedMps, , fix]) =>
      fix! < 2
        ? null
        : { latitude: latitude!, longitude: longitude!, altitudeM: altitudeM!, ...known('speedMps', speedMps!) },
  ],
];

/** All bits set, in hundredths: the value of unknown measurements. */
const UNKNOWN = 655.35;

const known = (name: 'headingDeg' | 'speedMps', value: number) => (value >= UNKNOWN ? {} : { [name]: value });

const position = ([latitude, longitude, altitudeM, speedMps]: readonly number[]): GpsRow => ({
  latitude: latitude!,
  longitude: longitude!,
  altitudeM: altitudeM!,
  speedMps: speedMps!,
});

/** Reads the best stream of a packet that has a fix. Stops at the first truncated entry. */
export function readGpmf(packet: Uint8Array): GpmfPacket {
  const found = listStreams(toDataView(packet));
  const readings = POSITIONS.flatMap(([key, types, read]) =>
    found.filter((stream) => stream.has(key)).map((stream) => readRows(stream, key, types, read)),
  );
  const rows = readings.find((reading) => reading.some((row) => row !== null)) ?? readings[0] ?? [];
  const utcMs = found.map(readUtc).find((at) => at !== null) ?? null;
  return { rows, streams: found.flatMap((stream) => measuredKey(stream) ?? []), utcMs };
}

/** GPS9 counts days since 2000 and seconds of the day. */
const EPOCH_2000 = Date.UTC(2000, 0);
const DAY_MS = 86_400_000;

/** UTC of the first sample of a stream with a fix: GPS9 has it in each sample, GPS5 beside them as text. */
function readUtc(stream: Stream): number | null {
  const own = stream.get('GPS9');
  if (own) {
    if (own.size !== 32 || own.count === 0 || own.data.getUint16(30) / readScales(stream)(8) < 2) return null;
    const [days, seconds] = [5, 6].map((column) => own.data.getInt32(column * 4) / readScales(stream)(column));
    return EPOCH_2000 + days! * DAY_MS + seconds! * 1_000;
  }
  const [stated, fix] = [stream.get('GPSU'), stream.get('GPSF')];
  if (!stated || !fix || fix.data.byteLength < 4 || fix.data.getUint32(0) < 2) return null;
  const { buffer, byteOffset, byteLength } = stated.data;
  const text = new TextDecoder('latin1').decode(new Uint8Array(buffer, byteOffset, byteLength));
  const found = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,3}))?/.exec(text);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, fraction = ''] = found;
  const ms = Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** True if streams of this key have readable positions. */
export const isPositionStream = (key: string) => POSITIONS.some(([known]) => known === key);

/**
 * Assigns times to samples: those of a packet are spread evenly until the next packet, those of the last one at the
 * pace of the previous one, because the duration of the last packet is often adjusted to the video.
 */
export function assignSampleTimes(packets: readonly { timeS: number; rows: readonly GpsRow[] }[]): TelemetrySample[] {
  let step = 0;
  return packets.flatMap(({ timeS, rows }, k) => {
    const next = packets[k + 1];
    step = next ? (next.timeS - timeS) / rows.length : step || PACKET_S / rows.length;
    return rows.flatMap((row, i) => (row ? [{ timeS: timeS + i * step, ...row }] : []));
  });
}

function readRows(stream: Stream, key: string, types: string, read: Reader): GpsRow[] {
  const { data, size, count } = stream.get(key)!;
  const columns = [...types].map((type) => COLUMNS[type]!);
  if (size !== columns.reduce((sum, { bytes }) => sum + bytes, 0)) return [];
  const fix = stream.get('GPSF');
  if (fix && fix.data.byteLength >= 4 && fix.data.getUint32(0) < 2) return new Array<GpsRow>(count).fill(null);
  const scale = readScales(stream);
  return Array.from({ length: count }, (_, row) => {
    let at = row * size;
    return read(
      columns.map(({ bytes, get }, column) => {
        const value = get(data, at) / scale(column);
        at += bytes;
        return value;
      }),
    );
  });
}

/** Column types: size and reader. */
const COLUMNS: Record<string, { bytes: number; get: (data: DataView, at: number) => number }> = {
  B: { bytes: 1, get: (data, at) => data.getUint8(at) },
  s: { bytes: 2, get: (data, at) => data.getInt16(at) },
  S: { bytes: 2, get: (data, at) => data.getUint16(at) },
  l: { bytes: 4, get: (data, at) => data.getInt32(at) },
  L: { bytes: 4, get: (data, at) => data.getUint32(at) },
  f: { bytes: 4, get: (data, at) => data.getFloat32(at) },
  J: { bytes: 8, get: (data, at) => Number(data.getBigUint64(at)) },
};

/** Returns the divisor of each column. */
function readScales(stream: Stream): (column: number) => number {
  const entry = stream.get('SCAL');
  const column = entry && COLUMNS[entry.type];
  if (!entry || !column) return () => 1;
  const length = Math.min(entry.count, Math.floor(entry.data.byteLength / column.bytes));
  return (i) => (length === 0 ? 1 : column.get(entry.data, Math.min(i, length - 1) * column.bytes) || 1);
}

/** Key of a stream's measurements: its last entry, after the descriptive ones. */
const measuredKey = (stream: Stream) => [...stream.keys()].at(-1);

/** Returns the entries of all nested streams (STRM) by key. */
function listStreams(data: DataView, depth = 0): Stream[] {
  if (depth > MAX_DEPTH) return [];
  return readEntries(data).flatMap((entry) => {
    if (entry.type !== '\0') return [];
    if (entry.key !== 'STRM') return listStreams(entry.data, depth + 1);
    return [new Map(readEntries(entry.data).map((inner) => [inner.key, inner]))];
  });
}

function readEntries(data: DataView): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + HEADER <= data.byteLength; ) {
    const key = String.fromCharCode(...[0, 1, 2, 3].map((i) => data.getUint8(at + i)));
    const type = String.fromCharCode(data.getUint8(at + 4));
    const size = data.getUint8(at + 5);
    const count = data.getUint16(at + 6);
    const length = size * count;
    if (at + HEADER + length > data.byteLength) break;
    entries.push({ key, type, size, count, data: new DataView(data.buffer, data.byteOffset + at + HEADER, length) });
    at += HEADER + Math.ceil(length / 4) * 4;
  }
  return entries;
}

const toDataView = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);
