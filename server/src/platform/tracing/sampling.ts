import { parseTraceparent, type TraceContext } from './trace-context.ts';

/** Traces that clients may have sampled beyond the configured share, on each node. */
const REQUESTED_PER_S = 1;
const REQUESTED_BURST = 10;

export type Sampling = {
  /** Share of the traces that are exported, 0 to 1. */
  ratio: number;
  /** Whether the flag `sampled` of a client is respected, within the limit. */
  respectsClients: boolean;
};

/**
 * Returns a function that reads the `traceparent` of a client. Its ids are used, so that the trace of the client
 * continues here. Whether that is exported is decided by chance as for all others: not by the id, which the client
 * chooses, and by its flag only for a limited number of requests.
 */
export function createClientContexts(
  { ratio, respectsClients }: Sampling,
  { now = () => performance.now(), random = Math.random }: { now?: () => number; random?: () => number } = {},
): (header: unknown) => TraceContext | null {
  let left = REQUESTED_BURST;
  let refilledMs = now();

  function admitRequested(): boolean {
    const ms = now();
    left = Math.min(REQUESTED_BURST, left + ((ms - refilledMs) / 1000) * REQUESTED_PER_S);
    refilledMs = ms;
    if (left < 1) return false;
    left -= 1;
    return true;
  }

  return (header) => {
    const sent = parseTraceparent(header);
    if (!sent) return null;
    return { ...sent, isSampled: random() < ratio || (respectsClients && sent.isSampled && admitRequested()) };
  };
}
