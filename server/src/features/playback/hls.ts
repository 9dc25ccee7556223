import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { Video } from '#features/videos/index';
import type { ServedFile } from '#platform/http/index';
import type { Media, SegmentPlan } from '#platform/media/index';
import { problems } from './problems.ts';
import type { RenderRendition, Renditions } from './renditions.ts';

/** Longest side in pixels of segments that are re-encoded because browsers cannot play the video's codec. */
const ENCODED_SIDE = 1_280;
/** Number of segment plans in memory: players request the segments of one video in quick succession. */
const MAX_CACHED_PLANS = 100;

type HlsDeps = {
  media: Pick<Media, 'trim' | 'planSegments'>;
  /** Segments. */
  renditions: Renditions;
  /** Segment plans. Limited separately, because planning a copied stream reads the whole file. */
  plans: Renditions;
};

/**
 * Serves a video as an HLS stream (RFC 8216, fragmented MP4). If browsers play its codec, segments contain the original
 * packets and start at keyframes; otherwise they are encoded as H.264. A segment is generated on its first request.
 */
export function createHls({ media, renditions, plans }: HlsDeps) {
  const planCache = new LRUCache<string, SegmentPlan>({ max: MAX_CACHED_PLANS });

  /** Segment boundaries. Stored, because all segments of a stream must be cut by the same plan. */
  async function getPlan(video: Video, signal: AbortSignal): Promise<SegmentPlan> {
    const cached = planCache.get(video.id);
    if (cached) return cached;
    const render: RenderRendition = async (path, signal, store) => {
      await store(Buffer.from(JSON.stringify(await media.planSegments(path, { signal }))));
    };
    const file = await plans.open(video, { name: 'hls-2.json', contentType: 'application/json', render }, signal);
    const plan = JSON.parse(await text(await file.open({ start: 0, end: file.size - 1, signal }))) as SegmentPlan;
    planCache.set(video.id, plan);
    return plan;
  }

  return {
    getPlan,

    /** The playlist. `token` also grants access to every file that it lists. */
    async playlist(video: Video, token: string, signal: AbortSignal): Promise<string> {
      const { startsS, endS } = await getPlan(video, signal);
      const lengths = startsS.map((startS, i) => Math.max(0.001, (startsS[i + 1] ?? endS) - startS));
      return [
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...lengths))}`,
        '#EXT-X-PLAYLIST-TYPE:VOD',
        '#EXT-X-INDEPENDENT-SEGMENTS',
        `#EXT-X-MAP:URI="init.mp4?token=${token}"`,
        ...lengths.flatMap((length, i) => [`#EXTINF:${length.toFixed(6)},`, `${i}.m4s?token=${token}`]),
        '#EXT-X-ENDLIST',
        '',
      ].join('\n');
    },

    /** The initialization section `init.mp4`, or the media segment `<number>.m4s`. */
    async segment(video: Video, name: string, signal: AbortSignal): Promise<ServedFile> {
      const plan = await getPlan(video, signal);
      // All segments share one initialization section; it is taken from the first.
      const isInit = name === 'init.mp4';
      const number = isInit ? 0 : Number.parseInt(name, 10);
      const fromS = plan.startsS[number];
      // A segment has one name only: `007.m4s` would be stored as a copy of `7.m4s`.
      if (fromS === undefined || (!isInit && name !== `${number}.m4s`)) throw problems.segment_unknown();
      const untilS = plan.startsS[number + 1] ?? plan.endS;
      const render: RenderRendition = async (path, signal, store) => {
        const cut = { fromS, untilS, video: plan.video, maxSide: ENCODED_SIDE, output: 'segment' } as const;
        await using file = await media.trim(path, { ...cut, signal });
        const byteRange = isInit ? { end: file.headerBytes - 1 } : { start: file.headerBytes };
        await store(createReadStream(file.path, byteRange));
      };
      const contentType = isInit ? 'video/mp4' : 'video/iso.segment';
      return renditions.open(video, { name: `hls-2-${name}`, contentType, render }, signal);
    },
  };
}
