import type { Video } from '#features/videos/index';
import type { Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';

/** The connection that sends the bytes of an upload. */
export type UploadConnection = {
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Bytes received so far. */
  bytesRead(): number;
  /** Total bytes of the request, if known in advance. */
  length?: number;
};

/** Link between requests with the same `Idempotency-Key`, for an upload that did not finish. */
export type IdempotentUpload = {
  /** Id of the video that an earlier request created; null without one. */
  savedReference: string | null;
  /** Records the id for later requests, in the transaction that creates the video. */
  saveReference(id: string, trx: Transaction): Promise<void>;
};

export interface SidecarUploads {
  /**
   * Stores the sidecar file of a video, uploaded or pending, and replaces an earlier one.
   * Throws as `Videos.getWritable` does, or `sidecar_invalid` (400).
   */
  putSidecar(
    caller: Caller,
    videoId: string,
    file: { filename: string; bytes: Buffer },
    signal: AbortSignal,
  ): Promise<Video>;
}

export interface SubtitleUploads {
  /**
   * Stores the subtitle file of a video, uploaded or pending, and replaces an earlier one. `language` is a BCP 47 tag;
   * by default the one that the file or its name states. Throws as `Videos.getWritable` does, `subtitles_invalid` (400)
   * or `subtitles_too_large` (413).
   */
  putSubtitles(caller: Caller, videoId: string, file: SubtitleUpload, signal: AbortSignal): Promise<Video>;
  /** Removes the subtitle file of a video, if there is one. Throws as `Videos.getWritable` does. */
  deleteSubtitles(caller: Caller, videoId: string): Promise<Video>;
}
export type SubtitleUpload = { filename: string; language: string | null; bytes: Buffer };
