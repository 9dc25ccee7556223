import { parse, setOptions, type types } from 'hls-parser';
import { problems } from '../problems.ts';
import type { RecordedPosition } from './types.ts';

/** Number of segments before the end at which a live stream is joined. */
const JOIN_DISTANCE = 3;
/** A source clock that differs by more than this is ignored. */
const MAX_CLOCK_ERROR_MS = 10 * 60_000;
/** Larger frames are not requested if the stream offers a choice. */
const MAX_HEIGHT = 1_080;
/** Largest playlist: one day of segments with a time each. */
export const MAX_PLAYLIST_BYTES = 2 * 2 ** 20;
/** Tags that name streams and keys, and their highest number: parsing takes time cubic in it. */
const STREAM = /^[^\S\n]*#EXT-X-(?:MEDIA|STREAM-INF|I-FRAME-STREAM-INF|SESSION-KEY|SESSION-DATA)[^\S\n]*:/gm;
const MAX_STREAMS = 300;
/** A segment that starts at most this long before the recorded end counts as the next one: clocks are inexact. */
const TOLERANCE_S = 0.5;

// RFC 8216 requires the target duration, but some playlists lack it.
export type MediaPlaylist = Omit<types.MediaPlaylist, 'targetDuration'> & { targetDuration: number | undefined };
export type HlsSegment = types.Segment;

/** Throws `live_source_invalid`. */
export function parsePlaylist(text: string): types.MasterPlaylist | MediaPlaylist {
  const streams = text.match(STREAM)?.length ?? 0;
  if (streams > MAX_STREAMS) {
    throw problems.live_source_invalid(`The playlist lists ${streams} streams; at most ${MAX_STREAMS} are supported.`);
  }
  // Warnings about other people's playlists do not belong in the log.
  setOptions({ silent: true });
  try {
    return parse(text);
  } catch (cause) {
    throw problems.live_source_invalid(`The playlist is not valid: ${(cause as Error).message.slice(0, 200)}`, {
      cause,
    });
  }
}

/**
 * A playlist reduced to complete segments, each with a time if an earlier segment has one. Throws
 * `live_source_refused`.
 */
export function toMediaPlaylist(playlist: MediaPlaylist): MediaPlaylist {
  // With low-latency HLS the last segment may only have parts and no URI yet.
  playlist.segments = playlist.segments.filter(({ uri }) => uri);
  const { segments, endlist, targetDuration } = playlist;
  const begin = segments[0]?.mediaSequenceNumber ?? 0;
  if (!endlist && targetDuration === undefined) {
    throw problems.live_source_refused(
      'The playlist does not state the duration of its segments (EXT-X-TARGETDURATION).',
    );
  }
  if (!Number.isSafeInteger(begin) || begin < 0) {
    throw problems.live_source_refused('The playlist does not number its segments (EXT-X-MEDIA-SEQUENCE).');
  }
  for (const [i, { programDateTime, duration }] of segments.entries()) {
    const next = segments[i + 1];
    if (next && programDateTime) next.programDateTime ??= new Date(programDateTime.getTime() + duration * 1000);
  }
  return playlist;
}

/** True if the time of the last segment is close to the current time. */
export const hasPlausibleClock = ({ segments }: MediaPlaylist) =>
  Math.abs(Date.now() - (segments.at(-1)?.programDateTime?.getTime() ?? Number.NaN)) < MAX_CLOCK_ERROR_MS;

/**
 * Index of the segment at which a stream is joined: the first unrecorded one if that is known, else the first one of an
 * ended stream or one close to the end of a live stream.
 */
export function findJoinIndex(playlist: MediaPlaylist, recorded: RecordedPosition | null): number {
  const { segments, endlist } = playlist;
  const isClocked = hasPlausibleClock(playlist);
  if (!recorded || !(isClocked || endlist)) return endlist ? 0 : Math.max(0, segments.length - JOIN_DISTANCE);
  let atS = 0;
  for (const [i, { programDateTime, duration }] of segments.entries()) {
    const beginS = isClocked ? Number(programDateTime) / 1000 : atS;
    if (beginS > (isClocked ? recorded.untilMs / 1000 : recorded.seconds) - TOLERANCE_S) {
      // The segment after the recording is no longer listed, and the oldest listed one is about to be removed.
      const isMissing = i === 0 && !endlist && isClocked && beginS > recorded.untilMs / 1000 + TOLERANCE_S;
      return isMissing && segments.length > JOIN_DISTANCE ? 1 : i;
    }
    atS += duration;
  }
  return segments.length;
}

/** Position of a segment, for comparison with the segments of another playlist. */
export type SegmentPosition = {
  /** Media sequence number. */
  number: number;
  /** Capture time in Unix milliseconds; null if the playlist does not state it. */
  capturedMs: number | null;
  /** Duration of the segments listed before it, in seconds. */
  atS: number;
};

export function toSegmentPosition(
  { segments }: MediaPlaylist,
  { mediaSequenceNumber: number, programDateTime }: HlsSegment,
): SegmentPosition {
  let atS = 0;
  for (const segment of segments) if (segment.mediaSequenceNumber < number) atS += segment.duration;
  return { number, capturedMs: programDateTime?.getTime() ?? null, atS };
}

/**
 * Index of the segment at a position of another playlist: by capture time, else by time from the start of an ended
 * stream, else by number.
 */
export function findSegmentIndex(playlist: MediaPlaylist, { number, capturedMs, atS }: SegmentPosition): number {
  const { segments, endlist } = playlist;
  if (capturedMs !== null && segments[0]?.programDateTime) {
    return Math.max(
      0,
      segments.findLastIndex((segment) => Number(segment.programDateTime) <= capturedMs),
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
  return index >= 0 && index <= segments.length ? index : findJoinIndex(playlist, null);
}

/** The variant with the highest bandwidth among those of at most 1080 lines, else the one with the lowest. */
export function chooseVariant({ variants }: types.MasterPlaylist): types.Variant {
  const playable = variants.filter(({ isIFrameOnly }) => !isIFrameOnly);
  const heightOf = ({ resolution }: types.Variant) => resolution?.height ?? 0;
  const withVideo = playable.filter((variant) => heightOf(variant) > 0);
  const candidates = withVideo.length > 0 ? withVideo : playable;
  const small = candidates.filter((variant) => heightOf(variant) <= MAX_HEIGHT);
  const sorted = (small.length > 0 ? small : candidates).toSorted((a, b) => b.bandwidth - a.bandwidth);
  const chosen = small.length > 0 ? sorted[0] : sorted.at(-1);
  if (!chosen) throw problems.live_source_invalid('The playlist lists no playable stream.');
  return chosen;
}

/** URI of the audio rendition of a variant; null if its segments include the audio. */
export function getAudioUri({ audio }: types.Variant): string | null {
  const rendition = audio.find(({ isDefault }) => isDefault) ?? audio.find(({ autoselect }) => autoselect) ?? audio[0];
  return rendition?.uri ?? null;
}

export const getLastSequence = ({ segments }: MediaPlaylist) => segments.at(-1)?.mediaSequenceNumber ?? -1;

/** Resolves a URI of a playlist. Credentials are passed on to the same origin only. */
export function resolveUri(uri: string, base: URL): URL {
  const url = URL.parse(uri, base.href);
  if (!url) throw problems.live_source_invalid('The playlist contains an invalid URL.');
  if (url.origin === base.origin && !url.username) [url.username, url.password] = [base.username, base.password];
  return url;
}
