import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * Sources of livestreams, real ones: the ffmpeg program feeds them at real speed. They listen on loopback, and speak as cameras and origins do.
 */

/** A moving picture, a second hand and a tone, H.264 with a keyframe a second; as ffmpeg makes it at real speed. */
export const picture = ({ size = '320x180', rate = 25, seconds = 3_600, sound = true } = {}): string[] => [
  ...['-re', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}`],
  ...(sound ? ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100'] : []),
  ...['-t', String(seconds)],
];
export const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25', '-threads', '1'];
export const heard = ['-c:a', 'aac', '-b:a', '64k'];

export type Feeder = { child: ChildProcess; stop(): Promise<void> };

/** An ffmpeg at work, which ends with the test. */
export function feed(program: string, args: readonly string[], output: 'ignore' | 'pipe' = 'ignore'): Feeder {
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
  const server = createHttpServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An HLS origin: a folder that ffmpeg writes and a web server that shows it. `answer` may be set to answer everything with that status. */
export async function startHlsOrigin(
  program: string,
  { input = picture(), codec = [...coded, ...heard], flags = '' } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline origin '));
  const write = (more: readonly string[], codecs: readonly string[]) =>
    feed(program, [
      ...more,
      ...codecs,
      ...['-f', 'hls', '-hls_time', '1', '-hls_list_size', '8', '-hls_segment_filename', join(folder, 's%05d.ts')],
      ...['-hls_flags', `delete_segments+program_date_time+temp_file${flags}`, join(folder, 'index.m3u8')],
    ]);
  let feeder = write(input, codec);
  const origin = { answer: 200, requests: [] as string[] };
  const server = await listen((request, response) => {
    const name = basename(new URL(request.url!, 'http://origin').pathname);
    origin.requests.push(`${name} ${request.headers.authorization ?? ''}`.trim());
    const path = join(folder, name);
    if (origin.answer !== 200) return void response.writeHead(origin.answer).end();
    stat(path).then(
      ({ size }) => {
        const type = name.endsWith('m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp2t';
        response.writeHead(200, { 'content-type': type, 'content-length': size });
        createReadStream(path, { end: size - 1 }).pipe(response);
      },
      () => response.writeHead(404).end(),
    );
  });
  return Object.assign(origin, {
    port: server.port,
    url: `http://127.0.0.1:${server.port}/index.m3u8`,
    /** What is sent becomes something else; without anything it goes silent. */
    async change(more?: { input: readonly string[]; codec: readonly string[] }) {
      await feeder.stop();
      if (more) feeder = write(more.input, more.codec);
    },
    async stop() {
      await feeder.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** A web server that sends what ffmpeg makes to whoever asks, from then on and without an end. */
export async function startHttpStream(program: string, args: readonly string[], contentType: string) {
  const feeders: Feeder[] = [];
  const server = await listen((_request, response) => {
    const feeder = feed(program, [...args, '-'], 'pipe');
    feeders.push(feeder);
    response.writeHead(200, { 'content-type': contentType });
    feeder.child.stdout!.pipe(response);
    response.once('close', () => feeder.child.kill('SIGKILL'));
  });
  return {
    url: `http://127.0.0.1:${server.port}/stream`,
    async stop() {
      await Promise.all(feeders.map((feeder) => feeder.stop()));
      await server.close();
    },
  };
}

export type RtspServer = Awaited<ReturnType<typeof startRtspServer>>;

/**
 * A camera: an RTSP server (RFC 2326) that sends the RTP packets of an ffmpeg on its own connection (section 10.12), to who has the password, if there is one.
 */
export async function startRtspServer(
  program: string,
  { input = picture({ sound: false }), user = '', password = '', redirect = '' } = {},
) {
  const rtp: UdpSocket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(rtp, 'listening');
  const viewers = new Map<Socket, number>();
  rtp.on('message', (packet) => {
    for (const [viewer, channel] of viewers) {
      viewer.write(Buffer.concat([Buffer.from([0x24, channel, packet.length >> 8, packet.length & 255]), packet]));
    }
  });
  const start = () =>
    feed(program, [
      ...input,
      '-an',
      ...coded,
      '-bsf:v',
      'dump_extra',
      '-f',
      'rtp',
      `rtp://127.0.0.1:${rtp.address().port}?pkt_size=1200`,
    ]);
  let feeder = start();
  const realm = 'camera';
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let pending = '';
    const allowed = (head: string, method: string) => {
      if (!user) return true;
      const said = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(head)?.[1] ?? '';
      const expected = md5(`${md5(`${user}:${realm}:${password}`)}:n:${md5(`${method}:${said('uri')}`)}`);
      return said('response') === expected;
    };
    const answer = (head: string) => {
      const [method = '', url = ''] = head.split(' ');
      const sequence = /^CSeq: *(\d+)/im.exec(head)?.[1] ?? '0';
      const reply = (status: string, headers: string[] = [], body = '') =>
        socket.write([`RTSP/1.0 ${status}`, `CSeq: ${sequence}`, ...headers, '', body].join('\r\n'));
      if (redirect) return reply('302 Found', [`Location: ${redirect}`]);
      if (method === 'OPTIONS') return reply('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN']);
      if (!allowed(head, method))
        return reply('401 Unauthorized', [`WWW-Authenticate: Digest realm="${realm}", nonce="n"`]);
      if (method === 'DESCRIBE') {
        const sdp = [
          'v=0',
          'o=- 0 0 IN IP4 127.0.0.1',
          's=camera',
          't=0 0',
          'm=video 0 RTP/AVP 96',
          'a=rtpmap:96 H264/90000',
          'a=fmtp:96 packetization-mode=1',
          'a=control:track',
          '',
        ].join('\r\n');
        return reply(
          '200 OK',
          ['Content-Type: application/sdp', `Content-Base: ${url}/`, `Content-Length: ${sdp.length}`],
          sdp,
        );
      }
      if (method === 'SETUP') return reply('200 OK', ['Transport: RTP/AVP/TCP;unicast;interleaved=0-1', 'Session: 1']);
      if (method === 'PLAY') viewers.set(socket, 0);
      return reply('200 OK', ['Session: 1']);
    };
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
        const head = pending.slice(0, end);
        pending = pending.slice(end + 4);
        // Reports of the receiver stand between the requests.
        const at = head.search(/[A-Z_]+ rtsp:/);
        if (at >= 0) answer(head.slice(at));
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      viewers.delete(socket);
      sockets.delete(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Hangs up on everyone. */
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    /** Stays connected and sends nothing more, until it goes on. */
    async silence() {
      await feeder.stop();
    },
    goOn() {
      feeder = start();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await feeder.stop();
      rtp.close();
    },
  };
}
