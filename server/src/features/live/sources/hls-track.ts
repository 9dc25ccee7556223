import { createDecipheriv } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { types } from 'hls-parser';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from '../problems.ts';
import { fetchBytes } from './fetch.ts';
import {
  getLastSequence,
  type HlsSegment,
  MAX_PLAYLIST_BYTES,
  type MediaPlaylist,
  parsePlaylist,
  resolveUri,
  toMediaPlaylist,
} from './hls-playlist.ts';

const MAX_SEGMENT_BYTES = 64 * 2 ** 20;
/** A playlist has stalled if it has not grown for this many target durations and at least this long. */
const STALLED = { segments: 4, ms: 15_000 };
/** Limits of the reload interval in milliseconds; within them, half the target duration. */
const RELOAD_MS = { least: 500, most: 5_000 };

export type LoadedPlaylist = { url: URL; text: string };
export type HlsTrackOptions = {
  /** URL of the source. URLs that it redirects to may expire. */
  original: URL;
  /** The playlist if it was loaded already. */
  first: LoadedPlaylist | null;
  /** Chooses a stream of a multivariant playlist. */
  choose(master: types.MasterPlaylist, url: URL): string;
  /** Returns the index of the segment to start at, initially and after the media sequence was reset. */
  join(playlist: MediaPlaylist): number;
};
export type HlsTrack = ReturnType<typeof createHlsTrack>;

/**
 * Reads the segments of one media playlist. It keeps its position, so that segments still listed after a break are not
 * missed.
 */
export function createHlsTrack(net: GuardedFetch, { original, first, choose, join: joinFirst }: HlsTrackOptions) {
  let join = joinFirst;
  let loaded: LoadedPlaylist | null = first;
  let address = first?.url ?? original;
  /** Media sequence number of the next segment; null before the first one. */
  let nextSequence: number | null = null;
  let playlist: MediaPlaylist | null = null;
  let changedMs = Date.now();
  /** True if a segment could not be fetched. */
  let hasMissed = false;
  const keys = new Map<string, Buffer>();

  async function load(signal: AbortSignal): Promise<MediaPlaylist> {
    try {
      return await loadMedia(signal);
    } catch (error) {
      [address, playlist] = [original, null];
      throw error;
    }
  }

  async function loadMedia(signal: AbortSignal): Promise<MediaPlaylist> {
    for (let depth = 0; depth < 3; depth++) {
      const { url, text } = loaded ?? (await fetchPlaylist(address, signal));
      loaded = null;
      if (playlist?.source === text) return playlist;
      const parsed = parsePlaylist(text);
      if (!parsed.isMasterPlaylist) {
        address = url;
        const next = toMediaPlaylist(parsed as MediaPlaylist);
        if (next.segments.length === 0 && !next.endlist && nextSequence !== null) {
          throw problems.live_source_refused('The playlist is empty.');
        }
        if (getLastSequence(next) !== (playlist && getLastSequence(playlist))) changedMs = Date.now();
        playlist = next;
        return next;
      }
      address = resolveUri(choose(parsed as types.MasterPlaylist, url), url);
    }
    throw problems.live_source_invalid('The playlist refers to further playlists and never to segments.');
  }

  async function fetchPlaylist(url: URL, signal: AbortSignal): Promise<LoadedPlaylist> {
    const found = await fetchBytes(net, url, { what: 'The playlist', maxBytes: MAX_PLAYLIST_BYTES, signal });
    return { url: found.url, text: found.bytes.toString('utf8') };
  }

  /** Waits for the next segment; null at the end of the stream. */
  async function nextSegment(signal: AbortSignal): Promise<HlsSegment | null> {
    for (;;) {
      const now = playlist ?? (await load(signal));
      const { segments, endlist, targetDuration = 0 } = now;
      if (segments.length > 0) {
        const begin = segments[0]!.mediaSequenceNumber;
        // A media sequence that jumped back means that the encoder restarted.
        if (nextSequence !== null && nextSequence > begin + segments.length + 1) nextSequence = null;
        nextSequence ??= begin + join(now);
        // The oldest segment is about to be removed. After a miss, skip further so that the next one is not missed as
        // well.
        if (nextSequence < begin)
          nextSequence = begin + (hasMissed ? segments.length >> 1 : Math.min(1, segments.length - 1));
        hasMissed = false;
        const segment = segments[nextSequence - begin];
        if (segment) return segment;
      }
      if (endlist) return null;
      const idleMs = Date.now() - changedMs;
      if (idleMs > Math.max(STALLED.ms, STALLED.segments * targetDuration * 1000)) {
        [address, playlist] = [original, null];
        changedMs = Date.now();
        throw problems.live_source_refused(`The playlist has not grown for ${Math.round(idleMs / 1000)} seconds.`);
      }
      const pauseMs = Math.min(Math.max(RELOAD_MS.least, targetDuration * 500), RELOAD_MS.most);
      await sleep(pauseMs, undefined, { signal });
      await load(signal);
    }
  }

  async function fetchResource(
    resource: { uri: string; byterange?: { length: number; offset: number } },
    signal: AbortSignal,
  ) {
    const { offset = 0, length = 0 } = resource.byterange ?? {};
    const range = resource.byterange ? `bytes=${offset}-${offset + length - 1}` : undefined;
    const fetching = { what: 'A segment of the stream', range, maxBytes: MAX_SEGMENT_BYTES, signal };
    try {
      return (await fetchBytes(net, resolveUri(resource.uri, address), fetching)).bytes;
    } catch (error) {
      // More of its segments may be missing, so the playlist is reloaded.
      playlist = null;
      hasMissed = true;
      throw error;
    }
  }

  async function decrypt(segment: HlsSegment, bytes: Buffer, signal: AbortSignal): Promise<Buffer> {
    const { key } = segment;
    if (!key || key.method === 'NONE') return bytes;
    if (key.method !== 'AES-128' || !key.uri) {
      throw problems.live_source_invalid(`The stream is encrypted with ${key.method}, which is not supported.`);
    }
    const secret = keys.get(key.uri) ?? (await fetchResource({ uri: key.uri }, signal));
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

  /** The bytes of consecutive segments, up to a discontinuity or a missing segment. */
  async function* read(begin: HlsSegment, signal: AbortSignal): AsyncGenerator<Buffer> {
    if (begin.map) yield await fetchResource(begin.map, signal);
    let segment: HlsSegment | null = begin;
    let expected: number | null = null;
    while (segment) {
      const isNewMap = segment.map?.uri !== begin.map?.uri;
      if (segment !== begin && (segment.discontinuity || isNewMap || nextSequence !== expected)) return;
      // Counted before the fetch, so that a segment that cannot be fetched is skipped.
      nextSequence = expected = nextSequence! + 1;
      yield await decrypt(segment, await fetchResource(segment, signal), signal);
      segment = await nextSegment(signal);
    }
  }

  return {
    nextSegment,
    read,
    /** The playlist of the last segment. */
    playlist: () => playlist,
    /** Joins again at another position. */
    rejoin(at: HlsTrackOptions['join']): void {
      [nextSequence, playlist, join] = [null, null, at];
    },
  };
}
