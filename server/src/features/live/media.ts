import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { ServedFile } from '#platform/http/index';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import { problems } from './problems.ts';
import { EXPIRY_S } from './schema.ts';
import * as store from './store.ts';
import { type Epoch, GOING, type Segment, type Session } from './types.ts';

const MANIFEST = 'live-manifest';
const STREAM = 'live-stream';
/** Who plays may pause for this long and play on. Rounded up, so that the names of segments stay the same for a while. */
const STREAM_S = 24 * 3600;
const ROUNDED_S = 3600;
/** Segments that a live playlist goes back: about five minutes. */
const WINDOW = 150;
/** Said of a stream whose bandwidth is not known yet, in bits per second. */
const BANDWIDTH = 2_000_000;
const M3U8 = 'application/vnd.apple.mpegurl';

export type LiveMediaDeps = {
  database: Database;
  storage: Pick<Storage, 'read'>;
  videos: Pick<Videos, 'find'>;
  secrets: Secrets;
  publicUrl: string;
};

/**
 * What a signed manifest leads to (HLS, RFC 8216). The signed URL is short-lived and names a playlist with a token of its own, as players fetch that again
 * and again. Everything throws `live_url_expired`, `live_url_invalid` (403) or `live_gone` (404).
 */
export function createLiveMedia({ database, storage, videos, secrets, publicUrl }: LiveMediaDeps) {
  const { db } = database;

  async function opened(purpose: string, sessionId: string, token: string): Promise<Session> {
    const verdict = secrets.verify(purpose, sessionId, token);
    if (verdict === 'expired') throw problems.live_url_expired();
    const session = verdict === 'ok' ? await store.findSession(db, sessionId) : null;
    if (!session) throw problems.live_url_invalid();
    return session;
  }

  function streamToken(sessionId: string): string {
    const until = Math.ceil((Date.now() / 1000 + STREAM_S) / ROUNDED_S) * ROUNDED_S;
    return secrets.sign(STREAM, sessionId, new Date(until * 1000));
  }

  /** Where the bytes of a segment are: a file of its own, or a part of the recording. */
  async function placeOf(session: Session, segment: Segment): Promise<{ key: string; start: number }> {
    if (segment.filmOffset === null) {
      if (!GOING.includes(session.status)) throw problems.live_gone();
      return { key: segment.storageKey, start: 0 };
    }
    const epoch = await store.findEpoch(db, session.id, segment.epoch);
    const video = await videos.find(epoch?.videoId ?? session.videoId);
    if (!video) throw problems.live_gone();
    return { key: video.storageKey, start: segment.filmOffset };
  }

  return {
    sign(sessionId: string, expiresIn: number = EXPIRY_S.usual) {
      const expiresAt = new Date(Math.ceil(Date.now() / 1000 + expiresIn) * 1000);
      const token = secrets.sign(MANIFEST, sessionId, expiresAt);
      return {
        url: `${publicUrl}/api/live/media/${sessionId}/index.m3u8?token=${token}`,
        expires_at: expiresAt.toISOString(),
        method: 'GET' as const,
      };
    },

    /** The multivariant playlist. */
    async manifest(sessionId: string, token: string): Promise<ServedFile> {
      const session = await opened(MANIFEST, sessionId, token);
      const epoch = await store.findEpoch(db, sessionId, session.epochs - 1);
      const bandwidth = session.durationS > 0 ? Math.ceil((session.bytes * 8) / session.durationS) : BANDWIDTH;
      const said = epoch ? `,CODECS="${epoch.codecs}",RESOLUTION=${epoch.width}x${epoch.height}` : '';
      return textFile([
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}${said}`,
        `stream.m3u8?token=${streamToken(sessionId)}`,
      ]);
    },

    /** The media playlist: live while the session goes on, whole afterwards. */
    async playlist(sessionId: string, token: string): Promise<ServedFile> {
      const session = await opened(STREAM, sessionId, token);
      const live = GOING.includes(session.status);
      // One more than is told, to know whether the first one told follows on it.
      const from = live ? Math.max(0, session.segments - WINDOW) : 0;
      const found = await store.segmentsFrom(db, sessionId, Math.max(0, from - 1));
      if (!live && session.segments > 0) {
        if (!found[0]) throw problems.live_gone();
        await placeOf(session, found[0]);
      }
      const [before, segments] = from > 0 ? [found[0], found.slice(1)] : [undefined, found];
      return textFile([
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        `#EXT-X-TARGETDURATION:${Math.max(2, Math.ceil(session.longestS))}`,
        ...(live ? [] : ['#EXT-X-PLAYLIST-TYPE:VOD']),
        `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.sequence ?? 0}`,
        // Breaks that are not in the list any more. The tag of a break stands before the segment after it.
        `#EXT-X-DISCONTINUITY-SEQUENCE:${before?.epoch ?? 0}`,
        ...linesOf(segments, before, streamToken(sessionId)),
        ...(live ? [] : ['#EXT-X-ENDLIST']),
      ]);
    },

    /** `init-<epoch>.mp4` or `<sequence>.m4s`. Throws `live_segment_unknown` (404). */
    async part(sessionId: string, token: string, name: string): Promise<ServedFile> {
      const session = await opened(STREAM, sessionId, token);
      const match = /^(?:init-(0|[1-9]\d{0,8})\.mp4|(0|[1-9]\d{0,8})\.m4s)$/.exec(name);
      if (!match) throw problems.live_segment_unknown();
      if (match[1] !== undefined) {
        const epoch = await store.findEpoch(db, sessionId, Number(match[1]));
        if (!epoch) throw problems.live_segment_unknown();
        return initFile(session, epoch);
      }
      const [segment] = await store.segmentsFrom(db, sessionId, Number(match[2]), 1);
      if (!segment) throw problems.live_segment_unknown();
      const { key, start: at } = await placeOf(session, segment);
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

export type LiveMedia = ReturnType<typeof createLiveMedia>;

function linesOf(segments: readonly Segment[], before: Segment | undefined, token: string): string[] {
  let last = before;
  return segments.flatMap((segment, i) => {
    const begins = segment.epoch !== last?.epoch;
    const lines = begins && last ? ['#EXT-X-DISCONTINUITY'] : [];
    if (begins || i === 0) {
      lines.push(`#EXT-X-MAP:URI="init-${segment.epoch}.mp4?token=${token}"`);
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${segment.capturedAt.toISOString()}`);
    }
    last = segment;
    return [...lines, `#EXTINF:${segment.durationS.toFixed(6)},`, `${segment.sequence}.m4s?token=${token}`];
  });
}

function initFile({ id, createdAt }: Session, { epoch, init }: Epoch): ServedFile {
  return {
    ...{ size: init.length, modified: createdAt, etag: `${id}-init-${epoch}`, contentType: 'video/mp4' },
    open: async ({ start, end }) => Readable.from([init.subarray(start, end + 1)]),
  };
}

/** A playlist is another one soon. */
function textFile(lines: string[]): ServedFile {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return {
    ...{ size: bytes.length, modified: new Date(), contentType: M3U8, keptS: 0 },
    etag: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
    open: async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
  };
}
