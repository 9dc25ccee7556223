import { parse, setOptions, type types } from 'hls-parser';
import { problems } from './problems.ts';
import type { Recorded } from './source.ts';

/** Segments from the end at which a live stream is joined. */
const BEHIND = 3;
/** A source's clock that is this much off is wrong. */
const CLOCK_OFF_MS = 10 * 60_000;
/** Pictures larger than this are not asked for where there is a choice. */
const MOST_ROWS = 1_080;
/** The most bytes that a playlist may have: a day of segments, with the time of each. */
export const PLAYLIST_BYTES = 2 * 2 ** 20;
/** Lines that name streams and keys, and how many of them a playlist may have: reading them takes time by their cube. */
const STREAM = /^[^\S\n]*#EXT-X-(?:MEDIA|STREAM-INF|I-FRAME-STREAM-INF|SESSION-KEY|SESSION-DATA)[^\S\n]*:/gm;
const MOST_STREAMS = 300;
/** What begins this much before the end of what is recorded comes after it: clocks are not exact. */
const INEXACT_S = 0.5;

// As RFC 8216 requires it; others' playlists lack it all the same.
export type MediaPlaylist = Omit<types.MediaPlaylist, 'targetDuration'> & { targetDuration: number | undefined };
export type Segment = types.Segment;

/** Throws `live_source_invalid`. */
export function parsePlaylist(text: string): types.MasterPlaylist | MediaPlaylist {
  const streams = text.match(STREAM)?.length ?? 0;
  if (streams > MOST_STREAMS) {
    throw problems.live_source_invalid(`The playlist names ${streams} streams; ${MOST_STREAMS} are read.`);
  }
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
export function mediaOf(playlist: MediaPlaylist): MediaPlaylist {
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
export const isClockRight = ({ segments }: MediaPlaylist) =>
  Math.abs(Date.now() - (segments.at(-1)?.programDateTime?.getTime() ?? Number.NaN)) < CLOCK_OFF_MS;

/** At which of its segments a stream is joined: the first that is not recorded, where that can be told, else the first of a film or the last but some. */
export function joinAt(playlist: MediaPlaylist, recorded: Recorded | null): number {
  const { segments, endlist } = playlist;
  const isClocked = isClockRight(playlist);
  if (!recorded || !(isClocked || endlist)) return endlist ? 0 : Math.max(0, segments.length - BEHIND);
  let atS = 0;
  for (const [i, { programDateTime, duration }] of segments.entries()) {
    const beginS = isClocked ? Number(programDateTime) / 1000 : atS;
    if (beginS > (isClocked ? recorded.untilMs / 1000 : recorded.seconds) - INEXACT_S) {
      // Where the recording ended is gone: the oldest segment is about to vanish as well.
      const isGone = i === 0 && !endlist && isClocked && beginS > recorded.untilMs / 1000 + INEXACT_S;
      return isGone && segments.length > BEHIND ? 1 : i;
    }
    atS += duration;
  }
  return segments.length;
}

/** A segment of a playlist as far as those of others can be held to it: its number, when it was taken, and how many seconds come before it. */
export type Place = { number: number; takenMs: number | null; atS: number };

export function placeOf({ segments }: MediaPlaylist, { mediaSequenceNumber: number, programDateTime }: Segment): Place {
  let atS = 0;
  for (const segment of segments) if (segment.mediaSequenceNumber < number) atS += segment.duration;
  return { number, takenMs: programDateTime?.getTime() ?? null, atS };
}

/** Which segment goes with a place in another playlist of the same stream: by its clock, else by the time from the start of a film, else by its number. */
export function segmentAt(playlist: MediaPlaylist, { number, takenMs, atS }: Place): number {
  const { segments, endlist } = playlist;
  if (takenMs !== null && segments[0]?.programDateTime) {
    return Math.max(
      0,
      segments.findLastIndex((segment) => Number(segment.programDateTime) <= takenMs),
    );
  }
  if (endlist) {
    let untilS = 0;
    for (const [index, { duration }] of segments.entries()) {
      untilS += duration;
      if (untilS > atS) return index;
    }
    return segments.length;
  }
  const index = number - segments[0]!.mediaSequenceNumber;
  return index >= 0 && index <= segments.length ? index : joinAt(playlist, null);
}

/** The best variant that has pictures of a usual size, else the smallest there is. */
export function variantOf({ variants }: types.MasterPlaylist): types.Variant {
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

/** Where the sound of a variant is, when it is not among its pictures. */
export function soundOf({ audio }: types.Variant): string | null {
  const rendition = audio.find(({ isDefault }) => isDefault) ?? audio.find(({ autoselect }) => autoselect) ?? audio[0];
  return rendition?.uri ?? null;
}

export const lastOf = ({ segments }: MediaPlaylist) => segments.at(-1)?.mediaSequenceNumber ?? -1;

/** Where a reference in a playlist leads. Credentials go on to the same origin only. */
export function resolve(uri: string, base: URL): URL {
  const url = URL.parse(uri, base.href);
  if (!url) throw problems.live_source_invalid('The playlist names something that is no URL.');
  if (url.origin === base.origin && !url.username) [url.username, url.password] = [base.username, base.password];
  return url;
}
