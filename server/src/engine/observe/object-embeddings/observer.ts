import type { FrameRequest } from '#platform/media/index';
import { openImageEncoder, type ScaledImage, type VectorEncoder } from '../../embeddings/index.ts';
import { decodeObservation } from '../decode-observation.ts';
import { type EmbeddingsSettings, prepareClip } from '../embeddings/observer.ts';
import { objects, prepareDetector } from '../objects/observer.ts';
import {
  defineTaskObserver,
  type PrepareDeps,
  type Prepared,
  type TaskObserverContext,
  type Unavailable,
} from '../types.ts';
import type { ObjectEmbeddings } from './observation.ts';
import { selectViews } from './select-views.ts';
import { createViewEmbedder } from './view-embedder.ts';

/** Longest side in pixels of the frames that objects are cut from; smaller videos are not enlarged. */
const MAX_SIDE = 1920;
/** Seconds without a view from which on the decoder skips them: most videos have a keyframe more often. */
const SKIP_S = 20;
/** Seconds after the last frame of a range at which it ends: less than two frames are apart. */
const AFTER_S = 0.01;

/** Vectors of tracked objects, for searches by words and pictures: what is small in a frame is lost in its vector. */
export const objectEmbeddings = defineTaskObserver({
  kind: 'object_embeddings',
  version: 'object-embeddings-1',
  depth: 'both',
  onDemand: true,
  relativeDuration: 1,
  source: objects.kind,
  async prepare(deps: PrepareDeps): Promise<Prepared<EmbeddingsSettings> | Unavailable> {
    const [clip, detector] = await Promise.all([prepareClip(deps), prepareDetector(deps)]);
    if ('unavailable' in clip) return clip;
    if ('unavailable' in detector) return detector;
    return { settings: clip.settings, suffix: `${clip.suffix}.${detector.suffix}` };
  },
  encode({ model, detector, classNames, vectors, ...arrays }: ObjectEmbeddings) {
    return {
      facts: { model, detector, classNames },
      arrays: { ...arrays, vectors: new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length) },
    };
  },
  decode({ facts, arrays }): ObjectEmbeddings {
    const { vectors, ...own } = arrays as Omit<ObjectEmbeddings, 'vectors' | Facts> & { vectors: Uint8Array };
    return {
      ...{ ...(facts as Pick<ObjectEmbeddings, Facts>), ...own },
      vectors: new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length),
    };
  },
  async observe({ path, settings, source, decoder, onProgress }: TaskObserverContext<EmbeddingsSettings>) {
    const { video, observation: found } = decodeObservation(objects, source!);
    const duration = { durationS: video.durationS, ...(video.claimedS ? { claimedS: video.claimedS } : {}) };
    let encoder: Awaited<ReturnType<typeof openImageEncoder>> | null = null;
    // A video without objects needs no model.
    const embed = async (image: ScaledImage) => {
      encoder ??= await openImageEncoder(settings.files.image);
      return encoder.embed(image);
    };
    const views = selectViews(found, video);
    const { takeFrame, finish } = createViewEmbedder(embed, views, { model: settings.model, objects: found });
    const times = [...new Set(views.map(({ timeS }) => timeS))].sort((a, b) => a - b);
    const factor = Math.min(1, MAX_SIDE / Math.max(video.width, video.height));
    const size = { width: Math.round(video.width * factor), height: Math.round(video.height * factor) };
    let taken = 0;
    const onFrame: FrameRequest['onFrame'] = async ({ data, pts }) => {
      await takeFrame({ ...size, data, pts });
      onProgress(++taken / times.length);
    };
    try {
      for (const atS of splitAtGaps(times)) {
        const range = { fromS: atS[0]!, untilS: atS.at(-1)! + AFTER_S };
        await decoder.decode(path, {
          frames: [{ ...size, format: 'rgb', atS, onFrame }],
          range,
          skipDeblocking: 'all',
        });
      }
      return { observation: finish(), ...duration };
    } finally {
      await (encoder as VectorEncoder<ScaledImage> | null)?.close();
    }
  },
});

/** Divides ascending times where the decoder skips what is between them. */
function splitAtGaps(times: readonly number[]): number[][] {
  const parts: number[][] = [];
  for (const [at, timeS] of times.entries()) {
    if (at === 0 || timeS - times[at - 1]! >= SKIP_S) parts.push([]);
    parts.at(-1)!.push(timeS);
  }
  return parts;
}

type Facts = 'model' | 'detector' | 'classNames';
