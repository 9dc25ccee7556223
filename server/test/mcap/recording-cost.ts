import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskContext } from '#platform/media/index';
import { convertChannel, readTelemetry, survey } from '../../src/engine/robot-logs/tasks.ts';

/** Errors of reading a recording, its CPU seconds, and the peak growth of the process memory in bytes. */
export type RecordingCost = { reasons: string[]; cpuS: number; grownBytes: number };

/** Reads all of a recording, as the product does, and measures it. Runs in a media process. */
export async function measureRecordingCost(
  { path, videos = true }: { path: string; videos?: boolean },
  context: TaskContext,
): Promise<RecordingCost> {
  const place = { path };
  const before = process.cpuUsage();
  const reasons: string[] = [];
  const idleBytes = process.memoryUsage().rss;
  try {
    const { channels, losses } = await survey({ place });
    reasons.push(...losses.map(({ reason }) => reason));
    await readTelemetry({ place }, context);
    const cameras = channels.filter(({ isVideo, messages }) => videos && isVideo && messages !== 0);
    for (const { id: channelId } of cameras) {
      const folder = await mkdtemp(join(tmpdir(), 'film-'));
      const made = convertChannel({ place, channelId, folder, chunkSizeS: null, cameras: cameras.length }, context);
      await made.catch(({ message }: Error) => reasons.push(message));
    }
  } catch (error) {
    reasons.push((error as Error).message);
  }
  const { user, system } = process.cpuUsage(before);
  return { reasons, cpuS: (user + system) / 1e6, grownBytes: peakBytes() - idleBytes };
}

/** Largest resident size of this process. On Linux, `maxRSS` also counts that of the process that started it. */
function peakBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))!;
  return Number(kilobytes) * 1024;
}
