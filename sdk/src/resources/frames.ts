import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import { bytesBase64 } from '../platform.ts';
import type { FrameMatches, FrameSearch } from '../resources.generated.ts';

/** A search among frames by exactly one of `text`, `picture` and `frame`; a picture is a file, its bytes, or Base64. */
export type FrameQuery = Omit<FrameSearch, 'picture'> & { picture?: Blob | Uint8Array | string };

/** Search among the frames of videos that were observed with the observer `embeddings`. */
export type FrameOperations = {
  /** Frames that resemble words, a picture or a frame, best first. `reason` states which videos were not searched. */
  searchFrames(query: FrameQuery, options?: { signal?: AbortSignal }): Promise<FrameMatches>;
};

export const createFrameOperations = (api: Client<paths>): FrameOperations => ({
  async searchFrames({ picture, ...query }, { signal } = {}) {
    const body = { ...query, ...(picture === undefined ? {} : { picture: await toBase64(picture) }) };
    return (await api.POST('/api/search/frames', { body, signal })).data!;
  },
});

async function toBase64(picture: Blob | Uint8Array | string): Promise<string> {
  if (typeof picture === 'string') return picture;
  return bytesBase64(picture instanceof Uint8Array ? picture : new Uint8Array(await picture.arrayBuffer()));
}
