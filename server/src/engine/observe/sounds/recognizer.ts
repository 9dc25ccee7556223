import { InferenceSession, Tensor } from 'onnxruntime-node';
import { ONE_THREAD } from '../../models/onnx-session.ts';
import { WINDOW } from './windows.ts';

/** Number of AudioSet classes of the model. */
export const CLASS_COUNT = 521;

/** Recognizes the sounds of one window. */
export type Recognizer = {
  /** Scores of all classes, 0 to 1, valid until the next call. `samples` are `WINDOW` samples at 16 kHz, -1 to 1. */
  recognize(samples: Float32Array<ArrayBuffer>): Promise<Float32Array>;
  close(): Promise<void>;
};

/** Opens the model. Throws if it does not have the shape of YAMNet. */
export async function openRecognizer(weights: string): Promise<Recognizer> {
  const session = await InferenceSession.create(weights, ONE_THREAD);
  const [inputName] = session.inputNames;
  const [outputName] = session.outputNames;
  if (inputName === undefined || outputName === undefined) throw new Error('the model has no input or no output');
  return {
    async recognize(samples) {
      const results = await session.run({ [inputName]: new Tensor('float32', samples, [1, WINDOW]) }, [outputName]);
      const { data, size } = results[outputName]!;
      if (size !== CLASS_COUNT || !(data instanceof Float32Array))
        throw new Error(`the model's output has ${size} numbers, not ${CLASS_COUNT}`);
      return data;
    },
    close: () => session.release(),
  };
}
