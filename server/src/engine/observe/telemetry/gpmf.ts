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

/** What one packet measured; null where there was no satellite fix. Ends at the first entry that is cut off. */
export function readGpmf(packet: Uint8Array): Row[] {
  const streams = streamsOf(viewOf(packet));
  return streams.flatMap((stream) => (stream.has('GPS9') ? gps9(stream) : stream.has('GPS5') ? gps5(stream) : []));
}

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

export type Row = Omit<Sample, 'timeS'> | null;
type Stream = Map<string, Entry>;

/** Cameras up to Hero 10: latitude, longitude, altitude, speed over ground and in space; the fix is told once per packet. */
function gps5(stream: Stream): Row[] {
  const { data, size, count } = stream.get('GPS5')!;
  const fix = stream.get('GPSF');
  if (size !== 20) return [];
  if (fix && fix.data.byteLength >= 4 && fix.data.getUint32(0) < 2) return new Array<Row>(count).fill(null);
  const scale = scalesOf(stream);
  return Array.from({ length: count }, (_, row) => {
    const value = (column: number) => data.getInt32(row * size + column * 4) / scale(column);
    return position(value(0), value(1), value(2), value(3));
  });
}

/** Hero 11 and later: each sample with its own time, precision and fix. */
function gps9(stream: Stream): Row[] {
  const { data, size, count } = stream.get('GPS9')!;
  if (size !== 32) return [];
  const scale = scalesOf(stream);
  return Array.from({ length: count }, (_, row) => {
    const value = (column: number) => data.getInt32(row * size + column * 4) / scale(column);
    const fix = data.getUint16(row * size + 30) / scale(8);
    return fix < 2 ? null : position(value(0), value(1), value(2), value(3));
  });
}

const position = (latitude: number, longitude: number, altitudeM: number, speedMps: number) => ({
  latitude,
  longitude,
  altitudeM,
  speedMps,
});

/** What each column is to be divided by. */
function scalesOf(stream: Stream): (column: number) => number {
  const entry = stream.get('SCAL');
  if (!entry) return () => 1;
  const { data, count, type } = entry;
  const read = (i: number) => (type === 's' || type === 'S' ? data.getInt16(i * 2) : data.getInt32(i * 4));
  const width = type === 's' || type === 'S' ? 2 : 4;
  const length = Math.min(count, Math.floor(data.byteLength / width));
  return (column) => (length === 0 ? 1 : read(Math.min(column, length - 1)) || 1);
}

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
