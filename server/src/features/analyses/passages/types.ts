import type { Caller } from '#platform/http/index';
import type { PassagePage } from './schema.ts';

/** Spoken words and texts in frames: `transcript` is what is spoken, `text` what is read. */
export type PassageSource = 'transcript' | 'text';

/** A passage of a video. Times are seconds from the first frame. */
export type FoundPassage = {
  videoId: string;
  videoName: string;
  videoDurationS: number | null;
  folderId: string | null;
  folderName: string | null;
  kind: string;
  position: number;
  startS: number;
  endS: number;
  text: string;
};

/** Conditions that all must hold; null or absent: any. */
export type PassageFilter = {
  /** All of these words, in any order. */
  q?: string | null;
  source?: PassageSource | null;
  folderId?: string | null;
  videoId?: string | null;
};

export interface Passages {
  /**
   * A page of the passages that the caller may see and that match all filters, newest videos first and by time. Throws
   * the problems of the videos and folders rooms, or `cursor_invalid` (400).
   */
  list(
    caller: Caller,
    options: PassageFilter & { limit?: number | null; cursor?: string | null },
  ): Promise<PassagePage>;
  /** Stores the passages of observations that an earlier version made, one transaction each, until none is left. */
  storeEarlier(signal: AbortSignal): Promise<void>;
}
