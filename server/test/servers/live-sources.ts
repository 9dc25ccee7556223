import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Sources of livestreams, real ones: the ffmpeg program feeds them at real speed. They listen on loopback, and speak
 * as cameras and origins do.
 */

/**
 * A moving picture, a second hand and a tone, H.264 with a keyframe a second; as ffmpeg makes it at real speed. With
 * `darkS` it is dark for so many seconds after as many that are not, again and again; after `seenS` there is the tone
 * alone.
 */
export const testPattern = ({
  size = '320x180',
  rate = 10,
  seconds = 3_600,
  sound = true,
  darkS = 0,
  seenS = 3_600,
} = {}) => {
  const pictures = `testsrc2=size=${size}:rate=${rate}:duration=${seenS}`;
  const dark = darkS > 0 ? `,drawbox=color=black:thickness=fill:enable='gte(mod(t,${2 * darkS}),${darkS})'` : '';
  return [
    '-re',
    '-f',
    'lavfi',
    '-i',
    pictures + dark,
    ...(sound ? ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100'] : []),
    '-t',
    String(seconds),
  ];
};
export const H264_OPTIONS = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-tune',
  'zerolatency',
  '-g',
  '10',
  '-threads',
  '1',
];
export const AAC_OPTIONS = ['-c:a', 'aac', '-b:a', '64k'];

export type FfmpegProcess = { child: ChildProcess; stop(): Promise<void> };

