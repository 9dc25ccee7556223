const SEGMENT = /^(?!\.)[A-Za-z0-9._-]+$/;
const MAX_LENGTH = 200;

/** Checks a key that our own code made: a wrong one is a fault of ours, never of a client. Returns its segments. */
export function segmentsOf(key: string): string[] {
  const segments = key.split('/');
  if (key.length > MAX_LENGTH || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new Error(`not a storage key: ${JSON.stringify(key)}`);
  }
  return segments;
}

/** Checks a prefix, which ends in `/`: a whole folder, so that `videos/1/` never takes `videos/12/` with it. */
export function segmentsOfPrefix(prefix: string): string[] {
  if (!prefix.endsWith('/')) throw new Error(`not a storage prefix: ${JSON.stringify(prefix)}`);
  return segmentsOf(prefix.slice(0, -1));
}
