import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { Video } from '#features/videos/index';
import type { ServedFile } from '#platform/http/index';
import type { Media, Segments } from '#platform/media/index';
import { problems } from './problems.ts';
import type { Make, Renditions } from './renditions.ts';

/** Longest side of a rendition that is encoded because browsers do not play the film as it is. */
const ENCODED_SIDE = 1_280;
/** Where the segments of the videos watched last begin: a player asks for segment after segment. */
const PLANS_KEPT = 100;

type HlsDeps = {
  media: Pick<Media, 'cut' | 'segments'>;
  /** Where segments are made, and where it is found out where they begin: to copy a film, all of it is read once. */
  renditions: Renditions;
  plans: Renditions;
};

/**
 * A film as a stream (HLS, RFC 8216, with fragmented MP4). Where the codec allows, segments hold the film's own packets and begin at its keyframes;
 * elsewhere they are encoded as H.264. Each is made when a player first asks for it.
 */
export function createHls({ media, renditions, plans }: HlsDeps) {
  const known = new LRUCache<string, Segments>({ max: PLANS_KEPT });

  /** Where the segments begin: found once and kept, as all of them must agree on it. */
  async function planOf(video: Video, signal: AbortSignal): Promise<Segments> {
    const kept = known.get(video.id);
    if (kept) return kept;
    const make: Make = async (path, abandoned, keep) => {
      await keep(Buffer.from(JSON.stringify(await media.segments(path, { signal: abandoned }))));
    };
    const file = await plans.open(video, { name: 'hls-2.json', contentType: 'application/json', make }, signal);
    const plan = JSON.parse(await text(await file.open({ start: 0, end: file.size - 1, signal }))) as Segments;
    known.set(video.id, plan);
    return plan;
  }

  return {
    planOf,

    /** The playlist; the token opens all it names. */
    async playlist(video: Video, token: string, signal: AbortSignal): Promise<string> {
      const { startsS, endS } = await planOf(video, signal);
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

    /** `init.mp4`, which describes the tracks, or the segment `<number>.m4s`. */
    async segment(video: Video, name: string, signal: AbortSignal): Promise<ServedFile> {
      const plan = await planOf(video, signal);
      // All segments describe their tracks alike: the first one's word is good for all.
      const header = name === 'init.mp4';
      const number = header ? 0 : Number.parseInt(name, 10);
      const fromS = plan.startsS[number];
      // One segment has one name: `007.m4s` would be a copy of `7.m4s`.
      if (fromS === undefined || (!header && name !== `${number}.m4s`)) throw problems.segment_unknown();
      const untilS = plan.startsS[number + 1] ?? plan.endS;
      const make: Make = async (path, abandoned, keep) => {
        const cut = { fromS, untilS, video: plan.video, maxSide: ENCODED_SIDE, as: 'segment' } as const;
        await using file = await media.cut(path, { ...cut, signal: abandoned });
        const part = header ? { end: file.headerBytes - 1 } : { start: file.headerBytes };
        await keep(createReadStream(file.path, part));
      };
      const contentType = header ? 'video/mp4' : 'video/iso.segment';
      return renditions.open(video, { name: `hls-2-${name}`, contentType, make }, signal);
    },
  };
}
