import { setTimeout as sleep } from 'node:timers/promises';
import { type GuardedFetch, isTransient, type MinimumRate, translate, watchRate } from '#platform/net/index';
import { problems } from './problems.ts';

export type Answer = Awaited<ReturnType<GuardedFetch['get']>>;

/** A camera may send one small image every few seconds. */
const LIVE_BYTES_PER_S = 1024;

/** The slowest that a live source may send. */
export const liveRate = ({ minimumRate: { bytesPerS, windowMs } }: Pick<GuardedFetch, 'minimumRate'>): MinimumRate => ({
  bytesPerS: Math.min(LIVE_BYTES_PER_S, bytesPerS),
  windowMs,
});

/** Credentials go on to the same origin only. */
export function withUser(to: URL, from: URL): URL {
  const url = new URL(to);
  if (url.origin === from.origin) [url.username, url.password] = [from.username, from.password];
  return url;
}

export const refused = ({ status, url }: Pick<Answer, 'status' | 'url'>) =>
  problems.live_source_refused(`${url.host} answered ${status} instead of the stream.`);

/** The whole of something small, which `what` names, tried again where that may help. Credentials go to its own origin only. */
export async function fetchAll(
  net: GuardedFetch,
  url: URL,
  {
    what,
    range,
    maxBytes,
    signal,
  }: { what: string; range?: string | undefined; maxBytes: number; signal: AbortSignal },
): Promise<{ bytes: Buffer; url: URL }> {
  const watch = watchRate(liveRate(net), url.host);
  for (let tries = 1; ; tries++) {
    try {
      const answer = await net.get(url.href, { signal, ...(range ? { headers: { range } } : {}) });
      if (answer.status !== (range ? 206 : 200)) {
        answer.body.on('error', () => {}).destroy();
        throw refused(answer);
      }
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of watch.read(answer.body)) {
        length += chunk.length;
        if (length > maxBytes) throw problems.live_source_invalid(`${what} is larger than ${maxBytes / 2 ** 20} MiB.`);
        chunks.push(chunk);
      }
      return { bytes: Buffer.concat(chunks), url: withUser(answer.url, url) };
    } catch (thrown) {
      signal.throwIfAborted();
      const error = translate(thrown, url);
      if (tries === 3 || !isTransient(error)) throw error;
      await sleep(250 * tries, undefined, { signal });
    }
  }
}
