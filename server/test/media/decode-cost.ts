import type { TaskContext } from '#platform/media/index';

/** Decodes a clip into small frames. Returns the CPU time in milliseconds. */
export async function decodeCost({ path }: { path: string }, { decoder }: TaskContext): Promise<number> {
  const before = process.cpuUsage();
  const frames = [{ width: 160, height: 90, format: 'gray' as const, onFrame: () => {} }];
  await decoder.decode(path, { frames });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the CPU time of this process since it was forked, in milliseconds. */
export async function cpuTime(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
