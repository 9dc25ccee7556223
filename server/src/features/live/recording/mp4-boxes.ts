/** Reads the boxes of fragmented MP4 (ISO/IEC 14496-12) that describe tracks and the times of their samples. */

export type TrackHeader = {
  id: number;
  /** The handler: `vide` or `soun`. */
  kind: string;
  /** Ticks per second of its times. */
  timescale: number;
  /** Default sample duration in ticks. */
  sampleTicks: number;
};

/** Presentation time of the first sample and end of the last one, in ticks of the track. */
export type TrackExtent = { from: number; until: number };

/** The tracks of an initialization section, in order. */
export function readTracks(init: Buffer): TrackHeader[] {
  const [moov] = boxes(init, 'moov');
  if (!moov) return [];
  const defaults = boxes(moov, 'mvex').flatMap((mvex) => boxes(mvex, 'trex'));
  return boxes(moov, 'trak').flatMap((trak) => {
    const [tkhd] = boxes(trak, 'tkhd');
    const [mdia] = boxes(trak, 'mdia');
    const [mdhd] = mdia ? boxes(mdia, 'mdhd') : [];
    const [hdlr] = mdia ? boxes(mdia, 'hdlr') : [];
    if (!tkhd || !mdhd || !hdlr) return [];
    const id = tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12);
    const trex = defaults.find((box) => box.readUInt32BE(4) === id);
    return {
      id,
      kind: hdlr.toString('latin1', 8, 12),
      timescale: mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12),
      sampleTicks: trex?.readUInt32BE(12) ?? 0,
    };
  });
}

/** Extent of a track in a fragment; null if the fragment has no samples of it. Only the `moof` box is needed. */
export function readExtent(fragment: Buffer, track: TrackHeader): TrackExtent | null {
  for (const traf of boxes(fragment, 'moof').flatMap((moof) => boxes(moof, 'traf'))) {
    const [tfhd] = boxes(traf, 'tfhd');
    const [tfdt] = boxes(traf, 'tfdt');
    if (!tfhd || !tfdt || tfhd.readUInt32BE(4) !== track.id) continue;
    const flags = tfhd.readUIntBE(1, 3);
    // Skips two optional fields: the base data offset and the sample description index.
    const at = 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
    const usual = flags & 0x8 ? tfhd.readUInt32BE(at) : track.sampleTicks;
    const from = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
    const runs = boxes(traf, 'trun');
    const ticks = runs.reduce((sum, trun) => sum + runTicks(trun, usual), 0);
    const startTicks = from + (runs[0] ? firstOffset(runs[0]) : 0);
    return ticks > 0 ? { from: startTicks, until: startTicks + ticks } : null;
  }
  return null;
}

/** Moves the samples of a fragment to earlier times, by the ticks of their track. Changes its bytes. */
export function shiftFragment(fragment: Buffer, ticksByTrack: ReadonlyMap<number, number>): void {
  for (const traf of boxes(fragment, 'moof').flatMap((moof) => boxes(moof, 'traf'))) {
    const [tfhd] = boxes(traf, 'tfhd');
    const [tfdt] = boxes(traf, 'tfdt');
    const ticks = tfhd ? ticksByTrack.get(tfhd.readUInt32BE(4)) : undefined;
    if (!tfdt || !ticks) continue;
    if (tfdt[0] === 1) tfdt.writeBigUInt64BE(tfdt.readBigUInt64BE(4) - BigInt(ticks), 4);
    else tfdt.writeUInt32BE(tfdt.readUInt32BE(4) - ticks, 4);
  }
}

/** Flags of the fields that each sample of a track run (`trun`) may have: duration, size, flags, composition offset. */
const FIELDS = [0x100, 0x200, 0x400, 0x800];

/** Total duration of the samples of a track run in ticks. */
function runTicks(trun: Buffer, usual: number): number {
  const { flags, first, width, count } = readRun(trun);
  if (!(flags & 0x100)) return count * usual;
  let ticks = 0;
  for (let i = 0; i < count; i++) ticks += trun.readUInt32BE(first + i * width);
  return ticks;
}

/** Composition offset of the first sample in ticks. */
function firstOffset(trun: Buffer): number {
  const { flags, first, width, count } = readRun(trun);
  return flags & 0x800 && count > 0 ? trun.readInt32BE(first + width - 4) : 0;
}

function readRun(trun: Buffer) {
  const flags = trun.readUIntBE(1, 3);
  const first = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  return { flags, count: trun.readUInt32BE(4), first, width: 4 * FIELDS.filter((flag) => flags & flag).length };
}

/** Contents of the boxes of a type, without their headers. */
function boxes(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (length < 8) break;
    if (bytes.toString('latin1', at + 4, at + 8) === type) found.push(bytes.subarray(at + 8, at + length));
    at += length;
  }
  return found;
}
