import type { Readable } from 'node:stream';
import type { Video, Videos } from '#features/videos/index';
import type { Caller } from '#platform/http/index';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import { problems } from './problems.ts';
import { DEFAULT_EXPIRY_S, type SignedUrlRequest } from './schema.ts';

export type SignedUrl = { url: string; expires_at: string; method: 'GET' | 'HEAD' };

/** The film behind a signed URL. */
export type Film = {
  name: string;
  contentType: string;
  size: number;
  modified: Date;
  etag: string;
  open(range: { start: number; end: number; signal: AbortSignal }): Promise<Readable>;
};

export interface Playback {
  /** A URL that plays the caller's video. Throws `video_not_found` (404), `video_forbidden` (403) or `video_not_ready` (409). */
  sign(caller: Caller, videoId: string, request: SignedUrlRequest): Promise<SignedUrl>;
  /** The film, if the token is good for this method now. Throws `playback_url_expired`, `playback_url_invalid` (403) or `playback_gone` (404). */
  film(videoId: string, method: string, token: string): Promise<Film>;
}

export type PlaybackDeps = {
  storage: Storage;
  videos: Pick<Videos, 'get' | 'find'>;
  secrets: Secrets;
  /** Address that clients reach the API under, without a trailing slash. */
  publicUrl: string;
};

/** One purpose per method, so that a URL that may only ask about a film cannot fetch it. */
const purposeOf = (method: 'GET' | 'HEAD') => `playback-${method}`;

/** Containers as browsers know them, by the name the media engine gives; others are left for the player to find out. */
const CONTENT_TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  mov: 'video/mp4',
  webm: 'video/webm',
  matroska: 'video/x-matroska',
  avi: 'video/x-msvideo',
  mpegts: 'video/mp2t',
  mpeg: 'video/mpeg',
  flv: 'video/x-flv',
  ogg: 'video/ogg',
  asf: 'video/x-ms-asf',
  gif: 'image/gif',
};

export function createPlaybackService({ storage, videos, secrets, publicUrl }: PlaybackDeps): Playback {
  return {
    async sign(caller, videoId, { expires_in, method }) {
      const video = await videos.get(caller, videoId);
      if (video.status !== 'UPLOADED') throw problems.video_not_ready(video.problem?.message);
      const chosen = method ?? 'GET';
      // Tokens count in whole seconds.
      const expiresAt = new Date(Math.ceil(Date.now() / 1000 + (expires_in ?? DEFAULT_EXPIRY_S)) * 1000);
      const token = secrets.sign(purposeOf(chosen), videoId, expiresAt);
      return {
        url: `${publicUrl}/api/media/${videoId}?token=${token}`,
        expires_at: expiresAt.toISOString(),
        method: chosen,
      };
    },

    async film(videoId, method, token) {
      let verdict = secrets.verify(purposeOf('GET'), videoId, token);
      if (verdict === 'invalid' && method === 'HEAD') verdict = secrets.verify(purposeOf('HEAD'), videoId, token);
      if (verdict === 'expired') throw problems.playback_url_expired();
      if (verdict === 'invalid') throw problems.playback_url_invalid();
      const video = await videos.find(videoId);
      const stored = video?.status === 'UPLOADED' ? await storage.stat(video.storageKey) : null;
      if (!video || !stored) throw problems.playback_gone();
      return {
        name: video.name,
        contentType: contentTypeOf(video),
        size: stored.size,
        modified: stored.modified,
        // The bytes of a video never change.
        etag: video.sha256 ?? videoId,
        open: (range) => storage.read(video.storageKey, range),
      };
    },
  };
}

function contentTypeOf({ probe }: Video): string {
  const names = probe?.container.split(',') ?? [];
  return names.map((name) => CONTENT_TYPES[name]).find(Boolean) ?? 'application/octet-stream';
}
