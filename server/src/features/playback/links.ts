import type { Secrets } from '#platform/secrets/index';
import { problems } from './problems.ts';
import { DEFAULT_EXPIRY_S, type Kind, type SignedUrlAnswer, type SignedUrlRequest } from './schema.ts';

type Method = 'GET' | 'HEAD';

/** Where each kind is served, after `/api/media/<video id>`. */
const PATHS: Record<Kind, string> = {
  film: '',
  poster: '/poster.jpg',
  frame: '/frame.jpg',
  storyboard: '/storyboard.vtt',
  clip: '/clip.mp4',
  hls: '/hls/index.m3u8',
};

/** The stretch that a clip's token is bound to, in seconds. */
export type Stretch = { start: number; end: number };

const subjectOf = (videoId: string, stretch?: Stretch) =>
  stretch ? `${videoId} ${stretch.start} ${stretch.end}` : videoId;

/** One purpose per kind and method: the link of a poster cannot play the film, one that may only ask about it cannot fetch it. */
const purposeOf = (kind: Kind, method: Method) => `playback-${kind}-${method}`;

/** Signed URLs: made for who may see a video, and checked when somebody comes with one. */
export function createLinks({ secrets, publicUrl }: { secrets: Secrets; publicUrl: string }) {
  return {
    sign(videoId: string, { kind, method, expires_in }: SignedUrlRequest, stretch?: Stretch): SignedUrlAnswer {
      const chosen = { kind: kind ?? 'film', method: method ?? 'GET' } as const;
      // Tokens count in whole seconds.
      const expiresAt = new Date(Math.ceil(Date.now() / 1000 + (expires_in ?? DEFAULT_EXPIRY_S)) * 1000);
      const token = secrets.sign(purposeOf(chosen.kind, chosen.method), subjectOf(videoId, stretch), expiresAt);
      const query = stretch ? `start=${stretch.start}&end=${stretch.end}&` : '';
      return {
        url: `${publicUrl}/api/media/${videoId}${PATHS[chosen.kind]}?${query}token=${token}`,
        expires_at: expiresAt.toISOString(),
        method: chosen.method,
      };
    },

    /** Throws `playback_url_expired` or `playback_url_invalid` (403) unless the token is good for this use of this video now. */
    check(kind: Kind, videoId: string, method: string, token: string, stretch?: Stretch): void {
      const subject = subjectOf(videoId, stretch);
      let verdict = secrets.verify(purposeOf(kind, 'GET'), subject, token);
      if (verdict === 'invalid' && method === 'HEAD') verdict = secrets.verify(purposeOf(kind, 'HEAD'), subject, token);
      if (verdict === 'expired') throw problems.playback_url_expired();
      if (verdict === 'invalid') throw problems.playback_url_invalid();
    },
  };
}
