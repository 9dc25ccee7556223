import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Issuer, UrlTokens } from '#features/keys/index';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { ServedFile } from '#platform/http/index';
import type { Storage } from '#platform/storage/index';
import { problems } from './problems.ts';
import { EXPIRY_S } from './schema/index.ts';
import * as store from './store.ts';
import {
  type LiveSession,
  OPEN_STATUSES,
  PARTS_CHANNEL,
  type RecordedEpoch,
  type RecordedPart,
  type RecordedSegment,
  SESSION_CHANNEL,
} from './types.ts';

const MANIFEST = 'live-manifest';
const STREAM = 'live-stream';
/** Lifetime of playlist tokens: playback may pause that long. Rounded up, so that segment URLs stay cacheable. */
const STREAM_S = 24 * 3600;
const ROUNDED_S = 3600;
/** Number of segments in a live playlist: about five minutes. */
const WINDOW = 150;
/** Number of segments in the playlist of a preview: about twenty seconds. */
const PREVIEW_WINDOW = 10;
/** Number of segments in a playlist that starts at a given time: about an hour. */
const LONGEST_PART = 1_800;
/** Bandwidth of a stream before it is known, in bits per second. */
const BANDWIDTH = 2_000_000;
const M3U8 = 'application/vnd.apple.mpegurl';

export type LivePlaybackDeps = {
  database: Database;
  storage: Pick<Storage, 'read'>;
  videos: Pick<Videos, 'find'>;
  urlTokens: UrlTokens;
  publicUrl: string;
};

/** A playlist has the part from a time on, or for a preview only the last segments. */
type Listing = { startS?: number; preview?: boolean };
export type SignOptions = Listing & { expiresIn?: number };
type PlaylistRequest = Listing & { token: string };
/** `after`: the number of a segment, and of a part of it, that the playlist is to contain. */
type MediaPlaylistRequest = PlaylistRequest & { after?: { sequence: number; part: number | null } | null };

/** A viewer counts for this long after each playlist, in seconds. */
const WATCHED_S = 30;
/** Longest wait of a player for the next part. */
const BLOCK_MS = 8_000;
/** Duration of parts that players expect, and their distance from the live edge, in seconds. */
const PART_S = 1 / 3;
const HOLD_BACK_PARTS = 3;
/** A segment has fewer parts. */
const MOST_PARTS = 1_000;

/**
 * Serves the HLS playlists and segments of a session (RFC 8216). The signed manifest URL is short-lived; the playlist
 * in it has its own token, as players reload it. All methods throw `live_url_expired`, `live_url_invalid` (403) or
 * `live_gone` (404).
 */
