import { Readable } from 'node:stream';
import type { Storage } from '#platform/storage/index';
import { extentOf, type TrackExtent, type TrackHeader, tracksOf } from './mp4-boxes.ts';

/** The index has room for 65,535 entries; of longer recordings several segments share one. */
const MOST_ENTRIES = 60_000;
/** A movie fragment box is smaller than this, in bytes. */
const MOOF_BYTES = 2 ** 17;
/** Segments at either end that are searched for audio. */
const MOST_SEARCHED = 100;

export type FilmSegment = { startS: number; durationS: number; bytes: number; storageKey: string };

/**
 * The initialisation section and an index of all segments for each track (`sidx`, ISO/IEC 14496-12), by which players know the length and seek. Each index counts
 * in the timescale of its track, as FFmpeg requires; the audio track is as long as its samples (`audio`, null when there are none).
 */
export function filmHeader(init: Buffer, segments: readonly FilmSegment[], audio: TrackExtent | null): Buffer {
  const per = Math.ceil(segments.length / MOST_ENTRIES);
  const entries: { bytes: number; endS: number }[] = [];
  for (let i = 0; i < segments.length; i += per) {
    const shared = segments.slice(i, i + per);
    const last = shared.at(-1)!;
    const until = segments[i + per]?.startS ?? last.startS + last.durationS;
    entries.push({ bytes: shared.reduce((sum, { bytes }) => sum + bytes, 0), endS: until - segments[0]!.startS });
  }
  const tracks = tracksOf(init);
  const length = 40 + entries.length * 12;
  const indices = tracks.map(({ id, kind, timescale }, n) => {
    const box = Buffer.alloc(length);
    box.writeUInt32BE(length, 0);
    box.write('sidx', 4, 'latin1');
    box.writeUInt8(1, 8);
    box.writeUInt32BE(id, 12);
    box.writeUInt32BE(timescale, 16);
    // The first segment begins at 0, behind the indices that follow.
    box.writeBigUInt64BE(BigInt(length * (tracks.length - 1 - n)), 28);
    box.writeUInt16BE(entries.length, 38);
    const ticks = kind === 'soun' ? (audio ? audio.until - audio.from : 0) : null;
    let before = 0;
    for (const [i, { bytes, endS }] of entries.entries()) {
      // Rounded as a sum, so that no error adds up. The audio may begin after the first frame and end before the last one.
      const even = Math.round(endS * timescale);
      const end = ticks === null ? even : i === entries.length - 1 ? ticks : Math.min(even, ticks);
      box.writeUInt32BE(bytes, 40 + i * 12);
      box.writeUInt32BE(end - before, 44 + i * 12);
      // Begins with a sample that needs none before it.
      box.writeUInt32BE(0x9000_0000, 48 + i * 12);
      before = end;
    }
    return box;
  });
  return Buffer.concat([init, ...indices]);
}

/**
 * When the audio of a recording begins and ends, by its first and last segments; null when it has none. A packet that outlasts the last frame does not make
 * the recording longer.
 */
export async function audioExtent(
  storage: Pick<Storage, 'read'>,
  init: Buffer,
  segments: readonly FilmSegment[],
  signal: AbortSignal,
): Promise<TrackExtent | null> {
  const tracks = tracksOf(init);
  const [video, audio] = ['vide', 'soun'].map((kind) => tracks.find((track) => track.kind === kind));
  if (!video || !audio) return null;
  const firstOf = async (track: TrackHeader, some: readonly FilmSegment[]): Promise<TrackExtent | null> => {
    for (const { storageKey, bytes } of some) {
      const end = Math.min(bytes, MOOF_BYTES) - 1;
      const moof = Buffer.concat(await (await storage.read(storageKey, { start: 0, end, signal })).toArray());
      const extent = extentOf(moof, track);
      if (extent) return extent;
    }
    return null;
  };
  const pictures = await firstOf(video, segments.slice(0, 1));
  const first = await firstOf(audio, segments.slice(0, MOST_SEARCHED));
  const last = first && (await firstOf(audio, segments.slice(-MOST_SEARCHED).toReversed()));
  if (!first || !pictures) return null;
  const { startS, durationS } = segments.at(-1)!;
  const endS = pictures.from / video.timescale + startS + durationS - segments[0]!.startS;
  const until = Math.min(last?.until ?? 0, Math.round(endS * audio.timescale));
  return { from: first.from, until: Math.max(first.from, until) };
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
