import type { DecodedFrame, FrameRequest } from '#platform/media/index';
import { DIMENSIONS, quantize, type ScaledImage, scaledSize } from '../../embeddings/index.ts';
import { createColumn, float32, float64 } from '../columns.ts';
import { createFrameComparison } from './changes.ts';
import type { Embeddings } from './observation.ts';

/** Frames are embedded at most this often, in seconds. */
const INTERVAL_S = 1;

type EmbedImage = (image: ScaledImage) => Promise<Float32Array>;

/** Embeds the frames of a video that have changed, at most one each second. */
export function createEmbeddingsObserver(embed: EmbedImage, video: { width: number; height: number }, model: string) {
  const { width, height } = scaledSize(video);
  const hasChanged = createFrameComparison(width, height);
  const timeS = createColumn(float64);
  const pts = createColumn(float64);
  const scales = createColumn(float32);
  const vectors: Int8Array[] = [];

  async function takeFrame(frame: Pick<DecodedFrame, 'data' | 'timeS' | 'pts'>): Promise<void> {
    if (!hasChanged(frame.data)) return;
    const { bytes, scale } = quantize(await embed({ width, height, data: frame.data }));
    timeS.push(frame.timeS);
    pts.push(frame.pts);
    scales.push(scale);
    vectors.push(bytes);
  }

  const request: FrameRequest = { width, height, format: 'rgb', minIntervalS: INTERVAL_S, onFrame: takeFrame };
  return {
    request,
    finish(): Embeddings {
      const joined = new Int8Array(vectors.length * DIMENSIONS);
      for (const [at, bytes] of vectors.entries()) joined.set(bytes, at * DIMENSIONS);
      return { model, timeS: timeS.toArray(), pts: pts.toArray(), scales: scales.toArray(), vectors: joined };
    },
  };
}
