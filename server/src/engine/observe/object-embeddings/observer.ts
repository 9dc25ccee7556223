import type { FrameRequest } from '#platform/media/index';
import { openImageEncoder, type ScaledImage, type VectorEncoder } from '../../embeddings/index.ts';
import { decodeObservation } from '../decode-observation.ts';
import { decodeSelected } from '../decode-selected.ts';
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
/** Vectors of tracked objects, for searches by words and images: what is small in a frame is lost in its vector. */
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
      ...(facts as Pick<ObjectEmbeddings, Facts>),
      ...own,
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
      await decodeSelected(decoder, path, times, [{ ...size, format: 'rgb', onFrame }]);
      return { observation: finish(), ...duration };
    } finally {
      await (encoder as VectorEncoder<ScaledImage> | null)?.close();
    }
  },
});

type Facts = 'model' | 'detector' | 'classNames';
