import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { News } from '#features/events/index';
import type { Video, Videos } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import type { Caller, ServedFile } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import { createHls } from './hls.ts';
import { planStream, sweepStretches } from './jobs.ts';
import { createLinks, type Stretch } from './links.ts';
import { problems } from './problems.ts';
import { createRenditions, type Make, removeStretches, unmakeable } from './renditions.ts';
import {
  type Kind,
  MAX_CLIP_S,
  type SignedUrlAnswer,
  type SignedUrlRequest,
  type SignedUrlResult,
  type SignedUrlsRequest,
} from './schema.ts';
import { createShared } from './shared.ts';
import { layOut, toWebVtt } from './storyboard.ts';

/** What came with a signed URL: for which video, how it is asked, and until when the client waits. */
export type Asked = { videoId: string; method: string; token: string; signal: AbortSignal };

/**
 * Each of what is asked for by URL throws `playback_url_expired`, `playback_url_invalid` (403) or `playback_gone` (404), and what is made from the video
 * `playback_unmakeable` (404) where it is damaged, or `playback_busy` (503) while too much is being made.
 */
export interface Playback {
  /** A URL for the caller's video. Throws `video_not_found` (404), `video_forbidden` (403), `video_not_ready` (409) or `clip_invalid` (400). */
  sign(caller: Caller, videoId: string, request: SignedUrlRequest): Promise<SignedUrlAnswer>;
  /** Many at once, each with its own outcome. Throws `request_repeated` (400). */
  signMany(caller: Caller, requests: SignedUrlsRequest['requests']): Promise<Record<string, SignedUrlResult>>;
  /** The film as it was uploaded, and its name. */
  film(asked: Asked): Promise<ServedFile & { name: string }>;
  poster(asked: Asked): Promise<ServedFile>;
  /** The frame on screen at `timeS`. Throws `time_outside` (400) past the end. */
  frame(asked: Asked, timeS: number): Promise<ServedFile>;
  /** The storyboard's WebVTT, or the picture it points into. */
  storyboard(asked: Asked, part: 'vtt' | 'jpg'): Promise<ServedFile>;
  /** The stretch that the token was given for. */
  clip(asked: Asked, stretch: Stretch): Promise<ServedFile>;
  /** The playlist of the stream. */
  playlist(asked: Asked): Promise<ServedFile>;
  /** `init.mp4` or `<number>.m4s`. Throws `segment_unknown` (404). */
  segment(asked: Asked, name: string): Promise<ServedFile>;
  /** Has a large film looked at before anyone plays it. */
  onVideosReady(trx: Transaction, news: News['videos.ready']): Promise<void>;
  /** Registers the handlers of this room's jobs. */
  work(): void;
}

export type PlaybackDeps = {
  storage: Storage;
  videos: Pick<Videos, 'get' | 'find'>;
  media: Pick<Media, 'picture' | 'sheet' | 'cut' | 'segments'>;
  secrets: Secrets;
  jobs: Pick<Jobs, 'send' | 'handle' | 'schedule'>;
  /** Address that clients reach the API under, without a trailing slash. */
  publicUrl: string;
};

/** Where in a video its poster is taken: its beginning is often black. */
const POSTER_AT = 0.1;
const POSTER_SIDE = 1_280;
/** Frames are not stored, as one link leads to any number of them; those last asked for are at hand, in bytes. */
const FRAMES_BYTES = 32 * 2 ** 20;
/**
 * How many a node makes at a time, those in line included: what comes last waits some ten seconds. A page of a library asks for many posters at once.
 */
const MOST = { posters: 200, frames: 64, renditions: 32, plans: 4 };
/** Clips and segments are kept for this long. */
const STRETCHES_MS = 30 * 86_400_000;
/** Smaller films are read through in half a second, by whoever plays them first. */
const LARGE_BYTES = 128 * 2 ** 20;

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

