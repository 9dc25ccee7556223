import { type ClipFiles, openImageEncoder } from '../../embeddings/index.ts';
import { defineTaskObserver, type Prepared, type TaskObserverContext, toDuration, type Unavailable } from '../types.ts';
import type { WeightsFinder } from '../weights.ts';
import { createEmbeddingsObserver } from './embeddings-observer.ts';
import type { Embeddings } from './observation.ts';

export type EmbeddingsSettings = { files: ClipFiles; model: string };

/** Digits of the weights' digest that go into versions. */
const DIGEST_DIGITS = 12;

/** The files of the model, and what versions have of it; the reason if it is unavailable. */
export async function prepareClip({
  weights,
}: {
  weights: WeightsFinder;
}): Promise<Prepared<EmbeddingsSettings> | Unavailable> {
  const found = await weights.find('embeddings');
  if ('unavailable' in found) return found;
  const [image = '', text = '', tokenizer = ''] = found.paths;
  const digest = found.digest.slice(0, DIGEST_DIGITS);
  return {
    settings: { files: { image, text, tokenizer }, model: `${found.name} ${digest}` },
    suffix: `${found.name}.${digest}`,
  };
}

/** Vectors of frames, for searches by words and images. Only where somebody asks for them: nothing else needs it. */
export const embeddings = defineTaskObserver({
  kind: 'embeddings',
  version: 'embeddings-1',
  depth: 'both',
  onDemand: true,
  relativeDuration: 1,
  prepare: prepareClip,
  encode({ model, vectors, ...arrays }: Embeddings) {
    return {
      facts: { model },
      arrays: { ...arrays, vectors: new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length) },
    };
  },
  decode({ facts, arrays }): Embeddings {
    const { vectors, ...own } = arrays as Pick<Embeddings, 'timeS' | 'pts' | 'scales'> & { vectors: Uint8Array };
    return {
      ...(facts as Pick<Embeddings, 'model'>),
      ...own,
      vectors: new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length),
    };
  },
  async observe({ path, video, settings, decoder, onProgress }: TaskObserverContext<EmbeddingsSettings>) {
    const encoder = await openImageEncoder(settings.files.image);
    try {
      const { request, finish } = createEmbeddingsObserver(encoder.embed, video, settings.model);
      const summary = await decoder.decode(path, { frames: [request], onProgress });
      return { observation: finish(), ...toDuration(summary, video) };
    } finally {
      await encoder.close();
    }
  },
});
