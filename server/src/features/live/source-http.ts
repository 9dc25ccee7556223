import { translate, watchRate } from '#platform/net/index';
import { problems } from './problems.ts';
import type { Recorded, Source, SourceDeps, Stretch } from './source.ts';
import { type Answer, liveRate, refused, withUser } from './source-fetch.ts';
import { readGrowing, sizeOf } from './source-file.ts';
import { openPlaylist } from './source-hls.ts';
import { PLAYLIST_BYTES } from './source-hls-playlist.ts';

/** HLS, MJPEG (`multipart/x-mixed-replace`), a file that grows, or a stream without an end: what it is, its answer says. */
export function openHttpSource({ net }: SourceDeps, url: URL, recorded: () => Recorded | null): Source {
  let playlist: Source | null = null;
  let file: 'begun' | 'whole' | null = null;
  /** It was a stream without an end. */
  let endless = false;

  async function* wholeFile(answer: Answer, body: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
    yield* readGrowing(net, url, { answer, body }, signal);
    file = 'whole';
  }

  /** What comes of one answer until it breaks off. */
  function stretchOf(answer: Answer, body: AsyncIterable<Buffer>, signal: AbortSignal): Stretch {
    const isPictures = /^multipart\/x-mixed-replace/i.test(String(answer.headers['content-type'] ?? ''));
    if (isPictures) {
      endless = true;
      const options = { use_wallclock_as_timestamps: '1', strict_mime_boundary: '0' };
      return { source: { kind: 'bytes', body, format: 'mpjpeg', options }, clockMs: null };
    }
    // A stream without an end has no length.
    if (!Number.isSafeInteger(sizeOf(answer))) {
      endless = true;
      return { source: { kind: 'bytes', body }, clockMs: null };
    }
    if (endless) {
      answer.body.on('error', () => {}).destroy();
      throw problems.live_source_refused('The source answered with a page or a file instead of its stream.');
    }
    file = 'begun';
    return { source: { kind: 'bytes', body: wholeFile(answer, body, signal) }, clockMs: null };
  }

  return {
    publishedMs: () => playlist?.publishedMs?.() ?? null,
    async next(signal) {
      if (playlist) return playlist.next(signal);
      if (file === 'whole') return null;
      // From its start it would be recorded twice.
      if (file) throw problems.live_source_lost('The file could not be read on from where it broke off.');
      const answer = await net.get(url.href, { signal });
      if (answer.status !== 200) {
        answer.body.on('error', () => {}).destroy();
        throw refused(answer);
      }
      const body = watchRate(liveRate(net), url.host).read(answer.body);
      const head = (await body.next()).value ?? Buffer.alloc(0);
      const type = String(answer.headers['content-type'] ?? '');
      if (!/mpegurl/i.test(type) && !head.toString('latin1', 0, 10).includes('#EXTM3U')) {
        return stretchOf(answer, joined(head, body, url), signal);
      }
      const first = { url: withUser(answer.url, url), text: await textOf(joined(head, body, url)) };
      playlist = openPlaylist(net, { original: url, first, recorded });
      return playlist.next(signal);
    },
  };
}

async function* joined(head: Buffer, body: AsyncIterator<Buffer>, url: URL): AsyncGenerator<Buffer> {
  yield head;
  try {
    for (let step = await body.next(); !step.done; step = await body.next()) yield step.value;
  } catch (error) {
    throw translate(error, url);
  }
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > PLAYLIST_BYTES)
      throw problems.live_source_invalid(`The playlist is larger than ${PLAYLIST_BYTES / 2 ** 20} MiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
