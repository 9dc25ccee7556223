import { createDecipheriv } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { types } from 'hls-parser';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from './problems.ts';
import { fetchAll } from './source-fetch.ts';
import {
  lastOf,
  type MediaPlaylist,
  mediaOf,
  PLAYLIST_BYTES,
  parsePlaylist,
  resolve,
  type Segment,
} from './source-hls-playlist.ts';

const SEGMENT_BYTES = 64 * 2 ** 20;
/** A playlist that has not grown for this many of its longest segments, and this long, has stalled. */
const STALLED = { segments: 4, ms: 15_000 };
/** Pauses between two looks at a playlist, in milliseconds; within them, half of its longest segment. */
const LOOK_MS = { least: 500, most: 5_000 };

export type Loaded = { url: URL; text: string };
export type Following = {
  /** Where it was asked for first: what that led to may be good for a while only. */
  original: URL;
  /** The playlist, where it was loaded already. */
  first: Loaded | null;
  /** Which of a playlist's streams is followed. */
  choose(master: types.MasterPlaylist, url: URL): string;
  /** At which segment the stream is joined, the first time and when it begins to count anew. */
  join(playlist: MediaPlaylist): number;
};
export type Track = ReturnType<typeof followTrack>;

/** The segments of one playlist as they come. It remembers how far it has come, so that what is still in the playlist after a break is not missed. */
export function followTrack(net: GuardedFetch, { original, first, choose, join: joinFirst }: Following) {
  let join = joinFirst;
  let loaded: Loaded | null = first;
  let address = first?.url ?? original;
  /** Sequence number of the segment that comes next; null before the first. */
  let place: number | null = null;
  let playlist: MediaPlaylist | null = null;
  let changedMs = Date.now();
  /** Whether a segment could not be had. */
  let missed = false;
  const keys = new Map<string, Buffer>();

  async function load(signal: AbortSignal): Promise<MediaPlaylist> {
    try {
      return await follow(signal);
    } catch (error) {
      [address, playlist] = [original, null];
      throw error;
    }
  }

  async function follow(signal: AbortSignal): Promise<MediaPlaylist> {
    for (let depth = 0; depth < 3; depth++) {
      const { url, text } = loaded ?? (await read(address, signal));
      loaded = null;
      if (playlist?.source === text) return playlist;
      const parsed = parsePlaylist(text);
      if (!parsed.isMasterPlaylist) {
        address = url;
        const next = mediaOf(parsed as MediaPlaylist);
        if (next.segments.length === 0 && !next.endlist && place !== null) {
          throw problems.live_source_refused('The playlist is empty.');
        }
        if (lastOf(next) !== (playlist && lastOf(playlist))) changedMs = Date.now();
        playlist = next;
        return next;
      }
      address = resolve(choose(parsed as types.MasterPlaylist, url), url);
    }
    throw problems.live_source_invalid('The playlist leads to playlists, and never to segments.');
  }

  async function read(url: URL, signal: AbortSignal): Promise<Loaded> {
    const found = await fetchAll(net, url, { what: 'The playlist', maxBytes: PLAYLIST_BYTES, signal });
    return { url: found.url, text: found.bytes.toString('utf8') };
  }

  /** The segment that comes next, once it is there; null at the end of the stream. */
  async function nextSegment(signal: AbortSignal): Promise<Segment | null> {
    for (;;) {
      const now = playlist ?? (await load(signal));
      const { segments, endlist, targetDuration = 0 } = now;
      if (segments.length > 0) {
        const begin = segments[0]!.mediaSequenceNumber;
        // Who begins to count anew has begun anew.
        if (place !== null && place > begin + segments.length + 1) place = null;
        place ??= begin + join(now);
        // The oldest one is about to vanish; where one was missed already, the next would be as well.
        if (place < begin) place = begin + (missed ? segments.length >> 1 : Math.min(1, segments.length - 1));
        missed = false;
        const segment = segments[place - begin];
        if (segment) return segment;
      }
      if (endlist) return null;
      const quietMs = Date.now() - changedMs;
      if (quietMs > Math.max(STALLED.ms, STALLED.segments * targetDuration * 1000)) {
        [address, playlist] = [original, null];
        changedMs = Date.now();
        throw problems.live_source_refused(`The playlist has not grown for ${Math.round(quietMs / 1000)} seconds.`);
      }
      const pauseMs = Math.min(Math.max(LOOK_MS.least, targetDuration * 500), LOOK_MS.most);
      await sleep(pauseMs, undefined, { signal });
      await load(signal);
    }
  }

  async function bytesOf(part: { uri: string; byterange?: { length: number; offset: number } }, signal: AbortSignal) {
    const { offset = 0, length = 0 } = part.byterange ?? {};
    const range = part.byterange ? `bytes=${offset}-${offset + length - 1}` : undefined;
    const fetching = { what: 'A part of the stream', range, maxBytes: SEGMENT_BYTES, signal };
    try {
      return (await fetchAll(net, resolve(part.uri, address), fetching)).bytes;
    } catch (error) {
      // Others in the playlist may be gone as well: the next look is at a new one.
      playlist = null;
      missed = true;
      throw error;
    }
  }

  async function decrypted(segment: Segment, bytes: Buffer, signal: AbortSignal): Promise<Buffer> {
    const { key } = segment;
    if (!key || key.method === 'NONE') return bytes;
    if (key.method !== 'AES-128' || !key.uri) {
      throw problems.live_source_invalid(`The stream is encrypted by ${key.method}, which is not supported.`);
    }
    const secret = keys.get(key.uri) ?? (await bytesOf({ uri: key.uri }, signal));
    keys.clear();
    keys.set(key.uri, secret);
    const iv = Buffer.alloc(16);
    if (key.iv) Buffer.from(key.iv).copy(iv);
    else iv.writeBigUInt64BE(BigInt(segment.mediaSequenceNumber), 8);
    try {
      const decipher = createDecipheriv('aes-128-cbc', secret, iv);
      return Buffer.concat([decipher.update(bytes), decipher.final()]);
    } catch (cause) {
      throw problems.live_source_invalid('A segment of the stream could not be decrypted with its key.', { cause });
    }
  }

  /** Segment after segment, until one does not go on from the one before. */
  async function* stretch(begin: Segment, signal: AbortSignal): AsyncGenerator<Buffer> {
    if (begin.map) yield await bytesOf(begin.map, signal);
    let segment: Segment | null = begin;
    let expected: number | null = null;
    while (segment) {
      const [broken, other] = [segment.discontinuity, segment.map?.uri !== begin.map?.uri];
      if (segment !== begin && (broken || other || place !== expected)) return;
      // Counted first: one that cannot be had is passed over.
      place = expected = place! + 1;
      yield await decrypted(segment, await bytesOf(segment, signal), signal);
      segment = await nextSegment(signal);
    }
  }

  return {
    nextSegment,
    stretch,
    /** The playlist that the last segment was in. */
    playlist: () => playlist,
    /** Joins anew, at another place. */
    rejoin(at: Following['join']): void {
      [place, playlist, join] = [null, null, at];
    },
  };
}
