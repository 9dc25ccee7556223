import type { Sample } from './columns.ts';

/**
 * GoPro's metadata track (GPMF): nested key, length and value, everything big-endian and padded to four bytes. One packet holds about a second, so it
 * is read packet by packet. Format: github.com/gopro/gpmf-parser.
 */
type Entry = { key: string; type: string; size: number; count: number; data: DataView };

const HEADER = 8;
const DEEPEST = 8;
/** How much time a packet covers when it is the only one. */
const PACKET_S = 1;

export type Row = Omit<Sample, 'timeS'> | null;

/** What one packet measured: a row for each sample, null where there was no satellite fix; and the keys of all its streams. */
export type GpmfPacket = { rows: Row[]; streams: string[] };

type Stream = Map<string, Entry>;
/** Values of one sample, scaled. */
type Reader = (values: readonly number[]) => Row;

/** Streams that hold positions, the best first, with the types of their columns where the stream itself does not say, and how a sample is read. */
const POSITIONS: readonly [key: string, types: string, read: Reader][] = [
  // Hero 11 and later: latitude, longitude, altitude, speed over ground and in space, days, seconds, precision, fix.
  ['GPS9', 'lllllllSS', (v) => (v[8]! < 2 ? null : position(v))],
  // Cameras up to Hero 11; the fix is given once per packet.
  ['GPS5', 'lllll', (v) => position(v)],
  // Drones (Karma), fused: time, latitude, longitude, altitude above the sea and the start, speed north, east and down, heading.
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
  // Drones, the receiver's own: time, latitude, longitude, altitude, precisions, speed over ground, course, fix, satellites.
  [
    'GPRI',
    'JlllSSSSBB',
    ([, latitude, longitude, altitudeM, , , speedMps, , fix]) =>
      fix! < 2
        ? null
        : { latitude: latitude!, longitude: longitude!, altitudeM: altitudeM!, ...known('speedMps', speedMps!) },
  ],
];

/** All bits set, in hundredths: what drones send for a value that is not known. */
const UNKNOWN = 655.35;

const known = (name: 'headingDeg' | 'speedMps', value: number) => (value >= UNKNOWN ? {} : { [name]: value });

const position = ([latitude, longitude, altitudeM, speedMps]: readonly number[]): Row => ({
  latitude: latitude!,
  longitude: longitude!,
  altitudeM: altitudeM!,
  speedMps: speedMps!,
});

/** Reads one packet, of the best stream that has a fix. Ends at the first entry that is cut off. */
export function readGpmf(packet: Uint8Array): GpmfPacket {
  const found = streamsOf(viewOf(packet));
  const readings = POSITIONS.flatMap(([key, types, read]) =>
    found.filter((stream) => stream.has(key)).map((stream) => rowsOf(stream, key, types, read)),
  );
  const rows = readings.find((reading) => reading.some((row) => row !== null)) ?? readings[0] ?? [];
  return { rows, streams: found.flatMap((stream) => measuredKey(stream) ?? []) };
}

/** Whether a stream of this key holds positions that can be read. */
export const isPosition = (key: string) => POSITIONS.some(([known]) => known === key);

/**
 * Measurements in time: a packet's are spread evenly until the next packet begins, the last packet's at the pace of the one before. (The duration that
 * a file gives its last packet is often made to fit the video.)
 */
export function spread(packets: readonly { timeS: number; rows: readonly Row[] }[]): Sample[] {
  let step = 0;
  return packets.flatMap(({ timeS, rows }, k) => {
    const next = packets[k + 1];
    step = next ? (next.timeS - timeS) / rows.length : step || PACKET_S / rows.length;
    return rows.flatMap((row, i) => (row ? [{ timeS: timeS + i * step, ...row }] : []));
  });
}

function rowsOf(stream: Stream, key: string, types: string, read: Reader): Row[] {
  const { data, size, count } = stream.get(key)!;
  const columns = [...types].map((type) => COLUMNS[type]!);
  if (size !== columns.reduce((sum, { bytes }) => sum + bytes, 0)) return [];
  const fix = stream.get('GPSF');
  if (fix && fix.data.byteLength >= 4 && fix.data.getUint32(0) < 2) return new Array<Row>(count).fill(null);
  const scale = scalesOf(stream);
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

/** Types of columns: how long they are and how they are read. */
const COLUMNS: Record<string, { bytes: number; get: (data: DataView, at: number) => number }> = {
  B: { bytes: 1, get: (data, at) => data.getUint8(at) },
  s: { bytes: 2, get: (data, at) => data.getInt16(at) },
  S: { bytes: 2, get: (data, at) => data.getUint16(at) },
  l: { bytes: 4, get: (data, at) => data.getInt32(at) },
  L: { bytes: 4, get: (data, at) => data.getUint32(at) },
  f: { bytes: 4, get: (data, at) => data.getFloat32(at) },
  J: { bytes: 8, get: (data, at) => Number(data.getBigUint64(at)) },
};

/** What each column is to be divided by. */
function scalesOf(stream: Stream): (column: number) => number {
  const entry = stream.get('SCAL');
  const column = entry && COLUMNS[entry.type];
  if (!entry || !column) return () => 1;
  const length = Math.min(entry.count, Math.floor(entry.data.byteLength / column.bytes));
  return (i) => (length === 0 ? 1 : column.get(entry.data, Math.min(i, length - 1) * column.bytes) || 1);
}

/** The key of what a stream measures: its last entry, after those that describe it. */
const measuredKey = (stream: Stream) => [...stream.keys()].at(-1);

/** Every STRM, wherever it is nested, as its entries by key. */
function streamsOf(data: DataView, depth = 0): Stream[] {
  if (depth > DEEPEST) return [];
  return entriesOf(data).flatMap((entry) => {
    if (entry.type !== '\0') return [];
    if (entry.key !== 'STRM') return streamsOf(entry.data, depth + 1);
    return [new Map(entriesOf(entry.data).map((inner) => [inner.key, inner]))];
  });
}

function entriesOf(data: DataView): Entry[] {
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

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);
