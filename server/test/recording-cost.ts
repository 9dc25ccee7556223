import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskContext } from '#platform/media/index';
import { film, survey, telemetry } from '../src/engine/recording/tasks.ts';

/** What reading a recording ended with and cost: CPU seconds, and by how many bytes the memory of the process grew at most. */
export type Cost = { reasons: string[]; cpuS: number; grownBytes: number };

/** Reads all of a recording, as the product does, and measures it. Runs in a media process. */
export async function readAll(
  { path, films = true }: { path: string; films?: boolean },
  context: TaskContext,
): Promise<Cost> {
  const place = { path };
  const before = process.cpuUsage();
  const reasons: string[] = [];
  const idleBytes = process.memoryUsage().rss;
  try {
    const { channels, losses } = await survey({ place });
    reasons.push(...losses.map(({ reason }) => reason));
    await telemetry({ place }, context);
    const cameras = channels.filter(({ isVideo, messages }) => films && isVideo && messages !== 0);
    for (const { id: channelId } of cameras) {
      const folder = await mkdtemp(join(tmpdir(), 'film-'));
      const made = film({ place, channelId, folder, partS: null, cameras: cameras.length }, context);
      await made.catch(({ message }: Error) => reasons.push(message));
    }
  } catch (error) {
    reasons.push((error as Error).message);
  }
  const { user, system } = process.cpuUsage(before);
  const grownBytes = process.resourceUsage().maxRSS * 1024 - idleBytes;
  return { reasons, cpuS: (user + system) / 1e6, grownBytes };
}
