import { approachRate } from '../../server/src/engine/find/camera/index.ts';
import { smooth } from '../../server/src/engine/find/time/intervals.ts';
import { createSignalsCollector, HEIGHT, WIDTH } from '../../server/src/engine/observe/signals/collector.ts';
import type { TaskContext } from '../../server/src/platform/media/index.ts';

const PACES = [1, 1, 2, 2, 3, 1, 0, 0, 1, 2, 1, 0, 2, 3, 1];
const PACED_RATE = 25;
export type PacedArgs = { path: string };
export type Paced = { estimated: Float64Array; pace: Float64Array };
/** Window of the smoothed speeds. */
export const SMOOTH_S = 0.5;

/**
 * Media process task: observes a clip's frames at changing paces, as if its camera had moved that much faster. For
 * short clips.
 */
export async function observePaced({ path }: PacedArgs, { decoder }: TaskContext): Promise<Paced> {
  const pictures: Uint8Array[] = [];
  const onFrame = ({ data }: { data: Uint8Array }) => void pictures.push(data.slice());
  await decoder.decode(path, { frames: [{ width: WIDTH, height: HEIGHT, format: 'gray', onFrame }] });
  const each = Math.max(3, Math.floor(pictures.length / PACES.reduce((sum, pace) => sum + pace, 0)));
  const observer = createSignalsCollector();
  const pace: number[] = [];
  let at = 0;
  for (const step of PACES.flatMap((step) => new Array<number>(each).fill(step))) {
    if (at >= pictures.length) break;
    observer.addFrame(pictures[at]!, pace.length / PACED_RATE, pace.length);
    // The pace shows as the distance from the previous frame.
    pace.push(step);
    at += step;
  }
  const signals = observer.finish();
  const seen = [0, ...pace.slice(0, -1)];
  return {
    estimated: smooth(approachRate(signals), signals.timeS, SMOOTH_S),
    pace: smooth(seen, signals.timeS, SMOOTH_S),
  };
}
