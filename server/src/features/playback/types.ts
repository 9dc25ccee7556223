import type { DomainEvents } from '#features/events/index';
import type { UrlTokens } from '#features/keys/index';
import type { Videos } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import type { Caller, ServedFile } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Caption, CaptionFormat, Media } from '#platform/media/index';
import type { Storage } from '#platform/storage/index';
import type { SignedUrl, SignedUrlRequest, SignedUrlResult, SignedUrlsRequest } from './schema.ts';
import type { ClipRange } from './signed-urls.ts';

/** A request with a signed URL. `signal` aborts when the client disconnects. */
export type SignedAccess = { videoId: string; method: string; token: string; signal: AbortSignal };

/**
 * Methods that take a `SignedAccess` throw `playback_url_expired`, `playback_url_invalid` (403) or `playback_gone`
 * (404). Those that generate a file also throw `playback_unmakeable` (404) if the video is damaged, and
 * `playback_busy` (503) at the concurrency limit.
 */
export interface Playback {
  /**
   * Signs a URL for a video that the caller can read. Throws `video_not_found` (404), `video_forbidden` (403),
   * `video_not_ready` (409) or `clip_invalid` (400).
   */
  sign(caller: Caller, videoId: string, request: SignedUrlRequest): Promise<SignedUrl>;
  /** Signs several URLs. One that fails does not fail the others. Throws `request_repeated` (400). */
  signMany(caller: Caller, requests: SignedUrlsRequest['requests']): Promise<Record<string, SignedUrlResult>>;
  /** Signs the URL of a poster. The calling room checks access, and that the video is uploaded. */
  posterUrl(videoId: string): string;
  /** Signs the URL of the frame shown at `timeS`, in seconds. The calling room checks the same. */
  frameUrl(videoId: string, timeS: number): string;
  /**
   * Signs the URL of an uploaded file for a day, with the issuer of `token`. The calling room checks access, and that
   * the video is uploaded.
   */
  originalUrl(videoId: string, token: string): string;
  /** The uploaded file and its name; for a chunk, its range as MP4. */
  original(access: SignedAccess): Promise<ServedFile & { name: string }>;
  poster(access: SignedAccess): Promise<ServedFile>;
  /** The frame on screen at `timeS`. Throws `time_outside` (400) past the end. */
  frame(access: SignedAccess, timeS: number): Promise<ServedFile>;
  /** The storyboard's WebVTT, or the JPEG that it refers to. */
  storyboard(access: SignedAccess, part: 'vtt' | 'jpg'): Promise<ServedFile>;
  /**
   * The captions: the subtitle file that was added to the video, otherwise the subtitles in its file, otherwise the
   * transcript.
   */
  captions(access: SignedAccess, format: CaptionFormat): Promise<ServedFile>;
  /** The range of the video that the token was signed for, as MP4. */
  clip(access: SignedAccess, range: ClipRange): Promise<ServedFile>;
  /** The HLS playlist. */
  playlist(access: SignedAccess): Promise<ServedFile>;
  /** `init.mp4` or `<number>.m4s`. Throws `segment_unknown` (404). */
  segment(access: SignedAccess, name: string): Promise<ServedFile>;
  /** Queues segment planning for large videos, before their first playback. */
  onVideosReady(trx: Transaction, event: DomainEvents['videos.ready']): Promise<void>;
  /** Registers the job handlers and the schedule. */
  registerJobs(): void;
}

/**
 * The transcript of what is spoken in a video; null if it was not transcribed. `language`: BCP 47 tag; null if it is
 * unknown.
 */
export type FindTranscript = (
  videoId: string,
) => Promise<{ version: string; captions: readonly Caption[]; language: string | null } | null>;

export type PlaybackDeps = {
  storage: Storage;
  videos: Pick<Videos, 'get' | 'find'>;
  media: Pick<Media, 'frameImage' | 'contactSheet' | 'captions' | 'trim' | 'planSegments'>;
  urlTokens: UrlTokens;
  jobs: Pick<Jobs, 'send' | 'handle' | 'schedule'>;
  findTranscript: FindTranscript;
  /** Base URL of the API for clients, without a trailing slash. */
  publicUrl: string;
};
