import { Readable } from 'node:stream';
import type { Storage } from '#platform/storage/index';

/** Ticks per second of the index. */
const CLOCK = 90_000;
/** The index has room for 65,535 entries; of longer recordings several segments share one. */
const MOST_ENTRIES = 60_000;

export type FilmSegment = { startS: number; durationS: number; bytes: number; storageKey: string };

/**
 * The initialisation section and an index of all segments (`sidx`, ISO/IEC 14496-12): with it a film in fragments is sought and measured as
 * fast as any other.
 */
export function filmHeader(init: Buffer, segments: readonly FilmSegment[]): Buffer {
  const per = Math.ceil(segments.length / MOST_ENTRIES);
  const entries: { bytes: number; ticks: number }[] = [];
  let ticks = 0;
  for (let i = 0; i < segments.length; i += per) {
    const shared = segments.slice(i, i + per);
    const last = shared.at(-1)!;
    const until = segments[i + per]?.startS ?? last.startS + last.durationS;
    // Rounded as a sum, so that nothing adds up.
    const end = Math.round((until - segments[0]!.startS) * CLOCK);
    entries.push({ bytes: shared.reduce((sum, { bytes }) => sum + bytes, 0), ticks: end - ticks });
    ticks = end;
  }
  // The sound has no other times, but is sought by an index of its own.
  const tracks = init.includes('soun', 0, 'latin1') ? [1, 2] : [1];
  const length = 40 + entries.length * 12;
  const boxes = tracks.map((track) => {
    const box = Buffer.alloc(length);
    box.writeUInt32BE(length, 0);
    box.write('sidx', 4, 'latin1');
    box.writeUInt8(1, 8);
    box.writeUInt32BE(track, 12);
    box.writeUInt32BE(CLOCK, 16);
    // The first segment begins at 0, behind the indices that follow.
    box.writeBigUInt64BE(BigInt(length * (tracks.length - track)), 28);
    box.writeUInt16BE(entries.length, 38);
    for (const [i, { bytes, ticks }] of entries.entries()) {
      box.writeUInt32BE(bytes, 40 + i * 12);
      box.writeUInt32BE(ticks, 44 + i * 12);
      // Begins with a picture that needs none before it.
      box.writeUInt32BE(0x9000_0000, 48 + i * 12);
    }
    return box;
  });
  return Buffer.concat([init, ...boxes]);
}

/** The bytes of a recording: its header and its segments, one after the other, read as they are needed. */
export function filmOf(
  storage: Pick<Storage, 'read'>,
  header: Buffer,
  segments: readonly FilmSegment[],
  signal: AbortSignal,
): Readable {
  const bytes = async function* () {
    yield header;
    for (const { storageKey } of segments) yield* await storage.read(storageKey, { signal });
  };
  return Readable.from(bytes(), { objectMode: false });
}
