import { ID_PATTERN } from '#platform/ids';
import type { Video } from './types.ts';

/**
 * A range of a video that existing clients address by an id of its own. Chunks are virtual: nothing is stored for them,
 * and a file of one is made when its URL is first opened.
 */
export type Chunk = {
  id: string;
  index: number;
  /** Seconds from the first frame. The end is that of the video, or the start of the next chunk. */
  startS: number;
  endS: number;
};

const CHUNK_S = 30;
/** The last chunk may be this much longer, so that it is not a few frames only. */
const LONGER_S = 1;
const CHUNK_ID = new RegExp(`^(${ID_PATTERN.slice(1, -1)})-c(0|[1-9]\\d{0,5})$`);

/** Chunks of a video of 30 seconds each, in order; none before its duration is known. */
export function listChunks({ id, durationS, status }: Pick<Video, 'id' | 'durationS' | 'status'>): Chunk[] {
  if (durationS === null || status !== 'UPLOADED') return [];
  const count = Math.max(1, Math.ceil((durationS - LONGER_S) / CHUNK_S));
  return Array.from({ length: count }, (_, index) => ({
    id: `${id}-c${index}`,
    index,
    startS: index * CHUNK_S,
    endS: index === count - 1 ? durationS : (index + 1) * CHUNK_S,
  }));
}

/** The video and the number of a chunk by its id; null for the id of a video. */
export function parseChunkId(id: string): { videoId: string; index: number } | null {
  const [, videoId, index] = CHUNK_ID.exec(id) ?? [];
  return videoId === undefined ? null : { videoId, index: Number(index) };
}
