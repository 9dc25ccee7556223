import { setTimeout as sleep } from 'node:timers/promises';
import { type GuardedFetch, isTransient, translate, watchRate } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { problems } from './problems.ts';
import { type Answer, liveRate, refused } from './source-fetch.ts';

/** A file that has not grown for this long is whole. */
const GROWN_MS = 15_000;
/** A file that cannot be had for this long is lost. */
const LOST_MS = 300_000;
const LOOK_MS = 1_000;

/**
 * A file to where it grows no more; `body` is that of the first answer. Where an answer breaks off it goes on in the next one, never from the start again. Throws
 * `live_source_lost` where it cannot.
 */
export async function* readGrowing(
  net: GuardedFetch,
  url: URL,
  { answer, body }: { answer: Answer; body: AsyncIterable<Buffer> },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let known = { size: sizeOf(answer), version: versionOf(answer) };
  let at = 0;
  const watch = watchRate(liveRate(net), url.host);

  /** What comes after what was read: null when nothing ever will. */
  async function rest(): Promise<AsyncIterable<Buffer> | Iterable<Buffer> | null> {
    const more = await net.get(url.href, { headers: { range: `bytes=${at}-` }, signal });
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(more.headers['content-range'])) ?? [];
    const now = { size: total === '*' ? known.size : Number(total), version: versionOf(more) };
    // One that has grown has another version.
    const isSame = now.size > known.size || total === '*' || (now.size === known.size && now.version === known.version);
    if (more.status === 206 && Number(from) === at && isSame) {
      known = now;
      return watch.read(more.body);
    }
    more.body.on('error', () => {}).destroy();
    if (more.status >= 500) throw refused(more);
    if (at >= known.size) return more.status === 416 ? [] : null;
    if (more.status >= 400 && more.status !== 416) throw refused(more);
    throw problems.live_source_lost(`The connection to ${url.host} broke off, and it does not go on where it stopped.`);
  }

  let next: Awaited<ReturnType<typeof rest>> = body;
  for (let quietMs = 0; ; quietMs += LOOK_MS) {
    let trouble: unknown = null;
    try {
      next ??= await rest();
      if (!next) return;
      for await (const chunk of next) {
        at += chunk.length;
        quietMs = 0;
        yield chunk;
      }
    } catch (error) {
      signal.throwIfAborted();
      trouble = translate(error, url);
      const mayPass = isTransient(trouble) || (trouble as Problem).code === 'live_source_refused';
      if (!mayPass) throw trouble;
    }
    next = null;
    if (quietMs >= (trouble ? LOST_MS : GROWN_MS)) {
      if (!trouble) return;
      const why = trouble instanceof Problem ? trouble.message : `The connection to ${url.host} broke off.`;
      throw problems.live_source_lost(`The source was lost, and the session ended: ${why}`);
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/** How many bytes an answer has; NaN when it does not say so. */
export const sizeOf = ({ headers }: Answer) => Number(headers['content-length'] ?? Number.NaN);

const versionOf = ({ headers }: Answer) => String(headers.etag ?? headers['last-modified']);
