/** Facts that a file states about itself: container, codecs, size and tags. None of them is measured in frames. */
export type FileFacts = {
  container: string;
  sizeBytes: number;
  codec: string;
  pixelFormat: string;
  /** Transfer function of high dynamic range; null if the file states none. */
  hdr: 'PQ' | 'HLG' | null;
  /** Sample rate in Hz. */
  audio: { codec: string; sampleRate: number; channels: number } | null;
  /** Creation time from the file's tags, ISO 8601, UTC; null without such a tag. A converter may have written it. */
  createdAt: string | null;
  /** Make and model of the camera; null if the file does not state them. */
  camera: string | null;
};
