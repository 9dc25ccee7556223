import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { DomainEvents } from '#features/events/index';
import { getWithChunk, listChunks, parseChunkId, subtitlesKey, type Video, type Videos } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import type { Caller, ServedFile } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import {
  type Caption,
  type CaptionFormat,
  captionsToWebVtt,
  formatCaptions,
  type Media,
  readSubtitleFile,
} from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import { createHls } from './hls.ts';
import { planStream, sweepRenditions } from './jobs.ts';
import { problems } from './problems.ts';
import { createRenditions, type RenderRendition, removeOldRenditions, toRenditionProblem } from './renditions.ts';
import {
  MAX_CLIP_S,
  type PlaybackKind,
  type SignedUrl,
  type SignedUrlRequest,
  type SignedUrlResult,
  type SignedUrlsRequest,
} from './schema.ts';
import { type ClipRange, createUrlSigner } from './signed-urls.ts';
import { createSingleFlight } from './single-flight.ts';
import { layOutStoryboard, toWebVtt } from './storyboard.ts';

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
  /** Signs the URL of an uploaded file for a day. The calling room checks access, and that the video is uploaded. */
  originalUrl(videoId: string): string;
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

export type PlaybackDeps = {
  storage: Storage;
  videos: Pick<Videos, 'get' | 'find'>;
  media: Pick<Media, 'frameImage' | 'contactSheet' | 'captions' | 'trim' | 'planSegments'>;
  secrets: Secrets;
  jobs: Pick<Jobs, 'send' | 'handle' | 'schedule'>;
  /** The transcript of what is spoken in a video; null if it was not transcribed. */
  findTranscript: (videoId: string) => Promise<{ version: string; captions: readonly Caption[] } | null>;
  /** Base URL of the API for clients, without a trailing slash. */
  publicUrl: string;
};

/** Position of the poster as a fraction of the duration. Not 0, because many videos start with black frames. */
const POSTER_POSITION = 0.1;
const POSTER_SIDE = 1_280;
/** Lifetime of posters in lists. */
const POSTER_LIFETIME_S = 3600;
/** Lifetime of the files of exports. */
const ORIGINAL_LIFETIME_S = 86_400;
/** Size of the in-memory frame cache in bytes. Frames are not stored, because one URL gives access to all of them. */
const FRAME_CACHE_BYTES = 32 * 2 ** 20;
/**
 * Pending generations per node, including queued ones, so that the last in the queue waits about ten seconds. Posters
 * have the highest limit, because a library page requests many at once.
 */
const MAX_PENDING = { posters: 200, frames: 64, renditions: 32, plans: 4 };
/** Retention time of clips and segments. */
const RENDITION_RETENTION_MS = 30 * 86_400_000;
/** Smaller videos are planned on first playback, which takes less than half a second. */
const PLAN_AHEAD_BYTES = 128 * 2 ** 20;

const CAPTION_TYPES: Record<CaptionFormat, string> = {
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
};
/** Sizes of files without captions, in bytes. */
const EMPTY_SIZES: Record<CaptionFormat, number> = { vtt: captionsToWebVtt([]).length, srt: 0 };

/** MIME types by the media engine's container names. Others are served as `application/octet-stream`. */
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

