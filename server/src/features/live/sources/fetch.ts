import { setTimeout as sleep } from 'node:timers/promises';
import {
  createRateWatch,
  type GuardedFetch,
  isTransientFetchError,
  type MinimumRate,
  toFetchProblem,
} from '#platform/net/index';
import { problems } from '../problems.ts';

export type SourceResponse = Awaited<ReturnType<GuardedFetch['get']>>;

/** Cameras may send one small image every few seconds. */
const LIVE_BYTES_PER_S = 1024;

/** Lowest transfer rate at which a live source counts as connected. */
export const getMinimumRate = ({
  minimumRate: { bytesPerS, windowMs },
}: Pick<GuardedFetch, 'minimumRate'>): MinimumRate => ({
  bytesPerS: Math.min(LIVE_BYTES_PER_S, bytesPerS),
  windowMs,
});

/** Adds the credentials of `from` to `to` if both have the same origin. */
export function withCredentials(to: URL, from: URL): URL {
  const url = new URL(to);
  if (url.origin === from.origin) [url.username, url.password] = [from.username, from.password];
  return url;
}

export const unexpectedStatus = ({ status, url }: Pick<SourceResponse, 'status' | 'url'>) =>
  status === 401
    ? problems.live_source_denied(`${url.host} did not accept the user name and the password.`)
    : problems.live_source_refused(`${url.host} responded with status ${status} instead of the stream.`);

/**
 * Fetches up to `maxBytes` into memory and retries transient errors. `what` names the content in error messages.
 * Credentials are sent to the original origin only.
 */
export async function fetchBytes(
  net: GuardedFetch,
  url: URL,
  {
    what,
    range,
    maxBytes,
    signal,
  }: { what: string; range?: string | undefined; maxBytes: number; signal: AbortSignal },
): Promise<{ bytes: Buffer; url: URL }> {
  const watch = createRateWatch(getMinimumRate(net), url.host);
  for (let tries = 1; ; tries++) {
    try {
      const answer = await net.get(url.href, { signal, ...(range ? { headers: { range } } : {}) });
      if (answer.status !== (range ? 206 : 200)) {
        answer.body.on('error', () => {}).destroy();
        throw unexpectedStatus(answer);
      }
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of watch.read(answer.body)) {
        length += chunk.length;
        if (length > maxBytes) throw problems.live_source_invalid(`${what} is larger than ${maxBytes / 2 ** 20} MiB.`);
        chunks.push(chunk);
      }
      return { bytes: Buffer.concat(chunks), url: withCredentials(answer.url, url) };
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toFetchProblem(thrown, url);
      if (tries === 3 || !isTransientFetchError(error)) throw error;
      await sleep(250 * tries, undefined, { signal });
    }
  }
}
