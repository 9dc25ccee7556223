import type { FrameVectors } from '#engine/index';
import type { Caller } from '#platform/http/index';

/** Videos whose frames are searched; all that the caller can read without a filter. */
export type FrameFilter = {
  folderId?: string | null;
  videoIds?: readonly string[] | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
};

/** A video whose frames have vectors; `frames` is their number. */
export type SearchableVideo = {
  id: string;
  name: string;
  folderId: string | null;
  frames: number;
};

/** Stored vectors of frames. `version` is that of the observer `embeddings`. */
export interface StoredVectors {
  /** Videos that the caller may read and whose frames have vectors, and the number of videos with and without them. */
  list(caller: Caller, filter: FrameFilter, version: string): Promise<{ videos: SearchableVideo[]; total: number }>;
  /** The vectors of videos, without an access check. Deleted videos are left out. */
  read(videoIds: readonly string[], version: string): AsyncIterable<{ videoId: string; frames: FrameVectors }>;
}