export function createPlayback(deps: PlaybackDeps): Playback {
  const { storage, videos, media, secrets, jobs, publicUrl, findTranscript } = deps;
  const urls = createUrlSigner({ secrets, publicUrl });
  const posters = createRenditions({ storage, videos, maxPending: MAX_PENDING.posters });
  const renditions = createRenditions({ storage, videos, maxPending: MAX_PENDING.renditions });
  const plans = createRenditions({ storage, videos, maxPending: MAX_PENDING.plans });
  const hls = createHls({ media, renditions, plans });
  const frames = new LRUCache<string, Buffer>({ maxSize: FRAME_CACHE_BYTES, sizeCalculation: (bytes) => bytes.length });
  const frameFlights = createSingleFlight<Buffer>(MAX_PENDING.frames);

  /** Verifies the token and returns the video. */
  async function findVideo(
    kind: PlaybackKind,
    { videoId, method, token }: SignedAccess,
    range?: ClipRange,
  ): Promise<Video> {
    urls.check(kind, videoId, method, token, range);
    const video = await videos.find(parseChunkId(videoId)?.videoId ?? videoId);
    if (video?.status !== 'UPLOADED') throw problems.playback_gone();
    return video;
  }

  async function renderFrame(video: Video, timeS: number, signal: AbortSignal): Promise<Buffer> {
    try {
      await using file = await storage.local(video.storageKey, signal);
      return await media.frameImage(file.path, { timeS, signal });
    } catch (error) {
      throw toRenditionProblem(error);
    }
  }

  async function openChunk(video: Video, index: number, signal: AbortSignal) {
    const chunk = listChunks(video)[index];
    if (!chunk) throw problems.playback_gone();
    const render: RenderRendition = async (path, signal, store) => {
      const range = { fromS: chunk.startS, untilS: chunk.endS, startWith: 'new' } as const;
      await using file = await media.trim(path, { ...range, video: 'copy', output: 'mp4', signal });
      await store(createReadStream(file.path));
    };
    const rendition = { name: `chunk-1-${index}.mp4`, contentType: 'video/mp4', render };
    return { ...(await renditions.open(video, rendition, signal)), name: `${video.name} (chunk ${index + 1}).mp4` };
  }

  /** The subtitle file that was added to the video; null without one. */
  async function readAdded({ id, metadata }: Video, signal: AbortSignal) {
    const summary = metadata.subtitles as { sha256: string } | undefined;
    if (!summary) return null;
    const file = readSubtitleFile(await storage.readAll(subtitlesKey(id), signal));
    return 'captions' in file ? { captions: file.captions, version: summary.sha256 } : null;
  }

  const playback: Playback = {
    async sign(caller, videoId, request) {
      const { video, chunk } = await getWithChunk(videos, caller, videoId);
      if (chunk && (request.kind ?? 'film') !== 'film') throw problems.chunk_file_only();
      if (video.status !== 'UPLOADED') throw problems.video_not_ready(video.problem?.message);
      return urls.sign(videoId, request, request.kind === 'clip' ? toClipRange(video, request) : undefined);
    },

    async signMany(caller, requests) {
      const names = new Set(requests.map(({ requestId }) => requestId));
      if (names.size < requests.length) throw problems.request_repeated();
      const results = requests.map(async ({ requestId, videoId, ...request }) => {
        const result = await playback.sign(caller, videoId, request).then(
          (signed) => ({ ok: true as const, ...signed }),
          (error: unknown) => {
            if (!(error instanceof Problem)) throw error;
            return { ok: false as const, error: error.code, message: error.message, status: error.status };
          },
        );
        return [requestId, result] as const;
      });
      return Object.fromEntries(await Promise.all(results));
    },

    posterUrl: (videoId) => urls.sign(videoId, { kind: 'poster', expiresIn: POSTER_LIFETIME_S }).url,

    frameUrl: (videoId, timeS) =>
      `${urls.sign(videoId, { kind: 'frame', expiresIn: POSTER_LIFETIME_S }).url}&t=${timeS}`,

    originalUrl: (videoId) => urls.sign(videoId, { kind: 'film', expiresIn: ORIGINAL_LIFETIME_S }).url,

    async original(access) {
      const video = await findVideo('film', access);
      const index = parseChunkId(access.videoId)?.index;
      if (index !== undefined) return openChunk(video, index, access.signal);
      const stored = await storage.stat(video.storageKey);
      if (!stored) throw problems.playback_gone();
      return {
        name: video.name,
        contentType: toContentType(video),
        size: stored.size,
        modified: stored.modified,
        // The bytes of a video are immutable.
        etag: video.sha256 ?? video.id,
        open: (range) => storage.read(video.storageKey, range),
      };
    },

    async poster(access) {
      const video = await findVideo('poster', access);
      const timeS = (video.durationS ?? 0) * POSTER_POSITION;
      const render: RenderRendition = async (path, signal, store) => {
        await store(await media.frameImage(path, { timeS, maxSide: POSTER_SIDE, signal }));
      };
      return posters.open(video, { name: 'poster-1.jpg', contentType: 'image/jpeg', render }, access.signal);
    },

    async frame(access, timeS) {
      const video = await findVideo('frame', access);
      const { durationS } = video;
      if (durationS !== null && timeS > durationS) {
        throw problems.time_outside(`The video lasts ${durationS} seconds, so there is no frame at ${timeS}.`);
      }
      const key = `${video.id}-${timeS}`;
      const bytes =
        frames.get(key) ?? (await frameFlights(key, access.signal, (signal) => renderFrame(video, timeS, signal)));
      frames.set(key, bytes);
      return serveBytes(bytes, { etag: key, modified: video.createdAt, contentType: 'image/jpeg' });
    },

    async storyboard(access, part) {
      const video = await findVideo('storyboard', access);
      const board = layOutStoryboard(video);
      if (part === 'vtt') {
        const body = toWebVtt(board, `storyboard.jpg?token=${access.token}`);
        const etag = `${video.id}-storyboard-${access.token}`;
        return serveBytes(Buffer.from(body), {
          etag,
          modified: video.createdAt,
          contentType: 'text/vtt; charset=utf-8',
        });
      }
      const render: RenderRendition = async (path, signal, store) => {
        await store(await media.contactSheet(path, { ...board, signal }));
      };
      return renditions.open(video, { name: 'storyboard-1.jpg', contentType: 'image/jpeg', render }, access.signal);
    },

    async captions(access, format) {
      const video = await findVideo(format === 'vtt' ? 'captions' : 'captions_srt', access);
      const contentType = CAPTION_TYPES[format];
      const serve = (captions: readonly Caption[], version: string) =>
        serveBytes(Buffer.from(formatCaptions(captions, format)), {
          etag: `${video.id}-${version}.${format}`,
          modified: video.createdAt,
          contentType,
        });
      const added = await readAdded(video, access.signal);
      if (added) return serve(added.captions, added.version);
      const render: RenderRendition = async (path, signal, store) => {
        await store(Buffer.from(formatCaptions(await media.captions(path, { signal }), format)));
      };
      const name = `captions-2.${format}`;
      const subtitles = await renditions.open(video, { name, contentType, render }, access.signal);
      if (subtitles.size > EMPTY_SIZES[format]) return subtitles;
      const transcript = await findTranscript(video.id);
      return transcript ? serve(transcript.captions, transcript.version) : subtitles;
    },

    async clip(access, { start, end }) {
      const video = await findVideo('clip', access, { start, end });
      const render: RenderRendition = async (path, signal, store) => {
        await using file = await media.trim(path, {
          fromS: start,
          untilS: end,
          video: 'encode',
          output: 'mp4',
          signal,
        });
        await store(createReadStream(file.path));
      };
      const name = `clip-2-${toMs(start)}-${toMs(end)}.mp4`;
      return renditions.open(video, { name, contentType: 'video/mp4', render }, access.signal);
    },

    async playlist(access) {
      const video = await findVideo('hls', access);
      const body = await hls.playlist(video, access.token, access.signal);
      const etag = `${video.id}-hls-${access.token}`;
      const contentType = 'application/vnd.apple.mpegurl';
      return serveBytes(Buffer.from(body), { etag, modified: video.createdAt, contentType });
    },

    async segment(access, name) {
      return hls.segment(await findVideo('hls', access), name, access.signal);
    },

    async onVideosReady(trx, { videos }) {
      const large = videos.filter(({ sizeBytes }) => sizeBytes >= PLAN_AHEAD_BYTES);
      for (const { videoId } of large) await jobs.send(trx, planStream, { videoId });
    },

    registerJobs() {
      jobs.handle(planStream, async ({ videoId }, { signal }) => {
        const video = await videos.find(videoId);
        if (video) await hls.getPlan(video, signal).catch(ignoreVideoProblem);
      });
      jobs.handle(sweepRenditions, async (_, { signal }) => {
        await removeOldRenditions(storage, new Date(Date.now() - RENDITION_RETENTION_MS), signal);
      });
      jobs.schedule(sweepRenditions, '43 3 * * *', {});
    },
  };
  return playback;
}

