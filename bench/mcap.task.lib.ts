import { film } from '../server/src/engine/recording/tasks.ts';
import type { TaskContext } from '../server/src/platform/media/index.ts';

/** Makes the video of a channel, and says the most memory this process ever had, in bytes. */
export async function filmAndPeak(
  args: Parameters<typeof film>[0],
  context: TaskContext,
): Promise<{ frames: number; peakBytes: number }> {
  const made = await film(args, context);
  const frames = made.parts.reduce((sum, part) => sum + part.frames, 0);
  return { frames, peakBytes: process.resourceUsage().maxRSS * 1024 };
}
