import { parseTraceparent, type TraceContext } from './trace-context.ts';

/** Traces that clients may have exported beyond the others, on each node. */
const REQUESTED_PER_S = 1;
const REQUESTED_BURST = 10;

export type TraceSampling = {
  /** Share of the traces that are exported, 0 to 1. */
  ratio: number;
  /** Traces that are exported at most per second; infinite for no limit. */
  perS: number;
  /** Whether the flag `sampled` of a client is respected, within a limit. */
  respectsClients: boolean;
};

type Sources = { now?: () => number; random?: () => number };

export type Sampler = {
  /** Whether the next trace that begins here is exported. */
  decide(): boolean;
  /** Reads the `traceparent` of a client, whose trace continues here; null if it is not valid. */
  readClient(header: unknown): TraceContext | null;
};

/**
 * Decides which traces are exported. Clients are not trusted: their ids are used, but whether a trace is exported is
 * decided as for all others, not by an id which they choose, and by their flag only for a limited number of requests.
 */
export function createSampler(
  { ratio, perS, respectsClients }: TraceSampling,
  { now = () => performance.now(), random = Math.random }: Sources = {},
): Sampler {
  const admit = createLimit(perS, perS, now);
  const admitRequested = createLimit(REQUESTED_PER_S, REQUESTED_BURST, now);
  const decide = () => (ratio === 1 || random() < ratio) && admit();
  return {
    decide,
    readClient(header) {
      const sent = parseTraceparent(header);
      if (!sent) return null;
      return { ...sent, isSampled: decide() || (respectsClients && sent.isSampled && admitRequested()) };
    },
  };
}

/** Returns true for `perS` calls a second on average, and for `burst` at once. */
function createLimit(perS: number, burst: number, now: () => number): () => boolean {
  if (perS === Number.POSITIVE_INFINITY) return () => true;
  let left = burst;
  let refilledMs = now();
  return () => {
    const ms = now();
    left = Math.min(burst, left + ((ms - refilledMs) / 1000) * perS);
    refilledMs = ms;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
