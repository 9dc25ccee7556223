import { setTimeout as sleep } from 'node:timers/promises';
import { createRateWatch, type GuardedFetch, isTransientFetchError, toFetchProblem } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';
import { getMinimumRate, type SourceResponse, unexpectedStatus } from './fetch.ts';

/** A file that has not grown for this long is complete. */
const COMPLETE_AFTER_MS = 15_000;
/** A file that cannot be fetched for this long is lost. */
const LOST_AFTER_MS = 300_000;
const POLL_MS = 1_000;

/**
 * Reads a file until it stops growing; `body` is the body of the first response. After a broken connection it continues
 * from the same byte. Throws `live_source_lost` if it cannot.
 */
export async function* readGrowingFile(
  net: GuardedFetch,
  url: URL,
  { response: first, body }: { response: SourceResponse; body: AsyncIterable<Buffer> },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let known = { size: getContentLength(first), version: versionOf(first) };
  let at = 0;
  const watch = createRateWatch(getMinimumRate(net), url.host);

  /** The bytes after those that were read; null if the file is complete. */
  async function fetchRest(): Promise<AsyncIterable<Buffer> | Iterable<Buffer> | null> {
    const response = await net.get(url.href, { headers: { range: `bytes=${at}-` }, signal });
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(response.headers['content-range'])) ?? [];
    const now = { size: total === '*' ? known.size : Number(total), version: versionOf(response) };
    // A file that has grown has another version.
    const isSame = now.size > known.size || total === '*' || (now.size === known.size && now.version === known.version);
    if (response.status === 206 && Number(from) === at && isSame) {
      known = now;
      return watch.read(response.body);
    }
    response.body.on('error', () => {}).destroy();
    if (response.status >= 500) throw unexpectedStatus(response);
    if (at >= known.size) return response.status === 416 ? [] : null;
    if (response.status >= 400 && response.status !== 416) throw unexpectedStatus(response);
    throw problems.live_source_lost(
      `The connection to ${url.host} broke, and the file cannot be resumed where it stopped.`,
    );
  }

  let next: Awaited<ReturnType<typeof fetchRest>> = body;
  for (let idleMs = 0; ; idleMs += POLL_MS) {
    let trouble: unknown = null;
    try {
      next ??= await fetchRest();
      if (!next) return;
      for await (const chunk of next) {
        at += chunk.length;
        idleMs = 0;
        yield chunk;
      }
    } catch (error) {
      signal.throwIfAborted();
      trouble = toFetchProblem(error, url);
      const mayPass = isTransientFetchError(trouble) || (trouble as Problem).code === 'live_source_refused';
      if (!mayPass) throw trouble;
    }
    next = null;
    if (idleMs >= (trouble ? LOST_AFTER_MS : COMPLETE_AFTER_MS)) {
      if (!trouble) return;
      const why = trouble instanceof Problem ? trouble.message : `The connection to ${url.host} broke.`;
      throw problems.live_source_lost(`The session ended because the source was lost: ${why}`);
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Content length of a response in bytes; NaN if it is not stated. */
export const getContentLength = ({ headers }: SourceResponse) => Number(headers['content-length'] ?? Number.NaN);

const versionOf = ({ headers }: SourceResponse) => String(headers.etag ?? headers['last-modified']);