export function createPlaybackService({ storage, videos, media, secrets, jobs, publicUrl }: PlaybackDeps): Playback {
  const links = createLinks({ secrets, publicUrl });
  const posters = createRenditions({ storage, videos, most: MOST.posters });
  const renditions = createRenditions({ storage, videos, most: MOST.renditions });
  const plans = createRenditions({ storage, videos, most: MOST.plans });
  const hls = createHls({ media, renditions, plans });
  const frames = new LRUCache<string, Buffer>({ maxSize: FRAMES_BYTES, sizeCalculation: (bytes) => bytes.length });
  const drawing = createShared<Buffer>(MOST.frames);

  /** The video behind a token. */
  async function videoOf(kind: Kind, { videoId, method, token }: Asked, stretch?: Stretch): Promise<Video> {
    links.check(kind, videoId, method, token, stretch);
    const video = await videos.find(videoId);
    if (video?.status !== 'UPLOADED') throw problems.playback_gone();
    return video;
  }

  async function draw(video: Video, timeS: number, signal: AbortSignal): Promise<Buffer> {
    try {
      await using file = await storage.local(video.storageKey, signal);
      return await media.picture(file.path, { timeS, signal });
    } catch (error) {
      throw unmakeable(error);
    }
  }

  const playback: Playback = {
    async sign(caller, videoId, request) {
      const video = await videos.get(caller, videoId);
      if (video.status !== 'UPLOADED') throw problems.video_not_ready(video.problem?.message);
      return links.sign(videoId, request, request.kind === 'clip' ? stretchOf(video, request) : undefined);
    },

    async signMany(caller, requests) {
      const names = new Set(requests.map(({ request_id }) => request_id));
      if (names.size < requests.length) throw problems.request_repeated();
      const results = requests.map(async ({ request_id, video_id, ...request }) => {
        const result = await playback.sign(caller, video_id, request).then(
          (signed) => ({ ok: true as const, ...signed }),
          (error: unknown) => {
            if (!(error instanceof Problem)) throw error;
            return { ok: false as const, error: error.code, message: error.message, status: error.status };
          },
        );
        return [request_id, result] as const;
      });
      return Object.fromEntries(await Promise.all(results));
    },

    async film(asked) {
      const video = await videoOf('film', asked);
      const stored = await storage.stat(video.storageKey);
      if (!stored) throw problems.playback_gone();
      return {
        name: video.name,
        contentType: contentTypeOf(video),
        size: stored.size,
        modified: stored.modified,
        // The bytes of a video never change.
        etag: video.sha256 ?? video.id,
        open: (range) => storage.read(video.storageKey, range),
      };
    },

    async poster(asked) {
      const video = await videoOf('poster', asked);
      const timeS = (video.durationS ?? 0) * POSTER_AT;
      const make: Make = async (path, signal, keep) => {
        await keep(await media.picture(path, { timeS, maxSide: POSTER_SIDE, signal }));
      };
      return posters.open(video, { name: 'poster-1.jpg', contentType: 'image/jpeg', make }, asked.signal);
    },

    async frame(asked, timeS) {
      const video = await videoOf('frame', asked);
      const { durationS } = video;
      if (durationS !== null && timeS > durationS) {
        throw problems.time_outside(`The video lasts ${durationS} seconds; there is no frame at ${timeS}.`);
      }
      const key = `${video.id}-${timeS}`;
      const bytes = frames.get(key) ?? (await drawing(key, asked.signal, (signal) => draw(video, timeS, signal)));
      frames.set(key, bytes);
      return inMemory(bytes, { etag: key, modified: video.createdAt, contentType: 'image/jpeg' });
    },

    async storyboard(asked, part) {
      const video = await videoOf('storyboard', asked);
      const board = layOut(video);
      if (part === 'vtt') {
        const text = toWebVtt(board, `storyboard.jpg?token=${asked.token}`);
        const etag = `${video.id}-storyboard-${asked.token}`;
        return inMemory(Buffer.from(text), { etag, modified: video.createdAt, contentType: 'text/vtt; charset=utf-8' });
      }
      const make: Make = async (path, signal, keep) => {
        await keep(await media.sheet(path, { ...board, signal }));
      };
      return renditions.open(video, { name: 'storyboard-1.jpg', contentType: 'image/jpeg', make }, asked.signal);
    },

    async clip(asked, { start, end }) {
      const video = await videoOf('clip', asked, { start, end });
      const make: Make = async (path, signal, keep) => {
        await using file = await media.cut(path, { fromS: start, untilS: end, video: 'encode', as: 'film', signal });
        await keep(createReadStream(file.path));
      };
      const name = `clip-2-${ms(start)}-${ms(end)}.mp4`;
      return renditions.open(video, { name, contentType: 'video/mp4', make }, asked.signal);
    },

    async playlist(asked) {
      const video = await videoOf('hls', asked);
      const text = await hls.playlist(video, asked.token, asked.signal);
      const etag = `${video.id}-hls-${asked.token}`;
      const contentType = 'application/vnd.apple.mpegurl';
      return inMemory(Buffer.from(text), { etag, modified: video.createdAt, contentType });
    },

    async segment(asked, name) {
      return hls.segment(await videoOf('hls', asked), name, asked.signal);
    },

    async onVideosReady(trx, { videos }) {
      const large = videos.filter(({ sizeBytes }) => sizeBytes >= LARGE_BYTES);
      for (const { videoId } of large) await jobs.send(trx, planStream, { videoId });
    },

    work() {
      jobs.handle(planStream, async ({ videoId }, { signal }) => {
        const video = await videos.find(videoId);
        if (video) await hls.planOf(video, signal).catch(unlessItsOwnFault);
      });
      jobs.handle(sweepStretches, async (_, { signal }) => {
        await removeStretches(storage, new Date(Date.now() - STRETCHES_MS), signal);
      });
      jobs.schedule(sweepStretches, '43 3 * * *', {});
    },
  };
  return playback;
}

/** A film that is damaged, or deleted meanwhile, has no plan however often it is tried. */
function unlessItsOwnFault(error: unknown): void {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
}

const ms = (seconds: number) => Math.round(seconds * 1000);

/** What a clip is cut from, in whole milliseconds. */
function stretchOf({ durationS }: Video, { start, end }: SignedUrlRequest): Stretch {
  if (typeof start !== 'number' || typeof end !== 'number') throw problems.clip_invalid();
  const last = durationS ?? end;
  const stretch = { start: ms(start) / 1000, end: ms(Math.min(end, last)) / 1000 };
  if (stretch.end <= stretch.start) {
    throw problems.clip_invalid(
      `A clip must end after its start, and the video lasts ${last} seconds; ${start} to ${end} holds nothing.`,
    );
  }
  if (stretch.end - stretch.start > MAX_CLIP_S) {
    throw problems.clip_invalid(`A clip lasts at most ${MAX_CLIP_S} seconds; ${start} to ${end} is longer.`);
  }
  return stretch;
}

function contentTypeOf({ probe }: Video): string {
  const names = probe?.container.split(',') ?? [];
  return names.map((name) => CONTENT_TYPES[name]).find(Boolean) ?? 'application/octet-stream';
}

function inMemory(bytes: Buffer, facts: Pick<ServedFile, 'etag' | 'modified' | 'contentType'>): ServedFile {
  const open: ServedFile['open'] = async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]);
  return { ...facts, size: bytes.length, open };
}
