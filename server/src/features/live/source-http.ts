import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from './problems.ts';
import type { Source, SourceDeps, Stretch } from './source.ts';
import { type Answer, refused, withUser } from './source-fetch.ts';
import { openPlaylist } from './source-hls.ts';

const PLAYLIST_BYTES = 4 * 2 ** 20;
/** A file that has not grown for this long is whole. */
const GROWN_MS = 15_000;
const LOOK_MS = 1_000;

/** HLS, MJPEG (`multipart/x-mixed-replace`), a file that grows, or a stream without an end: what it is, its answer says. */
export function openHttpSource({ net }: SourceDeps, url: URL): Source {
  let source: Source | null = null;
  let ended = false;

  /** What comes of one answer until it breaks off. */
  function whole(answer: Answer, body: AsyncIterator<Buffer>, first: Buffer, signal: AbortSignal): Stretch {
    const bytes = async function* () {
      yield first;
      for (let step = await body.next(); !step.done; step = await body.next()) yield step.value;
      const size = Number(answer.headers['content-length'] ?? Number.NaN);
      if (Number.isSafeInteger(size)) yield* grown(net, url, size, signal);
      ended = Number.isSafeInteger(size);
    };
    const isPictures = /^multipart\/x-mixed-replace/i.test(String(answer.headers['content-type'] ?? ''));
    const mjpeg = { format: 'mpjpeg', options: { use_wallclock_as_timestamps: '1', strict_mime_boundary: '0' } };
    return { source: { kind: 'bytes', body: bytes(), ...(isPictures ? mjpeg : {}) }, clockMs: null };
  }

  return {
    async next(signal) {
      if (source) return source.next(signal);
      if (ended) return null;
      const answer = await net.get(url.href, { signal });
      if (answer.status !== 200) {
        answer.body.on('error', () => {}).destroy();
        throw refused(answer);
      }
      const body = (answer.body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
      const first = (await body.next()).value ?? Buffer.alloc(0);
      const type = String(answer.headers['content-type'] ?? '');
      if (!/mpegurl/i.test(type) && !first.toString('latin1', 0, 10).includes('#EXTM3U')) {
        return whole(answer, body, first, signal);
      }
      source = openPlaylist(net, { url: withUser(answer.url, url), text: await textOf(first, body) });
      return source.next(signal);
    },
  };
}

/** What is added to a file, from `size` on, until nothing more is. */
async function* grown(net: GuardedFetch, url: URL, size: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  let at = size;
  for (let quietMs = 0; quietMs < GROWN_MS; quietMs += LOOK_MS) {
    await sleep(LOOK_MS, undefined, { signal });
    const answer = await net.get(url.href, { headers: { range: `bytes=${at}-` }, signal });
    const more = answer.status === 206 && String(answer.headers['content-range']).startsWith(`bytes ${at}-`);
    if (!more) {
      answer.body.on('error', () => {}).destroy();
      if (answer.status === 416) continue;
      // Whatever it answers, it is not what goes on from there.
      return;
    }
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      at += chunk.length;
      quietMs = 0;
      yield chunk;
    }
  }
}

async function textOf(first: Buffer, body: AsyncIterator<Buffer>): Promise<string> {
  const chunks = [first];
  let length = first.length;
  for (let step = await body.next(); !step.done; step = await body.next()) {
    length += step.value.length;
    if (length > PLAYLIST_BYTES) throw problems.live_source_invalid('The playlist is larger than 4 MiB.');
    chunks.push(step.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
