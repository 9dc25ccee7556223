import type { FrameVectors } from '#engine/index';
import type { Caller } from '#platform/http/index';

/** Videos whose frames are searched; all that the caller can read without a filter. */
export type FrameFilter = {
  folderId?: string | null;
  videoIds?: readonly string[] | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
};

/** Numbers of the vectors of a video's frames and of views of its objects; null if those were not observed. */
export type SearchableVideo = {
  id: string;
  name: string;
  folderId: string | null;
  frames: number | null;
  objects: number | null;
};

/** Versions of the observers `embeddings` and `object_embeddings`; null: not searched. */
export type VectorVersions = { frames: string | null; objects: string | null };

/** Class and box of a view of an object. The box is in fractions of the frame, from its left and top. */
export type ObjectView = { class: string; box: { x: number; y: number; width: number; height: number } };

/** Stored vectors of frames and of tracked objects. */
export interface StoredVectors {
  /** Videos that the caller may read and that have vectors of a kind, and the number of all videos. */
  list(
    caller: Caller,
    filter: FrameFilter,
    versions: VectorVersions,
  ): Promise<{ videos: SearchableVideo[]; total: number }>;
  /** The vectors of the frames of videos, without an access check. Deleted videos are left out. */
  read(videoIds: readonly string[], version: string): AsyncIterable<{ videoId: string; frames: FrameVectors }>;
  /** The same of the views of their objects, those of one object as a group. */
  readObjects(videoIds: readonly string[], version: string): AsyncIterable<{ videoId: string; frames: FrameVectors }>;
  /** Classes and boxes of the views of objects of these videos, in the order of their vectors. */
  describeObjects(videoIds: readonly string[], version: string): Promise<Map<string, ObjectView[]>>;
}
