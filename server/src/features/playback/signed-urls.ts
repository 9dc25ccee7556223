import type { Issuer, UrlTokens } from '#features/keys/index';
import { problems } from './problems.ts';
import { DEFAULT_EXPIRY_S, type PlaybackKind, type SignedUrl, type SignedUrlRequest } from './schema.ts';

type Method = 'GET' | 'HEAD';

/** Path of each kind below `/api/media/<video id>`. */
const PATHS: Record<PlaybackKind, string> = {
  film: '',
  poster: '/poster.jpg',
  frame: '/frame.jpg',
  storyboard: '/storyboard.vtt',
  captions: '/captions.vtt',
  captions_srt: '/captions.srt',
  clip: '/clip.mp4',
  hls: '/hls/index.m3u8',
};

/** Range of the video that a clip's token is valid for, in seconds. */
export type ClipRange = { start: number; end: number };

const toSubject = (videoId: string, range?: ClipRange) => (range ? `${videoId} ${range.start} ${range.end}` : videoId);

/** Purpose that a token is signed for. A token for one kind or method is not valid for another. */
const toPurpose = (kind: PlaybackKind, method: Method) => `playback-${kind}-${method}`;

/** Signs URLs for videos, and verifies the tokens of requests. */
export function createUrlSigner({ urlTokens, publicUrl }: { urlTokens: UrlTokens; publicUrl: string }) {
  return {
    /** `issuer`: the caller with whose key or account the URL ends, or a token that was signed for one. */
    sign(
      videoId: string,
      { kind, method, expiresIn }: SignedUrlRequest,
      { range, issuer = null }: { range?: ClipRange | undefined; issuer?: Issuer | string | null } = {},
    ): SignedUrl {
      const options = { kind: kind ?? 'film', method: method ?? 'GET' } as const;
      // Tokens count in whole seconds.
      const expiresAt = new Date(Math.ceil(Date.now() / 1000 + (expiresIn ?? DEFAULT_EXPIRY_S)) * 1000);
      const signed = [toPurpose(options.kind, options.method), toSubject(videoId, range), expiresAt] as const;
      const token =
        typeof issuer === 'string' ? urlTokens.derive(issuer, ...signed) : urlTokens.sign(...signed, issuer);
      const query = range ? `start=${range.start}&end=${range.end}&` : '';
      return {
        url: `${publicUrl}/api/media/${videoId}${PATHS[options.kind]}?${query}token=${token}`,
        expiresAt,
        method: options.method,
      };
    },

    /**
     * Throws `playback_url_expired` or `playback_url_invalid` (403) unless the token is valid for this video, kind and
     * method.
     */
    async check(kind: PlaybackKind, videoId: string, method: string, token: string, range?: ClipRange): Promise<void> {
      const subject = toSubject(videoId, range);
      let status = await urlTokens.verify(toPurpose(kind, 'GET'), subject, token);
      if (status === 'invalid' && method === 'HEAD') {
        status = await urlTokens.verify(toPurpose(kind, 'HEAD'), subject, token);
      }
      if (status === 'expired') throw problems.playback_url_expired();
      if (status === 'invalid') throw problems.playback_url_invalid();
    },
  };
}
