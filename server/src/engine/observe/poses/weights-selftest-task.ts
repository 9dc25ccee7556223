import type { SelfTestArgs } from '../tested-weights.ts';
import { openEstimator, type PoseEstimator } from './estimator.ts';

/** A task of a media process: loads weights and examines a gray frame. Returns what is wrong with them, or null. */
export async function testWeights({ files: [weights = ''] }: SelfTestArgs): Promise<string | null> {
  let estimator: PoseEstimator | null = null;
  try {
    estimator = await openEstimator(weights);
    const image = { width: 64, height: 64, data: new Uint8Array(3 * 64 * 64).fill(128) };
    const pose = await estimator.estimate(image, { x: 0.5, y: 0.5, width: 0.5, height: 0.8 });
    return pose.every(Number.isFinite) ? null : 'its joints are not numbers';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await estimator?.close();
  }
}
