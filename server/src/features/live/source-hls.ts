import { createDecipheriv } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, setOptions, type types } from 'hls-parser';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from './problems.ts';
import type { Source } from './source.ts';
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

type Media = types.MediaPlaylist;
type Segment = types.Segment;
type Loaded = { url: URL; text: string };

/**
 * A stream in segments (HLS, RFC 8216). Every URL in it is fetched through the guard. It remembers how far it has come, so that what is still in the playlist
 * after a break is not missed. A stretch ends before a discontinuity.
 */
export function openPlaylist(net: GuardedFetch, first: Loaded): Source {
  let loaded: Loaded | null = first;
  let address = first.url;
  /** Sequence number of the segment that comes next; null before the first. */
  let place: number | null = null;
  let playlist: Media | null = null;
  let changedMs = Date.now();
  const keys = new Map<string, Buffer>();

  async function load(signal: AbortSignal): Promise<Media> {
    for (let depth = 0; depth < 3; depth++) {
      const { url, text } = loaded ?? (await read(address, signal));
      loaded = null;
      const parsed = parsePlaylist(text);
      if (!parsed.isMasterPlaylist) {
        address = url;
        const next = parsed as Media;
        if (lastOf(next) !== (playlist && lastOf(playlist))) changedMs = Date.now();
        playlist = next;
        return next;
      }
      address = resolve(variantOf(parsed as types.MasterPlaylist).uri, url);
    }
    throw problems.live_source_invalid('The playlist leads to playlists, and never to segments.');
  }

  async function read(url: URL, signal: AbortSignal): Promise<Loaded> {
    const found = await fetchAll(net, url, { maxBytes: PLAYLIST_BYTES, signal });
    return { url: found.url, text: found.bytes.toString('utf8') };
  }

  /** The segment that comes next, once it is there; null at the end of the stream. */
  async function nextSegment(signal: AbortSignal): Promise<Segment | null> {
    for (;;) {
      const { segments, endlist, targetDuration } = playlist ?? (await load(signal));
      const begin = segments[0]?.mediaSequenceNumber ?? 0;
      const end = begin + segments.length;
      // Who begins to count anew has begun anew.
      if (place !== null && place > end + 1) place = null;
      place ??= endlist ? begin : Math.max(begin, end - BEHIND);
      if (place < begin) place = begin;
      const segment = segments[place - begin];
      if (segment) return segment;
      if (endlist) return null;
      const quietMs = Date.now() - changedMs;
      if (quietMs > Math.max(STALLED.ms, STALLED.segments * targetDuration * 1000)) {
        playlist = null;
        changedMs = Date.now();
        throw problems.live_source_refused(`The playlist has not grown for ${Math.round(quietMs / 1000)} seconds.`);
      }
      await sleep(Math.min(1_000, targetDuration * 500), undefined, { signal });
      playlist = await load(signal).catch((error) => {
        playlist = null;
        throw error;
      });
    }
  }

  async function bytesOf(part: { uri: string; byterange?: { length: number; offset: number } }, signal: AbortSignal) {
    const { offset = 0, length = 0 } = part.byterange ?? {};
    const range = part.byterange ? `bytes=${offset}-${offset + length - 1}` : undefined;
    try {
      return (await fetchAll(net, resolve(part.uri, address), { range, maxBytes: SEGMENT_BYTES, signal })).bytes;
    } catch (error) {
      // Others in the playlist may be gone as well: the next look is at a new one.
      playlist = null;
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
    else iv.writeUInt32BE(segment.mediaSequenceNumber, 12);
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
      const takenMs = segment.programDateTime?.getTime() ?? Number.NaN;
      const clockMs = Math.abs(takenMs - Date.now()) < CLOCK_OFF_MS ? takenMs : null;
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