export function createLivePlayback({ database, storage, videos, urlTokens, publicUrl }: LivePlaybackDeps) {
  const { db } = database;

  async function open(purpose: string, sessionId: string, token: string): Promise<LiveSession> {
    const verdict = await urlTokens.verify(purpose, sessionId, token);
    if (verdict === 'expired') throw problems.live_url_expired();
    const session = verdict === 'ok' ? await store.findSession(db, sessionId) : null;
    if (!session) throw problems.live_url_invalid();
    return session;
  }

  /** A token for the media playlist, with the issuer of `token`. */
  function streamToken(sessionId: string, token: string): string {
    const until = Math.ceil((Date.now() / 1000 + STREAM_S) / ROUNDED_S) * ROUNDED_S;
    return urlTokens.derive(token, STREAM, sessionId, new Date(until * 1000));
  }

  /** Location of the bytes of a segment: its own file, or the recording. */
  async function locateSegment(
    session: LiveSession,
    segment: RecordedSegment,
  ): Promise<{ key: string; start: number }> {
    if (segment.recordingOffset === null) {
      if (!OPEN_STATUSES.includes(session.status)) throw problems.live_gone();
      return { key: segment.storageKey, start: 0 };
    }
    const epoch = await store.findEpoch(db, session.id, segment.epoch);
    const video = await videos.find(epoch?.videoId ?? session.videoId);
    if (!video) throw problems.live_gone();
    return { key: video.storageKey, start: segment.recordingOffset };
  }

  /** Sessions whose players wait for a part, with what lets them continue. */
  const waiting = new Map<string, Set<() => void>>();
  let listening: Promise<unknown> | null = null;
  const listen = () => {
    listening ??= database.listen(PARTS_CHANNEL, (sessionId) => {
      for (const [id, resumes] of waiting) if (sessionId === null || id === sessionId) for (const go of resumes) go();
    });
    return listening;
  };

  /** Waits until an open session has a segment or a part of it, or for a few seconds. Returns the session then. */
  async function waitFor(
    session: LiveSession,
    { sequence, part }: { sequence: number; part: number | null },
  ): Promise<LiveSession> {
    await listen();
    const { id } = session;
    for (const endMs = Date.now() + BLOCK_MS; ; ) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const resumes = waiting.get(id) ?? new Set();
      waiting.set(id, resumes.add(resolve));
      try {
        const now = await store.findSession(db, id);
        const isThere =
          !now || !OPEN_STATUSES.includes(now.status) || now.segmentCount > sequence || Date.now() > endMs;
        if (isThere) return now ?? session;
        if (part !== null && (await store.findPartData(db, id, { sequence, part }))) return now;
        const timer = new AbortController();
        await Promise.race([promise, sleep(endMs - Date.now(), undefined, timer).catch(() => {})]);
        timer.abort();
      } finally {
        resumes.delete(resolve);
        if (resumes.size === 0) waiting.delete(id);
      }
    }
  }

  /** The recorder makes parts of segments while somebody watches. */
  async function noteViewer({ id, status }: LiveSession): Promise<void> {
    if (!OPEN_STATUSES.includes(status)) return;
    await database.transaction(async (trx) => {
      if (await store.setWatched(trx, id, WATCHED_S)) await database.notify(trx, SESSION_CHANNEL, id);
    });
  }

  return {
    noteViewer,

    /** With `startS`, playback starts at this time of the stream. */
    sign(caller: Issuer, sessionId: string, { expiresIn = EXPIRY_S.default, ...listing }: SignOptions = {}) {
      const expiresAt = new Date(Math.ceil(Date.now() / 1000 + expiresIn) * 1000);
      const token = urlTokens.sign(MANIFEST, sessionId, expiresAt, caller);
      const url = `${publicUrl}/api/live/media/${sessionId}/index.m3u8?token=${token}${queryOf(listing)}`;
      return { url, expiresAt, method: 'GET' as const };
    },

    /** The multivariant playlist. */
    async manifest(sessionId: string, { token, ...listing }: PlaylistRequest): Promise<ServedFile> {
      const session = await open(MANIFEST, sessionId, token);
      const epoch = await store.findEpoch(db, sessionId, session.epochCount - 1);
      const storedS = session.durationS - session.discardedS;
      const bandwidth = storedS > 0 ? Math.ceil((session.bytes * 8) / storedS) : BANDWIDTH;
      const format = epoch ? `,CODECS="${epoch.codecs}",RESOLUTION=${epoch.width}x${epoch.height}` : '';
      return textFile([
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}${format}`,
        `stream.m3u8?token=${streamToken(sessionId, token)}${queryOf(listing)}`,
      ]);
    },

    /** The media playlist: the last segments of a running session, all of another, or those from a time on. */
    async playlist(
      sessionId: string,
      { token, startS, preview = false, after }: MediaPlaylistRequest,
    ): Promise<ServedFile> {
      let session = await open(STREAM, sessionId, token);
      const isPart = startS !== undefined;
      // Only players at the live edge wait for parts, and cause them; those of previews do not.
      const hasParts = !isPart && !preview;
      if (hasParts) await noteViewer(session);
      if (after && OPEN_STATUSES.includes(session.status)) session = await waitFor(session, after);
      const isOpen = OPEN_STATUSES.includes(session.status);
      const from = isPart
        ? await store.findSequenceAt(db, sessionId, startS)
        : isOpen
          ? Math.max(0, session.segmentCount - (preview ? PREVIEW_WINDOW : WINDOW))
          : 0;
      const live = isOpen && !(isPart && session.segmentCount > from + LONGEST_PART);
      // One more than is listed, to know if the first listed one continues it.
      const first = Math.max(0, from - 1);
      const limit = isPart ? from - first + LONGEST_PART : undefined;
      const found = await store.listSegments(db, sessionId, first, limit);
      // The live edge begins after what was discarded; elsewhere players of a running session skip it.
      const edge = isOpen && !isPart ? found.findLastIndex(isDiscarded) + 1 : 0;
      const begin = Math.max(edge, found.filter(({ sequence }) => sequence < from).length);
      const before = found[begin - 1];
      const listed = found.slice(begin);
      const segments = isOpen ? listed : listed.filter((segment) => !isDiscarded(segment));
      if (!live && session.segmentCount > 0) {
        if (!segments[0]) throw problems.live_gone();
        await locateSegment(session, segments[0]);
      }
      const parts = isOpen && hasParts ? await store.listParts(db, sessionId) : [];
      return textFile([
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        `#EXT-X-TARGETDURATION:${Math.max(2, Math.ceil(session.longestSegmentS))}`,
        ...(preview ? [] : controlLines(parts, live)),
        ...(live ? (isPart ? ['#EXT-X-PLAYLIST-TYPE:EVENT'] : []) : ['#EXT-X-PLAYLIST-TYPE:VOD']),
        `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.sequence ?? 0}`,
        // Number of discontinuities that have left the playlist.
        `#EXT-X-DISCONTINUITY-SEQUENCE:${before?.epoch ?? 0}`,
        ...linesOf(segments, before, streamToken(sessionId, token), parts),
        ...(live ? [] : ['#EXT-X-ENDLIST']),
      ]);
    },

    /** `init-<epoch>.mp4`, `<sequence>.m4s` or `<sequence>.<part>.m4s`. Throws `live_segment_unknown` (404). */
    async part(sessionId: string, token: string, name: string): Promise<ServedFile> {
      const session = await open(STREAM, sessionId, token);
      const match = /^(?:init-(0|[1-9]\d{0,8})\.mp4|(0|[1-9]\d{0,8})(?:\.(0|[1-9]\d{0,4}))?\.m4s)$/.exec(name);
      if (!match) throw problems.live_segment_unknown();
      if (match[1] !== undefined) {
        const epoch = await store.findEpoch(db, sessionId, Number(match[1]));
        if (!epoch) throw problems.live_segment_unknown();
        return initFile(session, epoch);
      }
      if (match[3] !== undefined) {
        const [sequence, part] = [Number(match[2]), Number(match[3])];
        // The next part is hinted at before it is there.
        const isNext = sequence === session.segmentCount && part <= MOST_PARTS;
        if (isNext) await waitFor(session, { sequence, part });
        const data = await store.findPartData(db, sessionId, { sequence, part });
        if (!data) throw problems.live_segment_unknown();
        return {
          size: data.length,
          modified: new Date(),
          etag: `${sessionId}-${name}`,
          contentType: 'video/iso.segment',
          open: async ({ start, end }) => Readable.from([data.subarray(start, end + 1)]),
        };
      }
      const [segment] = await store.listSegments(db, sessionId, Number(match[2]), 1);
      if (!segment || isDiscarded(segment)) throw problems.live_segment_unknown();
      const { key, start: at } = await locateSegment(session, segment);
      return {
        size: segment.bytes,
        modified: segment.capturedAt,
        etag: `${sessionId}-${segment.sequence}`,
        contentType: 'video/iso.segment',
        open: ({ start, end, signal }) => storage.read(key, { start: at + start, end: at + end, signal }),
      };
    },
  };
}

