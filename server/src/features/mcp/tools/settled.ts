import { setTimeout as sleep } from 'node:timers/promises';

/** Reads a state with growing pauses up to 2 s until it is over. Throws the reason of the signal. */
export async function settled<T>(
  read: () => Promise<T>,
  isOver: (state: T) => boolean,
  signal: AbortSignal,
  onState: (state: T) => Promise<void> = async () => {},
): Promise<T> {
  for (let waitMs = 100; ; waitMs = Math.min(2_000, waitMs * 1.5)) {
    const state = await read();
    if (isOver(state)) return state;
    await onState(state);
    await sleep(waitMs, undefined, { signal });
  }
}
