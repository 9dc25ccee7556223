const SEGMENT = /^(?!\.)[A-Za-z0-9._-]+$/;
const MAX_LENGTH = 200;

/**
 * Validates a key and returns its segments. Keys are generated here, so an invalid one is a bug: throws a plain
 * `Error`.
 */
export function parseKey(key: string): string[] {
  const segments = key.split('/');
  if (key.length > MAX_LENGTH || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new Error(`not a storage key: ${JSON.stringify(key)}`);
  }
  return segments;
}

/** Validates a prefix. It must end in `/`, so that `videos/1` never matches `videos/12`. */
export function parsePrefix(prefix: string): string[] {
  if (!prefix.endsWith('/')) throw new Error(`not a storage prefix: ${JSON.stringify(prefix)}`);
  return parseKey(prefix.slice(0, -1));
}
