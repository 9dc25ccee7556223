import { convertChannel } from '../../server/src/engine/robot-logs/tasks.ts';
import type { TaskContext } from '../../server/src/platform/media/index.ts';

/** Creates the video of a channel and returns the process's peak memory in bytes. */
export async function convertAndMeasure(
  args: Parameters<typeof convertChannel>[0],
  context: TaskContext,
): Promise<{ frames: number; peakBytes: number }> {
  const made = await convertChannel(args, context);
  const frames = made.parts.reduce((sum, part) => sum + part.frames, 0);
  return { frames, peakBytes: process.resourceUsage().maxRSS * 1024 };
}
