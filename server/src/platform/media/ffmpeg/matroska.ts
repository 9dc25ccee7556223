/** Element IDs of Matroska (RFC 9559). It carries frames with times to ffmpeg, whose raw formats have rates only. */
const ID = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  uncompressedFourcc: 0x2eb524,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
} as const;

/** Timestamps are in microseconds. */
const NANOSECONDS_PER_TICK = 1_000;
const UNKNOWN_SIZE = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);

/**
 * Format of the track: `fourcc` is the layout of raw frames (`RGBA`) or the codec (`MJPG`), which contains the size.
 */
export type MatroskaTrack = { fourcc: string } & ({ kind: 'raw'; width: number; height: number } | { kind: 'coded' });

/** Everything before the first frame. */
export function matroskaHeader(picture: MatroskaTrack): Buffer {
  const fourcc = Buffer.from(picture.fourcc, 'latin1');
  const { width, height } = picture.kind === 'raw' ? picture : { width: 0, height: 0 };
  const codec =
    picture.kind === 'raw'
      ? [element(ID.codecId, Buffer.from('V_UNCOMPRESSED'))]
      : [element(ID.codecId, Buffer.from('V_MS/VFW/FOURCC')), element(ID.codecPrivate, bitmapHeader(fourcc))];
  const track = [
    element(ID.trackNumber, number(1)),
    element(ID.trackUid, number(1)),
    element(ID.trackType, number(1)),
    ...codec,
    element(ID.video, [
      element(ID.pixelWidth, number(width)),
      element(ID.pixelHeight, number(height)),
      ...(picture.kind === 'raw' ? [element(ID.uncompressedFourcc, fourcc)] : []),
    ]),
  ];
  return Buffer.concat([
    element(ID.ebml, [element(ID.docType, Buffer.from('matroska'))]),
    idBytes(ID.segment),
    UNKNOWN_SIZE,
    element(ID.info, [element(ID.timestampScale, number(NANOSECONDS_PER_TICK))]),
    element(ID.tracks, [element(ID.trackEntry, track)]),
  ]);
}

/** A BITMAPINFOHEADER with the codec only. */
function bitmapHeader(fourcc: Buffer): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(header.length, 0);
  header.writeUInt16LE(1, 12);
  fourcc.copy(header, 16);
  return header;
}

/** One frame, shown from `timeS` until `endS`. */
export function matroskaFrame(data: Uint8Array, timeS: number, endS: number): Buffer {
  const ticks = Math.round(timeS * 1e6);
  // Track 1, no distance to the cluster's time, no flags.
  const block = Buffer.concat([Buffer.from([0x81, 0, 0, 0]), data]);
  return element(ID.cluster, [
    element(ID.timestamp, number(ticks)),
    element(ID.blockGroup, [
      element(ID.block, block),
      element(ID.blockDuration, number(Math.round(endS * 1e6) - ticks)),
    ]),
  ]);
}

function element(id: number, content: Buffer | Buffer[]): Buffer {
  const body = Array.isArray(content) ? Buffer.concat(content) : content;
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([idBytes(id), size, body]);
}

const idBytes = (id: number) => number(id);

/** Encodes an integer in the minimum number of bytes. */
function number(value: number): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
}
