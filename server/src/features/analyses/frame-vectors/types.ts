import type { FrameVectors } from '#engine/index';
import type { Caller } from '#platform/http/index';

/** Videos whose frames are searched; all that the caller can read without a filter. */
export type FrameFilter = {
  folderId?: string | null;
  videoIds?: readonly string[] | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
};

type VideoName = { id: string; name: string; folderId: string | null };

/**
 * A video, and numbers of the vectors of its frames and of views of its objects that are not in the index; null if they
 * are, or were not observed.
 */
export type SearchableVideo = VideoName & {
  frames: number | null;
  objects: number | null;
};

/** Versions of the observers `embeddings` and `object_embeddings`; null: not searched. */
export type VectorVersions = { frames: string | null; objects: string | null };

/** Class and box of a view of an object. The box is in fractions of the frame, from its left and top. */
export type ObjectView = { class: string; box: { x: number; y: number; width: number; height: number } };

/** Numbers of the videos that match a filter, and of the vectors that are searched. */
export type SearchCounts = {
  total: number;
  searchedVideos: number;
  videosWithFrames: number;
  videosWithObjects: number;
  searchedFrames: number;
  searchedObjects: number;
};

/** A vector that is near the query: that at `position` of those of a kind of the video. Scores are cosines. */
export type IndexHit = {
  video: VideoName;
  kind: 'frames' | 'objects';
  position: number;
  timeS: number;
  score: number;
};

export type IndexSearch = {
  /** A vector of length 1. */
  query: Float32Array;
  limit: number;
  minScore: number;
  signal?: AbortSignal | undefined;
};

/** Coverage of a search. */
export type SearchableVectors = {
  counts: SearchCounts;
  /** Videos with vectors that are not in the index: all without one, and new ones. */
  unindexed: SearchableVideo[];
  /** The best vectors in the index, one of each group, the best first; null if it has none of these videos. */
  searchIndex: ((search: IndexSearch) => Promise<IndexHit[]>) | null;
};

/** State of the search among vectors, for operators. */
export type VectorSearchState = {
  /** `pgvector`: by an index in the database; `exact`: by comparing all vectors in the memory of a node. */
  method: 'pgvector' | 'exact';
  /** Version of pgvector in the database; null without it. */
  version: string | null;
  /** Number of stored vectors. */
  stored: number;
  /** Number of those in the index. */
  indexed: number;
  /** Number of vectors that the exact scan keeps in memory. */
  memory: number;
  /** Reason why the index is not used, or that vectors no longer fit in memory, with the remedy; null otherwise. */
  reason: string | null;
};

/** Stored vectors of frames and of tracked objects. */
export interface StoredVectors {
  /** Videos that the caller may read and that have vectors of a kind. */
  list(caller: Caller, filter: FrameFilter, versions: VectorVersions): Promise<SearchableVectors>;
  /** The vectors of the frames of videos, without an access check. Deleted videos are left out. */
  read(videoIds: readonly string[], version: string): AsyncIterable<{ videoId: string; frames: FrameVectors }>;
  /** The same of the views of their objects, those of one object as a group. */
  readObjects(videoIds: readonly string[], version: string): AsyncIterable<{ videoId: string; frames: FrameVectors }>;
  /** Classes and boxes of the views of objects of these videos, in the order of their vectors. */
  describeObjects(videoIds: readonly string[], version: string): Promise<Map<string, ObjectView[]>>;
  /** Describes how vectors are searched now. */
  state(): Promise<VectorSearchState>;
  /** Starts a build of the index where the server has pgvector and something is missing; for a schedule. */
  tend(): Promise<void>;
  /** Builds what is missing of the index, as long as it takes. */
  build(signal: AbortSignal): Promise<void>;
}
