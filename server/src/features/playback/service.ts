import { createReadStream } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { getWithChunk, listChunks, parseChunkId, type Video } from '#features/videos/index';
import { Problem } from '#platform/problem';
import { createCaptions } from './captions.ts';
import { createHls } from './hls.ts';
import { planStream, sweepRenditions } from './jobs.ts';
import { problems } from './problems.ts';
import { createRenditions, type RenderRendition, removeOldRenditions, toRenditionProblem } from './renditions.ts';
import { MAX_CLIP_S, type PlaybackKind, type SignedUrlRequest } from './schema.ts';
import { serveBytes } from './serve-bytes.ts';
import { type ClipRange, createUrlSigner } from './signed-urls.ts';
import { createSingleFlight } from './single-flight.ts';
import { layOutStoryboard, toWebVtt } from './storyboard.ts';
import type { Playback, PlaybackDeps, SignedAccess } from './types.ts';

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

/** The token as part of an entity tag: what it lists has the token. */
const toTag = (token: string) => token.replaceAll(/[&=]/g, '-');

export function createPlayback(deps: PlaybackDeps): Playback {
  const { storage, videos, media, urlTokens, jobs, publicUrl, findTranscript } = deps;
  const urls = createUrlSigner({ urlTokens, publicUrl });
  const posters = createRenditions({ storage, videos, maxPending: MAX_PENDING.posters });
  const renditions = createRenditions({ storage, videos, maxPending: MAX_PENDING.renditions });
  const plans = createRenditions({ storage, videos, maxPending: MAX_PENDING.plans });
  const captions = createCaptions({ storage, media, renditions, findTranscript });
  const hls = createHls({ media, renditions, plans });
  const frames = new LRUCache<string, Buffer>({ maxSize: FRAME_CACHE_BYTES, sizeCalculation: (bytes) => bytes.length });
  const frameFlights = createSingleFlight<Buffer>(MAX_PENDING.frames);

  /** Verifies the token and returns the video. */
  async function findVideo(
    kind: PlaybackKind,
    { videoId, method, token }: SignedAccess,
    range?: ClipRange,
  ): Promise<Video> {
    await urls.check(kind, videoId, method, token, range);
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

  const playback: Playback = {
    async sign(caller, videoId, request) {
      const { video, chunk } = await getWithChunk(videos, caller, videoId);
      if (chunk && (request.kind ?? 'film') !== 'film') throw problems.chunk_file_only();
      if (video.status !== 'UPLOADED') throw problems.video_not_ready(video.problem?.message);
      const range = request.kind === 'clip' ? toClipRange(video, request) : undefined;
      return urls.sign(videoId, request, { range, issuer: caller });
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

    originalUrl: (videoId, token) =>
      urls.sign(videoId, { kind: 'film', expiresIn: ORIGINAL_LIFETIME_S }, { issuer: token }).url,

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
        const etag = `${video.id}-storyboard-${toTag(access.token)}`;
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
      return captions.open(video, format, access.signal);
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
      const etag = `${video.id}-hls-${toTag(access.token)}`;
      const contentType = 'application/vnd.apple.mpegurl';
      return serveBytes(Buffer.from(body), { etag, modified: video.createdAt, contentType });
    },

    async segment(access, name) {
      return hls.segment(await findVideo('hls', access), name, access.signal);
    },

    async onVideosReady(trx, { orgId, videos }) {
      const large = videos.filter(({ sizeBytes }) => sizeBytes >= PLAN_AHEAD_BYTES);
      for (const { videoId } of large) await jobs.send(trx, planStream, { videoId }, { orgId });
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
