import {
  HEIGHT,
  KEYFRAME_EVERY_S as minIntervalS,
  WIDTH,
} from '../../server/src/engine/observe/keyframe-scan/collector.ts';
import { type ObserveArgs, observe } from '../../server/src/engine/observe/observe-task.ts';
import type { DecodeRequest, TaskContext } from '../../server/src/platform/media/index.ts';
import { measureCpu } from './analysis.ts';

/** CPU milliseconds of each turn: of plain decoding, and of each set of observers. */
export type PassCosts = { decodeMs: number[]; setsMs: Record<string, number[]> };

/** Measures passes in turns, in one process. `keyframes`: plain decoding delivers the frames of a keyframe scan. */
export async function passCosts(
  { sets, repeats, keyframes = false }: { sets: Record<string, ObserveArgs>; repeats: number; keyframes?: boolean },
  context: TaskContext,
): Promise<PassCosts> {
  const names = Object.keys(sets);
  const { path } = sets[names[0]!]!;
  const costs: PassCosts = {
    decodeMs: [],
    setsMs: Object.fromEntries(names.map((name) => [name, []])),
  };
  const request: DecodeRequest = keyframes
    ? { skip: 'non-key', frames: [{ width: WIDTH, height: HEIGHT, format: 'gray', minIntervalS, onFrame() {} }] }
    : { frames: [] };
  const decode = () => context.decoder.decode(path, request);
  // The first pass compiles what the others share.
  await observe(sets[names[0]!]!, context);
  for (let turn = 0; turn < repeats; turn++) {
    costs.decodeMs.push(await measureCpu(decode));
    for (const name of names) costs.setsMs[name]!.push(await measureCpu(() => observe(sets[name]!, context)));
  }
  return costs;
}
