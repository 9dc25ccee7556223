import { createCipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch } from '#platform/net/index';
import { openSource, type Recorded, type Source } from './source.ts';

const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1/32'] });
afterAll(() => net.close());

/** What the web server does, and what it was asked for. */
let answer: RequestListener;
let asked: string[];
let base: string;
let stopServer: () => Promise<void>;
/** Ends what a case began. */
let over: AbortController;

beforeEach(async () => {
  asked = [];
  over = new AbortController();
  const server = createServer((request, response) => {
    asked.push(request.url!.slice(1));
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

const open = (path = 'live.m3u8', recorded: Recorded | null = null): Source =>
  openSource({ net }, new URL(path, base), () => recorded);

/** What the next stretches send, piece by piece. */
async function* piecesOf(source: Source): AsyncGenerator<string> {
  for (let stretch = await source.next(over.signal); stretch; stretch = await source.next(over.signal)) {
    if (stretch.source.kind !== 'bytes') throw new Error('It is handed over.');
    for await (const piece of stretch.source.body) yield Buffer.from(piece).toString();
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

/** Answers with these playlists, the last one for good, and with a segment's own name. */
function serve(...playlists: string[]): void {
  let shown = 0;
  answer = ({ url }, response) => {
    if (!url!.endsWith('.m3u8')) return void response.end(url!.slice(1));
    response.end(playlists[Math.min(shown++, playlists.length - 1)]);
  };
}

const END = ['#EXT-X-ENDLIST'];

describe('an HLS source', () => {
  test('of low latency is recorded segment by segment once each is whole', async () => {
    const parts = [
      ...['#EXT-X-PART:DURATION=0.5,URI="p0"', '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p1"'],
      '#EXT-X-RENDITION-REPORT:URI="../other.m3u8",LAST-MSN=3,LAST-PART=0',
    ];
    const tags = ['#EXT-X-PART-INF:PART-TARGET=0.5', '#EXT-X-MAP:URI="init"'];
    serve(playlist({ from: 1, to: 2, tags, end: parts }), playlist({ from: 1, to: 3, tags, end: END }));
    expect(await take(piecesOf(open()), 9)).toEqual(['init', 's1', 's2', 's3']);
  });

  test('whose playlist is empty for a moment keeps its place', async () => {
    const header = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n';
    serve(playlist({ from: 100, to: 119 }), header, playlist({ from: 100, to: 120, end: END }));
    const source = open();
    const pieces = piecesOf(source);
    expect(await take(pieces, 3)).toEqual(['s117', 's118', 's119']);
    await expect(pieces.next()).rejects.toMatchObject({
      code: 'live_source_refused',
      message: expect.stringMatching(/empty/),
    });
    expect(await take(piecesOf(source), 9)).toEqual(['s120']);
  });

  test('that removes segments before they were asked for goes on from the middle of what is there', async () => {
    const windows = [playlist({ from: 10, to: 12 }), playlist({ from: 15, to: 24, end: END })];
    answer = ({ url }, response) => {
      if (url!.endsWith('.m3u8')) response.end(windows.length > 1 ? windows.shift() : windows[0]);
      else if (url === '/s12') response.writeHead(404).end();
      else response.end(url!.slice(1));
    };
    const source = open();
    const pieces = piecesOf(source);
    expect(await take(pieces, 2)).toEqual(['s10', 's11']);
    await expect(pieces.next()).rejects.toMatchObject({ code: 'live_source_refused' });
    expect(await take(piecesOf(source), 9)).toEqual(['s20', 's21', 's22', 's23', 's24']);
  });

  test('is asked for its playlist now and then, whatever it says of its segments', async () => {
    for (const target of ['', '#EXT-X-TARGETDURATION:0\n']) {
      serve(`#EXTM3U\n${target}#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:0.4,\ns1\n`);
      asked = [];
      const pieces = piecesOf(open());
      const came = take(pieces, 2).catch(({ code }) => code);
      await Promise.race([came, new Promise((resolve) => setTimeout(resolve, 1_200))]);
      expect(asked.length).toBeLessThanOrEqual(5);
      if (!target) expect(await came).toBe('live_source_refused');
    }
  });

  test('that counts beyond 32 bits is decrypted', async () => {
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
    expect(await take(piecesOf(open()), 9)).toEqual(['seen']);
  });

  test('whose session ran out is asked for at the address that it was given, and goes on where it was', async () => {
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
    const pieces = piecesOf(source);
    expect(await take(pieces, 3)).toEqual(['s7', 's8', 's9']);
    session = 2;
    await expect(pieces.next()).rejects.toMatchObject({
      code: 'live_source_refused',
      message: expect.stringMatching(/answered 403/),
    });
    expect(await take(piecesOf(source), 9)).toEqual(['s10']);
  });

  test('that is recorded already is taken from there on, as far as it tells when that is', async () => {
    const since = Date.now() - 40_000;
    const recorded = { untilMs: since + 10 * 2_000 + 30, seconds: 8 };
    serve(playlist({ from: 0, to: 15, since }));
    expect(await take(piecesOf(open('live.m3u8', recorded)), 6)).toEqual(['s10', 's11', 's12', 's13', 's14', 's15']);
    // A clock that is years off tells nothing, and a live stream that tells no time is joined as a new one is.
    for (const wrong of [0, undefined]) {
      serve(playlist({ from: 0, to: 15, ...(wrong === undefined ? {} : { since: wrong }) }));
      expect(await take(piecesOf(open('live.m3u8', recorded)), 3)).toEqual(['s13', 's14', 's15']);
    }
    // A film goes on after as much as there is of it.
    serve(playlist({ from: 0, to: 5, end: END }));
    expect(await take(piecesOf(open('live.m3u8', recorded)), 9)).toEqual(['s4', 's5']);
    expect(await take(piecesOf(open('live.m3u8', { ...recorded, seconds: 12 })), 9)).toEqual([]);
  });

  test('tells when a segment was made that has no time of its own', async () => {
    const since = Date.now() - 20_000;
    serve(playlist({ from: 0, to: 9, since, end: END }));
    const stretch = await open('live.m3u8', { untilMs: since + 8_000, seconds: 8 }).next(over.signal);
    expect(stretch!.clockMs).toBe(since + 8_000);
  });

  test('whose playlist is too large says how large it may be', async () => {
    const large = playlist({ from: 1, to: 9 }) + '#'.repeat(2 * 2 ** 20);
    const refused = { code: 'live_source_invalid', message: 'The playlist is larger than 2 MiB.' };
    serve(large);
    await expect(open().next(over.signal)).rejects.toMatchObject(refused);
    serve(playlist({ from: 1, to: 1 }), large);
    await expect(take(piecesOf(open()), 2)).rejects.toMatchObject(refused);
  });

  test('whose playlist names streams without end is refused before they are read', async () => {
    const sounds = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",URI="a.m3u8"\n'.repeat(6_000);
    serve(`#EXTM3U\n${sounds}${'#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nv.m3u8\n'.repeat(150)}`);
    await expect(open().next(over.signal)).rejects.toMatchObject({
      code: 'live_source_invalid',
      message: 'The playlist names 6150 streams; 300 are read.',
    });
  });
});

describe('an HLS source whose sound has a playlist of its own', () => {
  const MASTER = [
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="other",URI="other.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="usual",DEFAULT=YES,URI="sound/sound.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=320x180,AUDIO="g"',
    'pictures.m3u8',
  ].join('\n');

  /** Answers with these playlists and with a segment's own name, but for those that `fails`. */
  function serveBoth(pictures: string, sound: string, fails: (path: string) => boolean = () => false): void {
    answer = ({ url }, response) => {
      if (fails(url!)) response.writeHead(404).end();
      else if (url === '/live.m3u8') response.end(MASTER);
      else if (url === '/pictures.m3u8') response.end(pictures);
      else if (url === '/sound/sound.m3u8') response.end(sound);
      else response.end(url!.slice(1));
    };
  }
  const heard = async (source: Source, count: number) => {
    const stretch = await source.next(over.signal);
    if (stretch?.source.kind !== 'bytes' || !stretch.source.sound) throw new Error('It has sound.');
    async function* pieces(sound: AsyncIterable<Uint8Array>) {
      for await (const piece of sound) yield Buffer.from(piece).toString();
    }
    return take(pieces(stretch.source.sound), count);
  };

  test('begins with the sound of its first pictures: by the clock, by the time of a film, or by the number', async () => {
    const since = Date.now() - 40_000;
    serveBoth(playlist({ from: 0, to: 9, since }), playlist({ from: 103, to: 112, since: since - 100 * 2_000 - 300 }));
    expect(await heard(open(), 2)).toEqual(['sound/s107', 'sound/s108']);
    serveBoth(playlist({ from: 0, to: 5, end: END }), playlist({ from: 40, to: 45, end: END }));
    expect(await heard(open('live.m3u8', { untilMs: 0, seconds: 8 }), 9)).toEqual(['sound/s44', 'sound/s45']);
    serveBoth(playlist({ from: 20, to: 29 }), playlist({ from: 21, to: 30 }));
    expect(await heard(open(), 2)).toEqual(['sound/s27', 'sound/s28']);
    // Nothing tells which belong together: what is as new.
    serveBoth(playlist({ from: 20, to: 29 }), playlist({ from: 500, to: 505 }));
    expect(await heard(open(), 2)).toEqual(['sound/s503', 'sound/s504']);
  });

  test('is heard on where its segments do not follow on each other', async () => {
    const sound = playlist({ from: 1, to: 4, end: END }).replace('s3', 's3\n#EXT-X-DISCONTINUITY');
    serveBoth(playlist({ from: 1, to: 4, end: END }), sound);
    expect(await heard(open(), 9)).toEqual(['sound/s1', 'sound/s2', 'sound/s3', 'sound/s4']);
  });

  test('whose address is none has its pictures', async () => {
    serveBoth(playlist({ from: 1, to: 2, end: END }), '');
    const both = answer;
    answer = (request, response) =>
      request.url === '/live.m3u8'
        ? void response.end(MASTER.replace('sound/sound.m3u8', 'http://['))
        : both(request, response);
    expect(await take(piecesOf(open()), 9)).toEqual(['s1', 's2']);
  });

  test('is heard again after sound that could not be had, and ends without any', async () => {
    let looks = 0;
    serveBoth(playlist({ from: 1, to: 4, end: END }), playlist({ from: 1, to: 4, end: END }), (path) => {
      if (path === '/sound/sound.m3u8') return looks++ === 0;
      return path === '/sound/s2';
    });
    expect(await heard(open(), 9)).toEqual(['sound/s1', 'sound/s3', 'sound/s4']);
    serveBoth(playlist({ from: 1, to: 4, end: END }), '', (path) => path.startsWith('/sound'));
    const stretch = await open().next(over.signal);
    if (stretch?.source.kind !== 'bytes') throw new Error('It is handed over.');
    const pictures: string[] = [];
    for await (const piece of stretch.source.body) pictures.push(Buffer.from(piece).toString());
    expect(pictures).toEqual(['s1', 's2', 's3', 's4']);
    const waiting = stretch.source.sound![Symbol.asyncIterator]().next();
    over.abort(new Error('The pictures have ended.'));
    await expect(waiting).rejects.toThrow('The pictures have ended.');
  });
});

describe('a file', () => {
  const WHOLE = 'The whole of a film, which the connection breaks in the middle of.';
  const MIDDLE = 20;

  /** The first answer breaks off in the middle; `rest` gives the others. */
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

  test('whose connection breaks off goes on where it broke', async () => {
    breaks(ranged('"1"'));
    const pieces = piecesOf(open('film.ts'));
    let text = '';
    while (text.length < WHOLE.length) text += (await pieces.next()).value;
    expect(text).toBe(WHOLE);
    expect(asked).toHaveLength(2);
  });

  test('that does not go on ends, and never begins anew', async () => {
    const from0: RequestListener = (_request, response) => void response.end(WHOLE);
    for (const rest of [ranged('"2"'), from0]) {
      breaks(rest);
      const source = open('film.ts');
      const pieces = piecesOf(source);
      expect((await pieces.next()).value).toBe(WHOLE.slice(0, MIDDLE));
      await expect(pieces.next()).rejects.toMatchObject({ code: 'live_source_lost' });
      await expect(source.next(over.signal)).rejects.toMatchObject({ code: 'live_source_lost' });
    }
  });

  test('that is a stream without an end is connected to anew', async () => {
    answer = (_request, response) => {
      response.write(`stream ${asked.length}`);
      response.end();
    };
    expect(await take(piecesOf(open('stream')), 2)).toEqual(['stream 1', 'stream 2']);
  });

  test('that was a stream is no file when a page is shown in its place for a while', async () => {
    answer = (_request, response) => {
      if (asked.length === 2) return void response.writeHead(200, { 'content-length': 4 }).end('busy');
      response.write(`stream ${asked.length}`);
      response.end();
    };
    const source = open('stream');
    const pieces = piecesOf(source);
    expect((await pieces.next()).value).toBe('stream 1');
    await expect(pieces.next()).rejects.toMatchObject({ code: 'live_source_refused' });
    expect(await take(piecesOf(source), 1)).toEqual(['stream 3']);
  });
});