export type LivePlayback = ReturnType<typeof createLivePlayback>;

const isDiscarded = ({ decision }: RecordedSegment) => decision === 'discarded';

const queryOf = ({ startS, preview }: Listing) =>
  `${startS === undefined ? '' : `&start_s=${startS}`}${preview ? '&preview=true' : ''}`;

/** Controls requests of players at the live edge, once there are parts (RFC 8216bis). */
function controlLines(parts: readonly RecordedPart[], live: boolean): string[] {
  if (!live) return [];
  if (parts.length === 0) return ['#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES'];
  const targetS = Math.max(PART_S, ...parts.map(({ durationS }) => durationS));
  return [
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${(HOLD_BACK_PARTS * targetS).toFixed(6)}`,
    `#EXT-X-PART-INF:PART-TARGET=${targetS.toFixed(6)}`,
  ];
}

function linesOf(
  segments: readonly RecordedSegment[],
  before: RecordedSegment | undefined,
  token: string,
  parts: readonly RecordedPart[],
): string[] {
  const partsOf = (of: number) =>
    parts
      .filter(({ sequence }) => sequence === of)
      .map(({ part, durationS, independent }) => {
        const uri = `URI="${of}.${part}.m4s?token=${token}"`;
        return `#EXT-X-PART:DURATION=${durationS.toFixed(6)},${uri}${independent ? ',INDEPENDENT=YES' : ''}`;
      });
  let last = before;
  const listed = segments.flatMap((segment, i) => {
    const begins = segment.epoch !== last?.epoch;
    const lines = begins && last ? ['#EXT-X-DISCONTINUITY'] : [];
    if (begins || i === 0) {
      lines.push(`#EXT-X-MAP:URI="init-${segment.epoch}.mp4?token=${token}"`);
    }
    // Of each segment, because the clock of a camera and that of its frames differ.
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${segment.capturedAt.toISOString()}`);
    last = segment;
    if (isDiscarded(segment)) lines.push('#EXT-X-GAP');
    return [
      ...lines,
      ...partsOf(segment.sequence),
      `#EXTINF:${segment.durationS.toFixed(6)},${segment.streamS.toFixed(3)}`,
      `${segment.sequence}.m4s?token=${token}`,
    ];
  });
  if (!last || parts.length === 0) return listed;
  // The segment that is being recorded, and the part that a player may ask for before it is there.
  const next = last.sequence + 1;
  const recent = partsOf(next);
  const hint = `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${next}.${recent.length}.m4s?token=${token}"`;
  return [...listed, ...recent, hint];
}

function initFile({ id, createdAt }: LiveSession, { epoch, init }: RecordedEpoch): ServedFile {
  return {
    size: init.length,
    modified: createdAt,
    etag: `${id}-init-${epoch}`,
    contentType: 'video/mp4',
    open: async ({ start, end }) => Readable.from([init.subarray(start, end + 1)]),
  };
}

/** Playlists change and are not cached. */
function textFile(lines: string[]): ServedFile {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return {
    size: bytes.length,
    modified: new Date(),
    contentType: M3U8,
    keptS: 0,
    etag: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
    open: async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
  };
}
