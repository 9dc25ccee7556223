import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import { bytesBase64 } from '../platform.ts';
import type { FrameMatches, FrameSearch } from '../resources.generated.ts';

/**
 * A search among frames and objects by exactly one of `text`, `picture` and `frame`; an image is a file, its bytes, or
 * Base64.
 */
export type FrameQuery = Omit<FrameSearch, 'picture'> & { picture?: Blob | Uint8Array | string };

/** Search among frames and objects, in videos observed with the observers `embeddings` and `object_embeddings`. */
export type FrameOperations = {
  /**
   * Frames, and tracked objects in them, that resemble words, an image, a frame or a part of it, best first. `reason`
   * states which videos were not searched.
   */
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