/** Ignores problems with the video (4xx), which a retry of the job cannot fix. */
function ignoreVideoProblem(error: unknown): void {
  if (!(error instanceof Problem) || error.isFault) throw error;
}

const toMs = (seconds: number) => Math.round(seconds * 1000);

/** Validates the range of a clip and rounds it to milliseconds. */
function toClipRange({ durationS }: Video, { start, end }: SignedUrlRequest): ClipRange {
  if (typeof start !== 'number' || typeof end !== 'number') throw problems.clip_invalid();
  const last = durationS ?? end;
  const range = { start: toMs(start) / 1000, end: toMs(Math.min(end, last)) / 1000 };
  if (range.end <= range.start) {
    throw problems.clip_invalid(
      `The clip from ${start} to ${end} is empty: it must end after its start, and the video lasts ${last} seconds.`,
    );
  }
  if (range.end - range.start > MAX_CLIP_S) {
    throw problems.clip_invalid(
      `The clip from ${start} to ${end} is too long: at most ${MAX_CLIP_S} seconds are allowed.`,
    );
  }
  return range;
}

function toContentType({ probe }: Video): string {
  const names = probe?.container.split(',') ?? [];
  return names.map((name) => CONTENT_TYPES[name]).find(Boolean) ?? 'application/octet-stream';
}

function serveBytes(bytes: Buffer, facts: Pick<ServedFile, 'etag' | 'modified' | 'contentType'>): ServedFile {
  const open: ServedFile['open'] = async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]);
  return { ...facts, size: bytes.length, open };
}
