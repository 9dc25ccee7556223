import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_MS = 30_000;
/** A process that is busy for less than this share of an interval is idle. */
const IDLE_SHARE = 0.05;
/** Size of the young generation from which on its memory is worth a pause of a tenth of a second. */
const MIN_BYTES = 16e6;

/**
 * Returns memory to the system while this process is idle. V8 lets the young generation grow to 130 MB under load,
 * which a start is, and shrinks it in a full collection, of which an idle process has none for hours. A limit on its
 * size would slow down the process under load. Returns a function that stops the checks.
 */
export function releaseMemoryWhenIdle({ checkMs = CHECK_MS, minBytes = MIN_BYTES } = {}): () => void {
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    if (utilization < IDLE_SHARE && youngGenerationBytes() > minBytes) collectGarbage();
  }, checkMs).unref();
  return () => clearInterval(timer);
}

const youngGenerationBytes = () =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')!.space_size;

/** Node offers a collection only to processes started with this flag, and to contexts made after it is set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
}
