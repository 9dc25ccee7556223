import type { Embedder } from './embedder.ts';
import { quantize } from './quantize.ts';
import { createScanner } from './scan/scanner.ts';
import type { FrameVectors } from './scan/types.ts';

/** Frames that a vision model is shown because their vectors fit the prompt. */
const MAX_FRAMES = 4;
const KEY = 'video';

/**
 * Times in seconds of the frames of a video that resemble a text most, best first; at most one of ten seconds. None if
 * the model cannot be used: what is chosen by vectors is only a hint. Rejects if the signal is aborted.
 */
export async function findSimilarFrames(
  embedder: Pick<Embedder, 'text'>,
  text: string,
  frames: FrameVectors,
  signal?: AbortSignal,
): Promise<number[]> {
  const embedding = await embedder.text(text, signal).catch((error: Error) => ({ unavailable: error.message }));
  signal?.throwIfAborted();
  if ('unavailable' in embedding) return [];
  const { bytes, scale } = quantize(embedding.vector);
  const scanner = createScanner();
  scanner.load(KEY, frames);
  const search = { keys: [KEY], query: bytes, queryScale: scale, limit: MAX_FRAMES, minScore: -1 };
  return scanner.search(search).map(({ timeS }) => timeS);
}
