import { createDecipheriv } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, setOptions, type types } from 'hls-parser';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from './problems.ts';
import type { Recorded, Source } from './source.ts';
import { fetchAll } from './source-fetch.ts';

/** Segments from the end at which a live stream is joined. */
const BEHIND = 3;
const PLAYLIST_BYTES = 4 * 2 ** 20;
const SEGMENT_BYTES = 64 * 2 ** 20;
/** A playlist that has not grown for this many of its longest segments, and this long, has stalled. */
const STALLED = { segments: 4, ms: 15_000 };
/** A source's clock that is this much off is wrong. */
const CLOCK_OFF_MS = 10 * 60_000;
/** Pictures larger than this are not asked for where there is a choice. */
const MOST_ROWS = 1_080;
/** Pauses between two looks at a playlist, in milliseconds; within them, half of its longest segment. */
const LOOK_MS = { least: 500, most: 5_000 };
/** What begins this much before the end of what is recorded comes after it: clocks are not exact. */
const INEXACT_S = 0.5;

// As RFC 8216 requires it; others' playlists lack it all the same.
type Media = Omit<types.MediaPlaylist, 'targetDuration'> & { targetDuration: number | undefined };
type Segment = types.Segment;
type Loaded = { url: URL; text: string };

/**
 * A stream in segments (HLS, RFC 8216). Every URL in it is fetched through the guard. It remembers how far it has come, so that what is still in the playlist
 * after a break is not missed; of what is recorded already it takes nothing again, where the playlist tells times or has ended. A stretch ends before a discontinuity.
 * `original` is where it was asked for first: what that led to may be good for a while only.
 */
export function openPlaylist(
  net: GuardedFetch,
  { original, first, recorded }: { original: URL; first: Loaded; recorded: Recorded | null },
): Source {
  let loaded: Loaded | null = first;
  let address = first.url;
  /** Sequence number of the segment that comes next; null before the first. */
  let place: number | null = null;
  let playlist: Media | null = null;
  let changedMs = Date.now();
  /** Whether a segment could not be had. */
  let missed = false;
  const keys = new Map<string, Buffer>();

  async function load(signal: AbortSignal): Promise<Media> {
    try {
      return await follow(signal);
    } catch (error) {
      [address, playlist] = [original, null];
      throw error;
    }
  }

  async function follow(signal: AbortSignal): Promise<Media> {
    for (let depth = 0; depth < 3; depth++) {
      const { url, text } = loaded ?? (await read(address, signal));
      loaded = null;
      if (playlist?.source === text) return playlist;
      const parsed = parsePlaylist(text);
      if (!parsed.isMasterPlaylist) {
        address = url;
        const next = mediaOf(parsed as Media);
        if (next.segments.length === 0 && !next.endlist && place !== null) {
          throw problems.live_source_refused('The playlist is empty.');
        }
        if (lastOf(next) !== (playlist && lastOf(playlist))) changedMs = Date.now();
        playlist = next;
        return next;
      }
      address = resolve(variantOf(parsed as types.MasterPlaylist).uri, url);
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
        place ??= begin + joinAt(now, recorded);
        // The first one there is: but who comes too late for that goes on from the middle, else the next one is gone as well.
        if (place < begin) place = begin + (missed ? segments.length >> 1 : 0);
        missed = false;
        recorded = null;
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
    async next(signal) {
      const segment = await nextSegment(signal);
      if (!segment) return null;
      const takenMs = segment.programDateTime?.getTime() ?? null;
      const clockMs = playlist && isClockRight(playlist) ? takenMs : null;
      return { source: { kind: 'bytes', body: stretch(segment, signal) }, clockMs };
    },
  };
}

function parsePlaylist(text: string): types.MasterPlaylist | Media {
  // What it does not like in others' playlists is no news for our log.
  setOptions({ silent: true });
  try {
    return parse(text);
  } catch (cause) {
    throw problems.live_source_invalid(`The playlist is not valid: ${(cause as Error).message.slice(0, 200)}`, {
      cause,
    });
  }
}

/** What can be followed of a playlist: its finished segments, each with its time where an earlier one has one. */
function mediaOf(playlist: Media): Media {
  // The last one may be there in parts only (low latency): it has no URI yet.
  playlist.segments = playlist.segments.filter(({ uri }) => uri);
  const { segments, endlist, targetDuration } = playlist;
  const begin = segments[0]?.mediaSequenceNumber ?? 0;
  if (!endlist && targetDuration === undefined) {
    throw problems.live_source_refused('The playlist does not say how long its segments are (EXT-X-TARGETDURATION).');
  }
  if (!Number.isSafeInteger(begin) || begin < 0) {
    throw problems.live_source_refused('The playlist does not count its segments (EXT-X-MEDIA-SEQUENCE).');
  }
  for (const [i, { programDateTime, duration }] of segments.entries()) {
    const next = segments[i + 1];
    if (next && programDateTime) next.programDateTime ??= new Date(programDateTime.getTime() + duration * 1000);
  }
  return playlist;
}

/** Whether its last segment was made about now, by its own clock. */
const isClockRight = ({ segments }: Media) =>
  Math.abs(Date.now() - (segments.at(-1)?.programDateTime?.getTime() ?? Number.NaN)) < CLOCK_OFF_MS;

/** At which of its segments a stream is joined: the first that is not recorded, where that can be told, else the first of a film or the last but some. */
function joinAt(playlist: Media, recorded: Recorded | null): number {
  const { segments, endlist } = playlist;
  const isClocked = isClockRight(playlist);
  if (!recorded || !(isClocked || endlist)) return endlist ? 0 : Math.max(0, segments.length - BEHIND);
  let atS = 0;
  for (const [i, { programDateTime, duration }] of segments.entries()) {
    const beginS = isClocked ? Number(programDateTime) / 1000 : atS;
    if (beginS > (isClocked ? recorded.untilMs / 1000 : recorded.seconds) - INEXACT_S) return i;
    atS += duration;
  }
  return segments.length;
}

/** The best variant that has pictures of a usual size, else the smallest there is. */
function variantOf({ variants }: types.MasterPlaylist): types.Variant {
  const playable = variants.filter(({ isIFrameOnly }) => !isIFrameOnly);
  const rows = ({ resolution }: types.Variant) => resolution?.height ?? 0;
  const seen = playable.filter((variant) => rows(variant) > 0);
  const choice = seen.length > 0 ? seen : playable;
  const usual = choice.filter((variant) => rows(variant) <= MOST_ROWS);
  const sorted = (usual.length > 0 ? usual : choice).toSorted((a, b) => b.bandwidth - a.bandwidth);
  const chosen = usual.length > 0 ? sorted[0] : sorted.at(-1);
  if (!chosen) throw problems.live_source_invalid('The playlist names no stream.');
  return chosen;
}

const lastOf = ({ segments }: Media) => segments.at(-1)?.mediaSequenceNumber ?? -1;

/** Where a reference in a playlist leads. Credentials go on to the same origin only. */
function resolve(uri: string, base: URL): URL {
  const url = URL.parse(uri, base.href);
  if (!url) throw problems.live_source_invalid('The playlist names something that is no URL.');
  if (url.origin === base.origin && !url.username) [url.username, url.password] = [base.username, base.password];
  return url;
}
