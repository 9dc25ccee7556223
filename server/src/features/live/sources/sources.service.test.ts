import { createCipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch } from '#platform/net/index';
import { openSource } from './open-source.ts';
import type { RecordedPosition, SourceReader } from './types.ts';

const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1/32'] });
afterAll(() => net.close());

/** Handler of the web server, and the paths that were requested from it. */
let answer: RequestListener;
let requested: string[];
let base: string;
let stopServer: () => Promise<void>;
/** Aborts all readers of a test. */
let over: AbortController;

beforeEach(async () => {
  requested = [];
  over = new AbortController();
  const server = createServer((request, response) => {
    requested.push(request.url!.slice(1));
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stopServer = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterEach(async () => {
  over.abort();
  await stopServer();
});

const open = (path = 'live.m3u8', recorded: RecordedPosition | null = null): SourceReader =>
  openSource({ net, pushed: { find: async () => null } }, new URL(path, base), () => recorded);

/** The bytes of all inputs, one segment at a time. */
async function* readSegments(source: SourceReader): AsyncGenerator<string> {
  for (let input = await source.next(over.signal); input; input = await source.next(over.signal)) {
    if (input.source.kind !== 'bytes') throw new Error('expected bytes');
    for await (const piece of input.source.body) yield Buffer.from(piece).toString();
  }
}

async function take(pieces: AsyncGenerator<string>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value, done } = await pieces.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

type Listed = { from: number; to: number; target?: number; tags?: string[]; end?: string[]; since?: number };

/** A playlist of the segments `from` to `to`, of two seconds each; `since` is when segment 0 was made. */
function playlist({ from, to, target = 2, tags = [], end = [], since }: Listed): string {
  const lines = ['#EXTM3U', `#EXT-X-TARGETDURATION:${target}`, `#EXT-X-MEDIA-SEQUENCE:${from}`, ...tags];
  if (since !== undefined) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(since + from * 2_000).toISOString()}`);
  for (let i = from; i <= to; i++) lines.push('#EXTINF:2,', `s${i}`);
  return [...lines, ...end, ''].join('\n');
}

/** Serves these playlists in order, then the last one again, and segments with their own name as content. */
function serve(...playlists: string[]): void {
  let shown = 0;
  answer = ({ url }, response) => {
    if (!url!.endsWith('.m3u8')) return void response.end(url!.slice(1));
    response.end(playlists[Math.min(shown++, playlists.length - 1)]);
  };
}

const END = ['#EXT-X-ENDLIST'];

describe('an HLS source', () => {
  test('with low latency is read by complete segments', async () => {
    const parts = [
      '#EXT-X-PART:DURATION=0.5,URI="p0"',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p1"',
      '#EXT-X-RENDITION-REPORT:URI="../other.m3u8",LAST-MSN=3,LAST-PART=0',
    ];
    const tags = ['#EXT-X-PART-INF:PART-TARGET=0.5', '#EXT-X-MAP:URI="init"'];
    serve(playlist({ from: 1, to: 2, tags, end: parts }), playlist({ from: 1, to: 3, tags, end: END }));
    expect(await take(readSegments(open()), 9)).toEqual(['init', 's1', 's2', 's3']);
  });

  test('with an empty playlist keeps its position', async () => {
    const header = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n';
    serve(playlist({ from: 100, to: 119 }), header, playlist({ from: 100, to: 120, end: END }));
    const source = open();
    const pieces = readSegments(source);
    expect(await take(pieces, 3)).toEqual(['s117', 's118', 's119']);
    await expect(pieces.next()).rejects.toMatchObject({
      code: 'live_source_refused',
      message: expect.stringMatching(/empty/),
    });
    expect(await take(readSegments(source), 9)).toEqual(['s120']);
  });

  test('that removes segments too early continues in the middle of the playlist', async () => {
    const windows = [playlist({ from: 10, to: 12 }), playlist({ from: 15, to: 24, end: END })];
    answer = ({ url }, response) => {
      if (url!.endsWith('.m3u8')) response.end(windows.length > 1 ? windows.shift() : windows[0]);
      else if (url === '/s12') response.writeHead(404).end();
      else response.end(url!.slice(1));
    };
    const source = open();
    const pieces = readSegments(source);
    expect(await take(pieces, 2)).toEqual(['s10', 's11']);
    await expect(pieces.next()).rejects.toMatchObject({ code: 'live_source_refused' });
    expect(await take(readSegments(source), 9)).toEqual(['s20', 's21', 's22', 's23', 's24']);
  });

  test('has its playlist reloaded at bounded intervals', async () => {
    for (const target of ['', '#EXT-X-TARGETDURATION:0\n']) {
      serve(`#EXTM3U\n${target}#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:0.4,\ns1\n`);
      requested = [];
      const pieces = readSegments(open());
      const came = take(pieces, 2).catch(({ code }) => code);
      await Promise.race([came, new Promise((resolve) => setTimeout(resolve, 1_200))]);
      expect(requested.length).toBeLessThanOrEqual(5);
      if (!target) expect(await came).toBe('live_source_refused');
    }
  });

  test('with sequence numbers beyond 32 bits is decrypted', async () => {
    const first = 17_266_400_000_000;
    const iv = Buffer.alloc(16);
    iv.writeBigUInt64BE(BigInt(first), 8);
    const key = Buffer.alloc(16, 7);
    const list = playlist({ from: first, to: first, tags: ['#EXT-X-KEY:METHOD=AES-128,URI="key"'], end: END });
    answer = ({ url }, response) => {
      if (url!.endsWith('.m3u8')) return void response.end(list);
      if (url === '/key') return void response.end(key);
      const cipher = createCipheriv('aes-128-cbc', key, iv);
      response.end(Buffer.concat([cipher.update('seen'), cipher.final()]));
    };
    expect(await take(readSegments(open()), 9)).toEqual(['seen']);
  });

  test('with expired URLs is loaded from its original URL and continues at its position', async () => {
    let session = 1;
    answer = ({ url }, response) => {
      const [, of, name] = /^\/(?:session(\d)\/)?(.+)$/.exec(url!)!;
      if (name === 'live.m3u8') {
        response.end(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsession${session}/media.m3u8\n`);
      } else if (Number(of) !== session) response.writeHead(403).end();
      else if (name === 'media.m3u8') response.end(playlist({ from: 5, to: 8 + session, end: session > 1 ? END : [] }));
      else response.end(name);
    };
    const source = open();
    const pieces = readSegments(source);
    expect(await take(pieces, 3)).toEqual(['s7', 's8', 's9']);
    session = 2;
    await expect(pieces.next()).rejects.toMatchObject({
      code: 'live_source_refused',
      message: expect.stringMatching(/responded with status 403/),
    });
    expect(await take(readSegments(source), 9)).toEqual(['s10']);
  });

  test('continues after the recorded part if its times are known', async () => {
    const since = Date.now() - 40_000;
    const recorded = { untilMs: since + 10 * 2_000 + 30, seconds: 8 };
    serve(playlist({ from: 0, to: 15, since }));
    expect(await take(readSegments(open('live.m3u8', recorded)), 6)).toEqual([
      's10',
      's11',
      's12',
      's13',
      's14',
      's15',
    ]);
    // A live stream with a wrong clock or without times is joined like a new one.
    for (const wrong of [0, undefined]) {
      serve(playlist({ from: 0, to: 15, ...(wrong === undefined ? {} : { since: wrong }) }));
      expect(await take(readSegments(open('live.m3u8', recorded)), 3)).toEqual(['s13', 's14', 's15']);
    }
    // An ended stream continues after the recorded duration.
    serve(playlist({ from: 0, to: 5, end: END }));
    expect(await take(readSegments(open('live.m3u8', recorded)), 9)).toEqual(['s4', 's5']);
    expect(await take(readSegments(open('live.m3u8', { ...recorded, seconds: 12 })), 9)).toEqual([]);
  });

  test('derives the time of a segment without one', async () => {
    const since = Date.now() - 20_000;
    serve(playlist({ from: 0, to: 9, since, end: END }));
    const input = await open('live.m3u8', { untilMs: since + 8_000, seconds: 8 }).next(over.signal);
    expect(input!.clockMs).toBe(since + 8_000);
  });

  test('with a playlist that is too large is refused with the limit', async () => {
    const large = playlist({ from: 1, to: 9 }) + '#'.repeat(2 * 2 ** 20);
    const refused = { code: 'live_source_invalid', message: 'The playlist is larger than 2 MiB.' };
    serve(large);
    await expect(open().next(over.signal)).rejects.toMatchObject(refused);
    serve(playlist({ from: 1, to: 1 }), large);
    await expect(take(readSegments(open()), 2)).rejects.toMatchObject(refused);
  });

  test('with too many streams is refused before it is parsed', async () => {
    const sounds = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",URI="a.m3u8"\n'.repeat(6_000);
    serve(`#EXTM3U\n${sounds}${'#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nv.m3u8\n'.repeat(150)}`);
    await expect(open().next(over.signal)).rejects.toMatchObject({
      code: 'live_source_invalid',
      message: 'The playlist lists 6150 streams; at most 300 are supported.',
    });
  });
});

describe('an HLS source with an audio rendition', () => {
  const MASTER = [
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="other",URI="other.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="usual",DEFAULT=YES,URI="sound/sound.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180,AUDIO="g"',
    'pictures.m3u8',
  ].join('\n');

  /** Serves these playlists, and segments with their own name as content; paths that `fails` accepts are 404. */
  function serveBoth(pictures: string, sound: string, fails: (path: string) => boolean = () => false): void {
    answer = ({ url }, response) => {
      if (fails(url!)) response.writeHead(404).end();
      else if (url === '/live.m3u8') response.end(MASTER);
      else if (url === '/pictures.m3u8') response.end(pictures);
      else if (url === '/sound/sound.m3u8') response.end(sound);
      else response.end(url!.slice(1));
    };
  }
  const readAudio = async (source: SourceReader, count: number) => {
    const input = await source.next(over.signal);
    if (input?.source.kind !== 'bytes' || !input.source.sound) throw new Error('expected audio');
    async function* pieces(sound: AsyncIterable<Uint8Array>) {
      for await (const piece of sound) yield Buffer.from(piece).toString();
    }
    return take(pieces(input.source.sound), count);
  };

  test('starts with the audio of its first frames, matched by capture time, position or number', async () => {
    const since = Date.now() - 40_000;
    serveBoth(playlist({ from: 0, to: 9, since }), playlist({ from: 103, to: 112, since: since - 100 * 2_000 - 300 }));
    expect(await readAudio(open(), 2)).toEqual(['sound/s107', 'sound/s108']);
    serveBoth(playlist({ from: 0, to: 5, end: END }), playlist({ from: 40, to: 45, end: END }));
    expect(await readAudio(open('live.m3u8', { untilMs: 0, seconds: 8 }), 9)).toEqual(['sound/s44', 'sound/s45']);
    serveBoth(playlist({ from: 20, to: 29 }), playlist({ from: 21, to: 30 }));
    expect(await readAudio(open(), 2)).toEqual(['sound/s27', 'sound/s28']);
    // Without a match, audio is joined like a new stream.
    serveBoth(playlist({ from: 20, to: 29 }), playlist({ from: 500, to: 505 }));
    expect(await readAudio(open(), 2)).toEqual(['sound/s503', 'sound/s504']);
  });

  test('continues its audio after a discontinuity', async () => {
    const sound = playlist({ from: 1, to: 4, end: END }).replace('s3', 's3\n#EXT-X-DISCONTINUITY');
    serveBoth(playlist({ from: 1, to: 4, end: END }), sound);
    expect(await readAudio(open(), 9)).toEqual(['sound/s1', 'sound/s2', 'sound/s3', 'sound/s4']);
  });

  test('with an invalid audio URL is read without audio', async () => {
    serveBoth(playlist({ from: 1, to: 2, end: END }), '');
    const both = answer;
    answer = (request, response) =>
      request.url === '/live.m3u8'
        ? void response.end(MASTER.replace('sound/sound.m3u8', 'http://['))
        : both(request, response);
    expect(await take(readSegments(open()), 9)).toEqual(['s1', 's2']);
  });

  test('continues after missing audio, and ends without audio', async () => {
    let loads = 0;
    serveBoth(playlist({ from: 1, to: 4, end: END }), playlist({ from: 1, to: 4, end: END }), (path) => {
      if (path === '/sound/sound.m3u8') return loads++ === 0;
      return path === '/sound/s2';
    });
    expect(await readAudio(open(), 9)).toEqual(['sound/s1', 'sound/s3', 'sound/s4']);
    serveBoth(playlist({ from: 1, to: 4, end: END }), '', (path) => path.startsWith('/sound'));
    const input = await open().next(over.signal);
    if (input?.source.kind !== 'bytes') throw new Error('expected bytes');
    const pictures: string[] = [];
    for await (const piece of input.source.body) pictures.push(Buffer.from(piece).toString());
    expect(pictures).toEqual(['s1', 's2', 's3', 's4']);
    const waiting = input.source.sound![Symbol.asyncIterator]().next();
    over.abort(new Error('the video has ended'));
    await expect(waiting).rejects.toThrow('the video has ended');
  });
});

describe('an HTTP file', () => {
  const WHOLE = 'The content of a file whose connection breaks in the middle.';
  const MIDDLE = 20;

  /** The first response breaks in the middle; `rest` serves the others. */
  function breaks(rest: RequestListener): void {
    answer = (request, response) => {
      if (request.headers.range) return rest(request, response);
      response.writeHead(200, { 'content-length': WHOLE.length, etag: '"1"' });
      response.write(WHOLE.slice(0, MIDDLE), () => setTimeout(() => response.destroy(), 50));
    };
  }

  const ranged = (etag: string): RequestListener => {
    return ({ headers }, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(headers.range!)![1]);
      if (from >= WHOLE.length) return void response.writeHead(416).end();
      const range = `bytes ${from}-${WHOLE.length - 1}/${WHOLE.length}`;
      response.writeHead(206, { 'content-range': range, etag }).end(WHOLE.slice(from));
    };
  };

  test('with a broken connection continues where it broke', async () => {
    breaks(ranged('"1"'));
    const pieces = readSegments(open('film.ts'));
    let text = '';
    while (text.length < WHOLE.length) text += (await pieces.next()).value;
    expect(text).toBe(WHOLE);
    expect(requested).toHaveLength(2);
  });

  test('that cannot be resumed ends and does not restart', async () => {
    const from0: RequestListener = (_request, response) => void response.end(WHOLE);
    for (const rest of [ranged('"2"'), from0]) {
      breaks(rest);
      const source = open('film.ts');
      const pieces = readSegments(source);
      expect((await pieces.next()).value).toBe(WHOLE.slice(0, MIDDLE));
      await expect(pieces.next()).rejects.toMatchObject({ code: 'live_source_lost' });
      await expect(source.next(over.signal)).rejects.toMatchObject({ code: 'live_source_lost' });
    }
  });

  test('without a length is reconnected', async () => {
    answer = (_request, response) => {
      response.write(`stream ${requested.length}`);
      response.end();
    };
    expect(await take(readSegments(open('stream')), 2)).toEqual(['stream 1', 'stream 2']);
  });

  test('that was a stream is not replaced by a page', async () => {
    answer = (_request, response) => {
      if (requested.length === 2) return void response.writeHead(200, { 'content-length': 4 }).end('busy');
      response.write(`stream ${requested.length}`);
      response.end();
    };
    const source = open('stream');
    const pieces = readSegments(source);
    expect((await pieces.next()).value).toBe('stream 1');
    await expect(pieces.next()).rejects.toMatchObject({ code: 'live_source_refused' });
    expect(await take(readSegments(source), 1)).toEqual(['stream 3']);
  });
});