/** An ffmpeg at work, which ends with the test. */
export function startFfmpeg(
  program: string,
  args: readonly string[],
  output: 'ignore' | 'pipe' = 'ignore',
): FfmpegProcess {
  const child = spawn(program, ['-v', 'error', '-nostdin', '-y', ...args], { stdio: ['ignore', output, 'ignore'] });
  const ended = once(child, 'exit');
  return {
    child,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function listen(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Sound in segments of its own, which a master playlist puts to the pictures: the way of MediaMTX, and of most that
 * sends fragmented MP4.
 */
const SEPARATE_AUDIO = [
  '-map',
  '0:v',
  '-map',
  '1:a',
  '-hls_segment_type',
  'fmp4',
  '-master_pl_name',
  'index.m3u8',
  '-var_stream_map',
  'a:0,agroup:sound,default:yes v:0,agroup:sound',
];

/**
 * An HLS origin: a folder that ffmpeg writes and a web server that shows it. `answer` may be set to answer everything
 * with that status, `clockOffMs` to tell when its segments were made by a clock that is so much off; with `apart` the
 * sound has a playlist of its own.
 */
export async function startHlsOrigin(
  program: string,
  { input = testPattern(), codec = [...H264_OPTIONS, ...AAC_OPTIONS], flags = '', apart = false, listed = 30 } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline origin '));
  const write = (more: readonly string[], codecs: readonly string[], round = 0) =>
    startFfmpeg(program, [
      ...more,
      ...codecs,
      '-f',
      'hls',
      '-hls_time',
      '1',
      '-hls_list_size',
      String(listed),
      ...(apart ? SEPARATE_AUDIO : []),
      '-hls_segment_filename',
      join(folder, apart ? 's%v-%05d.m4s' : `s${round}-%05d.ts`),
      '-hls_flags',
      `delete_segments+program_date_time+temp_file${flags}`,
      join(folder, apart ? 'track%v.m3u8' : playlistOf(round)),
    ]);
  let feeder = write(input, codec);
  /** Number of changes of the input. Each has a playlist of its own, and all are shown under the name of the first. */
  let shown = 0;
  const origin = { answer: 200, clockOffMs: 0, requests: [] as string[] };
  const server = await listen(async (request, response) => {
    const name = basename(new URL(request.url!, 'http://origin').pathname);
    origin.requests.push(`${name} ${request.headers.authorization ?? ''}`.trim());
    const path = join(folder, name === playlistOf(0) ? playlistOf(shown) : name);
    if (origin.answer !== 200) return void response.writeHead(origin.answer).end();
    if (origin.clockOffMs !== 0 && name.endsWith('m3u8')) {
      const text = (await readFile(path, 'utf8').catch(() => '')).replace(/(?<=PROGRAM-DATE-TIME:).*/g, (time) =>
        new Date(Date.parse(time) + origin.clockOffMs).toISOString(),
      );
      return void response.writeHead(text ? 200 : 404, { 'content-type': 'application/vnd.apple.mpegurl' }).end(text);
    }
    stat(path).then(
      ({ size }) => {
        const type = name.endsWith('m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp2t';
        response.writeHead(200, { 'content-type': type, 'content-length': size });
        // It may be deleted in between.
        const file = createReadStream(path, { end: size - 1 }).once('error', () => response.destroy());
        file.pipe(response);
      },
      () => response.writeHead(404).end(),
    );
  });
  return Object.assign(origin, {
    port: server.port,
    url: `http://127.0.0.1:${server.port}/index.m3u8`,
    /**
     * Replaces the input, once the new one has a playlist; without one the stream stalls. An encoder that shares the
     * processors may be slower than real time, so the input, which has an end, is encoded first and then repeated.
     */
    async change(more?: { input: readonly string[]; codec: readonly string[] }) {
      if (!more) return feeder.stop();
      const round = shown + 1;
      const clip = join(folder, `input-${round}.mkv`);
      await encode(program, more.input, more.codec, clip);
      const next = write(['-re', '-stream_loop', '-1', '-i', clip], ['-c', 'copy'], round);
      while (!existsSync(join(folder, playlistOf(round)))) await sleep(50);
      const previous = feeder;
      [feeder, shown] = [next, round];
      await previous.stop();
    },
    async stop() {
      await feeder.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

const playlistOf = (round: number) => (round === 0 ? 'index.m3u8' : `index-${round}.m3u8`);

/** Encodes an input to a file, as fast as it can be made. */
async function encode(program: string, input: readonly string[], codec: readonly string[], path: string) {
  const encoding = startFfmpeg(program, [...input.filter((arg) => arg !== '-re'), ...codec, path]);
  const [status] = await once(encoding.child, 'exit');
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}`);
}

/** A web server that responds with the output of ffmpeg, started per request, or with `text`. */
export async function startHttpStream(
  program: string,
  { makes = [], contentType, text }: { makes?: readonly (readonly string[])[]; contentType: string; text?: string },
) {
  const feeders = new Set<FfmpegProcess>();
  const server = await listen(async (_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    for (const args of makes) {
      if (response.destroyed) break;
      const feeder = startFfmpeg(program, [...args, '-'], 'pipe');
      feeders.add(feeder);
      response.once('close', () => feeder.child.kill('SIGKILL'));
      for await (const chunk of feeder.child.stdout!) response.write(chunk);
    }
    response.end(text);
  });
  return {
    url: `http://127.0.0.1:${server.port}/stream`,
    async stop() {
      await Promise.all([...feeders].map((feeder) => feeder.stop()));
      await server.close();
    },
  };
}

/** A web server with a file that ffmpeg still writes: clients get the bytes so far and can request the rest later. */
export async function startGrowingFile(program: string, args: readonly string[], name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline growing '));
  const path = join(folder, name);
  const feeder = startFfmpeg(program, [...args, '-flush_packets', '1', path]);
  const server = await listen(async (request, response) => {
    const size = (await stat(path).catch(() => null))?.size ?? 0;
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(from)) response.writeHead(size > 0 ? 200 : 404, { 'content-length': size });
    else if (from >= size) return void response.writeHead(416).end();
    else {
      const range = `bytes ${from}-${size - 1}/${size}`;
      response.writeHead(206, { 'content-range': range, 'content-length': size - from });
    }
    if (size === 0) return void response.end();
    createReadStream(path, { start: from || 0, end: size - 1 }).pipe(response);
  });
  return {
    url: `http://127.0.0.1:${server.port}/${name}`,
    async stop() {
      await feeder.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A camera that is not ours, seen and heard at rtsp://127.0.0.1:PORT/stream by who has the password (see
 * `camera.py`).
 */
export async function startCamera(
  python: string,
  program: string,
  {
    user,
    password,
    input = testPattern({ sound: false, seconds: 60 }),
    codec = H264_OPTIONS,
    audio = 'g711',
  }: {
    user: string;
    password: string;
    input?: readonly string[];
    codec?: readonly string[];
    audio?: 'g711' | 'aac' | 'none';
  },
) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline camera '));
  const clip = join(folder, 'clip.mp4');
  await encode(program, input, codec, clip);
  const script = fileURLToPath(new URL('camera.py', import.meta.url));
  const child = spawn(python, [script, clip, user, password, audio], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(child.stdout, 'data');
  return {
    port: Number(line),
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
