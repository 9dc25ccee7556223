import { createRateWatch, toFetchProblem } from '#platform/net/index';
import { problems } from '../problems.ts';
import { getMinimumRate, type SourceResponse, unexpectedStatus, withCredentials } from './fetch.ts';
import { getContentLength, readGrowingFile } from './growing-file.ts';
import { openHlsSource } from './hls.ts';
import { MAX_PLAYLIST_BYTES } from './hls-playlist.ts';
import type { LiveSourceDeps, RecordedPosition, SourceInput, SourceReader } from './types.ts';

/**
 * An HTTP source. Its response determines the kind: HLS, MJPEG (`multipart/x-mixed-replace`), a growing file or an
 * endless stream.
 */
export function openHttpSource(
  { net }: LiveSourceDeps,
  url: URL,
  recorded: () => RecordedPosition | null,
): SourceReader {
  let playlist: SourceReader | null = null;
  let file: 'started' | 'complete' | null = null;
  /** True once the source has sent a stream without a length. */
  let isEndless = false;

  async function* readFile(
    response: SourceResponse,
    body: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    yield* readGrowingFile(net, url, { response, body }, signal);
    file = 'complete';
  }

  /** Input from one response, until its connection breaks. */
  function toInput(response: SourceResponse, body: AsyncIterable<Buffer>, signal: AbortSignal): SourceInput {
    const isMjpeg = /^multipart\/x-mixed-replace/i.test(String(response.headers['content-type'] ?? ''));
    if (isMjpeg) {
      isEndless = true;
      const options = { use_wallclock_as_timestamps: '1', strict_mime_boundary: '0' };
      return { source: { kind: 'bytes', body, format: 'mpjpeg', options }, clockMs: null };
    }
    // An endless stream has no content length.
    if (!Number.isSafeInteger(getContentLength(response))) {
      isEndless = true;
      return { source: { kind: 'bytes', body }, clockMs: null };
    }
    if (isEndless) {
      response.body.on('error', () => {}).destroy();
      throw problems.live_source_refused('The source responded with a page or a file instead of its stream.');
    }
    file = 'started';
    return { source: { kind: 'bytes', body: readFile(response, body, signal) }, clockMs: null };
  }

  return {
    publishedMs: () => playlist?.publishedMs?.() ?? null,
    async next(signal) {
      if (playlist) return playlist.next(signal);
      if (file === 'complete') return null;
      // Reading from the start would record the file twice.
      if (file) throw problems.live_source_lost('The file could not be resumed where the connection broke.');
      const response = await net.get(url.href, { signal });
      if (response.status !== 200) {
        response.body.on('error', () => {}).destroy();
        throw unexpectedStatus(response);
      }
      const body = createRateWatch(getMinimumRate(net), url.host).read(response.body);
      const head = (await body.next()).value ?? Buffer.alloc(0);
      const type = String(response.headers['content-type'] ?? '');
      if (!/mpegurl/i.test(type) && !head.toString('latin1', 0, 10).includes('#EXTM3U')) {
        return toInput(response, prepend(head, body, url), signal);
      }
      const first = { url: withCredentials(response.url, url), text: await readText(prepend(head, body, url)) };
      playlist = openHlsSource(net, { original: url, first, recorded });
      return playlist.next(signal);
    },
  };
}

async function* prepend(head: Buffer, body: AsyncIterator<Buffer>, url: URL): AsyncGenerator<Buffer> {
  yield head;
  try {
    for (let step = await body.next(); !step.done; step = await body.next()) yield step.value;
  } catch (error) {
    throw toFetchProblem(error, url);
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_PLAYLIST_BYTES)
      throw problems.live_source_invalid(`The playlist is larger than ${MAX_PLAYLIST_BYTES / 2 ** 20} MiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
