import { Readable } from 'node:stream';
import type { Storage } from '#platform/storage/index';
import { readExtent, readTracks, shiftFragment, type TrackExtent, type TrackHeader } from './mp4-boxes.ts';

/** An index has at most 65,535 entries. In longer recordings several segments share one. */
const MAX_ENTRIES = 60_000;
/** Upper limit for the size of a movie fragment box, in bytes. */
const MOOF_BYTES = 2 ** 17;
/** Segments at each end that are searched for audio. */
const MAX_SEARCHED = 100;

export type StoredSegment = { startS: number; durationS: number; bytes: number; storageKey: string };
/** A segment after some that are left out; `shifts` are ticks by track by which its samples are earlier than stored. */
export type PlacedSegment<Segment extends StoredSegment = StoredSegment> = Segment & {
  shifts: ReadonlyMap<number, number>;
};

/** The start of a segment, which contains its `moof` box. */
async function readMoof(
  storage: Pick<Storage, 'read'>,
  { storageKey, bytes }: StoredSegment,
  signal: AbortSignal,
): Promise<Buffer> {
  const end = Math.min(bytes, MOOF_BYTES) - 1;
  return Buffer.concat(await (await storage.read(storageKey, { start: 0, end, signal })).toArray());
}

/** A shorter distance between segments is that of rounded times, in seconds. */
const LEFT_OUT_S = 0.01;

/**
 * Places segments behind each other where others between them are left out: their frames follow without a pause, and
 * audio that belongs to them begins after that before, at most a packet late.
 */
export async function closeGaps<Segment extends StoredSegment>(
  storage: Pick<Storage, 'read'>,
  init: Buffer,
  segments: readonly Segment[],
  signal: AbortSignal,
): Promise<PlacedSegment<Segment>[]> {
  const tracks = readTracks(init);
  const video = tracks.find(({ kind }) => kind === 'vide');
  const placed: PlacedSegment<Segment>[] = [];
  let shifts: ReadonlyMap<number, number> = new Map();
  let leftOutS = 0;
  for (const [i, segment] of segments.entries()) {
    const before = segments[i - 1];
    const gapS = before ? segment.startS - before.startS - before.durationS : 0;
    if (before && video && gapS > LEFT_OUT_S) {
      leftOutS += gapS;
      const [last, next] = await Promise.all([readMoof(storage, before, signal), readMoof(storage, segment, signal)]);
      const distance = (track: TrackHeader): number | null => {
        const [from, until] = [readExtent(next, track)?.from, readExtent(last, track)?.until];
        return from === undefined || until === undefined ? null : from - until + (shifts.get(track.id) ?? 0);
      };
      const ticks = distance(video) ?? Math.round(leftOutS * video.timescale);
      const seconds = ticks / video.timescale;
      shifts = new Map(
        tracks.map((track) => {
          if (track === video) return [track.id, ticks];
          return [
            track.id,
            Math.min(Math.round(seconds * track.timescale), distance(track) ?? Number.POSITIVE_INFINITY),
          ];
        }),
      );
    }
    placed.push({ ...segment, startS: segment.startS - leftOutS, shifts });
  }
  return placed;
}

/**
 * The initialization section and an index of all segments for each track (`sidx`, ISO/IEC 14496-12). Players take the
 * duration from it and seek by it. Each index uses the timescale of its track, as FFmpeg requires. The audio track is
 * as long as its samples (`audio`; null if there are none).
 */
export function buildHeader(init: Buffer, segments: readonly StoredSegment[], audio: TrackExtent | null): Buffer {
  const per = Math.ceil(segments.length / MAX_ENTRIES);
  const entries: { bytes: number; endS: number }[] = [];
  for (let i = 0; i < segments.length; i += per) {
    const shared = segments.slice(i, i + per);
    const last = shared.at(-1)!;
    const until = segments[i + per]?.startS ?? last.startS + last.durationS;
    entries.push({ bytes: shared.reduce((sum, { bytes }) => sum + bytes, 0), endS: until - segments[0]!.startS });
  }
  const tracks = readTracks(init);
  const length = 40 + entries.length * 12;
  const indices = tracks.map(({ id, kind, timescale }, n) => {
    const box = Buffer.alloc(length);
    box.writeUInt32BE(length, 0);
    box.write('sidx', 4, 'latin1');
    box.writeUInt8(1, 8);
    box.writeUInt32BE(id, 12);
    box.writeUInt32BE(timescale, 16);
    // The first segment starts at 0, after the indexes that follow.
    box.writeBigUInt64BE(BigInt(length * (tracks.length - 1 - n)), 28);
    box.writeUInt16BE(entries.length, 38);
    const ticks = kind === 'soun' ? (audio ? audio.until - audio.from : 0) : null;
    let before = 0;
    for (const [i, { bytes, endS }] of entries.entries()) {
      // Sums are rounded, so that errors do not accumulate. Audio may start after the first frame and end before the
      // last one.
      const even = Math.round(endS * timescale);
      const end = ticks === null ? even : i === entries.length - 1 ? ticks : Math.min(even, ticks);
      box.writeUInt32BE(bytes, 40 + i * 12);
      box.writeUInt32BE(end - before, 44 + i * 12);
      // Starts with a sync sample (SAP type 1).
      box.writeUInt32BE(0x9000_0000, 48 + i * 12);
      before = end;
    }
    return box;
  });
  return Buffer.concat([init, ...indices]);
}

/**
 * Start and end of the audio of a recording, from its first and last segments; null if it has none. An audio packet
 * after the last frame does not extend the recording.
 */
export async function readAudioExtent(
  storage: Pick<Storage, 'read'>,
  init: Buffer,
  segments: readonly PlacedSegment[],
  signal: AbortSignal,
): Promise<TrackExtent | null> {
  const tracks = readTracks(init);
  const [video, audio] = ['vide', 'soun'].map((kind) => tracks.find((track) => track.kind === kind));
  if (!video || !audio) return null;
  const readFirst = async (track: TrackHeader, candidates: readonly PlacedSegment[]): Promise<TrackExtent | null> => {
    for (const segment of candidates) {
      const extent = readExtent(await readMoof(storage, segment, signal), track);
      const shift = segment.shifts.get(track.id) ?? 0;
      if (extent) return { from: extent.from - shift, until: extent.until - shift };
    }
    return null;
  };
  const videoExtent = await readFirst(video, segments.slice(0, 1));
  const first = await readFirst(audio, segments.slice(0, MAX_SEARCHED));
  const last = first && (await readFirst(audio, segments.slice(-MAX_SEARCHED).toReversed()));
  if (!first || !videoExtent) return null;
  const { startS, durationS } = segments.at(-1)!;
  const endS = videoExtent.from / video.timescale + startS + durationS - segments[0]!.startS;
  const until = Math.min(last?.until ?? 0, Math.round(endS * audio.timescale));
  return { from: first.from, until: Math.max(first.from, until) };
}

/** Streams the bytes of a recording: its header, then its segments. */
export function openRecording(
  storage: Pick<Storage, 'read'>,
  header: Buffer,
  segments: readonly PlacedSegment[],
  signal: AbortSignal,
): Readable {
  const bytes = async function* () {
    yield header;
    for (const { storageKey, shifts } of segments) {
      const stored = await storage.read(storageKey, { signal });
      if (shifts.size === 0) yield* stored;
      else {
        const fragment = Buffer.concat(await stored.toArray());
        shiftFragment(fragment, shifts);
        yield fragment;
      }
    }
  };
  return Readable.from(bytes(), { objectMode: false });
}
