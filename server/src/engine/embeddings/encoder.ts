import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { ONE_THREAD } from '../models/onnx-session.ts';
import { IMAGE_SIDE, type ScaledImage, toImageInput } from './image-input.ts';
import { readClipTokenizer } from './tokenizer.ts';

/** Files of the model, in the order of the catalog. */
export type ClipFiles = { image: string; text: string; tokenizer: string };

/** Number of values of a vector. */
export const DIMENSIONS = 512;

export type VectorEncoder<Input> = {
  /** The vector of an input: 512 values, of length 1. */
  embed(input: Input): Promise<Float32Array>;
  close(): Promise<void>;
};

/** Opens the part of the model that reads images whose shorter side is 224. Throws if it is no model. */
export async function openImageEncoder(path: string): Promise<VectorEncoder<ScaledImage>> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(path, ONE_THREAD);
  return {
    async embed(image) {
      const input = new Tensor('float32', toImageInput(image), [1, 3, IMAGE_SIDE, IMAGE_SIDE]);
      return run(session, { pixel_values: input }, 'image_embeds');
    },
    close: () => session.release(),
  };
}

/** Opens the part of the model that reads words. Throws if it is no model. */
export async function openTextEncoder({ text, tokenizer }: Omit<ClipFiles, 'image'>): Promise<VectorEncoder<string>> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const { encode } = await readClipTokenizer(tokenizer);
  const session = await InferenceSession.create(text, ONE_THREAD);
  return {
    async embed(words) {
      const tokens = BigInt64Array.from(encode(words), BigInt);
      const tensorOf = (values: BigInt64Array) => new Tensor('int64', values, [1, values.length]);
      const inputs: Record<string, Tensor> = { input_ids: tensorOf(tokens) };
      // Some exports have a mask: all tokens count.
      if (session.inputNames.includes('attention_mask'))
        inputs.attention_mask = tensorOf(new BigInt64Array(tokens.length).fill(1n));
      return run(session, inputs, 'text_embeds');
    },
    close: () => session.release(),
  };
}

async function run(session: InferenceSession, inputs: Record<string, Tensor>, output: string): Promise<Float32Array> {
  if (!session.outputNames.includes(output)) throw new Error(`the model has no output "${output}"`);
  const { data, dims } = (await session.run(inputs, [output]))[output]!;
  if (!(data instanceof Float32Array) || data.length !== DIMENSIONS)
    throw new Error(`the output "${output}" is ${dims.join(' × ')}, not 1 × ${DIMENSIONS}`);
  return toUnit(data);
}

/** A vector of length 1 in the same direction; zeros stay. Throws if a value is no number. */
function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length)) throw new Error('the vector has values that are no numbers');
  return vector.map((value) => value / (length || 1));
}
