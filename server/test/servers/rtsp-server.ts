import { createHash } from 'node:crypto';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { H264_OPTIONS, startFfmpeg, testPattern } from './live-sources.ts';

/**
 * A camera: an RTSP server (RFC 2326) that sends the RTP packets of an ffmpeg on its own connection (section 10.12),
 * to who has the password, if there is one.
 */
export async function startRtspServer(
  program: string,
  { input = testPattern({ sound: false }), user = '', password = '', redirect = '' } = {},
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
    startFfmpeg(program, [
      ...input,
      '-an',
      ...H264_OPTIONS,
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
  let connections = 0;
  let refusing = false;
  const server = createServer((socket) => {
    connections++;
    if (refusing) return void socket.destroy();
    sockets.add(socket);
    let pending = '';
    const allowed = (head: string, method: string) => {
      if (!user) return true;
      const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(head)?.[1] ?? '';
      const expected = md5(`${md5(`${user}:${realm}:${password}`)}:n:${md5(`${method}:${attribute('uri')}`)}`);
      return attribute('response') === expected;
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
    connections: () => connections,
    /** Disconnects all clients and refuses new ones until it is called with false. */
    refuse(all: boolean) {
      refusing = all;
      if (all) for (const socket of sockets) socket.destroy();
    },
    /** Stays connected and sends nothing until `goOn`. */
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
