import { type AddressInfo, createServer } from 'node:net';
import type { Log } from '../../log.ts';
import { type MediaProcess, type MediaProcessSettings, spawnMediaProcess } from '../process/index.ts';
import type { RtmpQuestion, RtmpRoom, RtmpTimeouts } from './types.ts';

const TASK = new URL('./task.ts', import.meta.url);
export const RTMP_TIMEOUTS: RtmpTimeouts = {
  acceptMs: 10_000,
  silentMs: 15_000,
  replaceMs: 5_000,
  lingerMs: 30_000,
  renewMs: 5_000,
};
/** Time in which the process ends by itself. */
const STOP_MS = 5_000;
/** Connections that wait for the process to start. */
const STARTING = 64;

export type RtmpListener = {
  port: number;
  /** Process that reads the connections; null while none runs. */
  pid(): number | null;
  close(): Promise<void>;
};

export type RtmpListenerOptions = {
  host: string;
  port: number;
  room: RtmpRoom;
  log: Log;
  timeouts?: Partial<RtmpTimeouts> | undefined;
};

/**
 * Listens for RTMP. This process only accepts connections; a media process, which has no secrets and no network but
 * these connections, reads them. It starts with the first connection. If
 * it dies, encoders connect again, to another one. Rejects with the
 * error of the socket if the address cannot be used.
 */
export async function openRtmpListener(
  settings: MediaProcessSettings,
  { host, port, room, log, timeouts }: RtmpListenerOptions,
): Promise<RtmpListener> {
  /** The process that reads connections, from the first one on. */
  let receiver: Promise<MediaProcess | null> | null = null;
  let pid: number | null = null;
  let isClosing = false;
  let ended = Promise.resolve();

  /** Nothing that fails here may end the process with all of its streams. */
  async function answer(question: Exclude<RtmpQuestion, { kind: 'ready' }>): Promise<unknown> {
    try {
      switch (question.kind) {
        case 'publish':
          return await room.publish(question.key, question.remote);
        case 'claim':
          return await room.claim(question, question.key, question.remote);
        case 'busy':
          return await room.busy(question.stream, question.remote);
        case 'play':
          return await room.play(question.stream, question.token);
        case 'renew':
          return await room.renew(question.publications);
        case 'closed':
          return await room.closed(question, question.reason);
      }
    } catch (error) {
      log.error({ err: error, question: question.kind }, 'cannot answer the process that receives RTMP');
      if (question.kind === 'publish') return { refused: 'The service is not available.' };
      return question.kind === 'renew' ? [] : false;
    }
  }

  async function receive(child: MediaProcess, ready: () => void): Promise<void> {
    const args = { timeouts: { ...RTMP_TIMEOUTS, ...timeouts } };
    const outcome = await child.run(
      { module: TASK.href, name: 'receive', args },
      {
        async handover(value) {
          const question = value as RtmpQuestion;
          if (question.kind !== 'ready') return answer(question);
          ready();
        },
      },
    );
    receiver = null;
    if (!isClosing) log.error({ outcome: outcome.kind }, 'the process that receives RTMP ended');
    child.kill();
    await child.exited;
    await room
      .lost()
      .catch((error: unknown) => log.error({ err: error }, 'cannot release the publishers of this node'));
  }

  /** Null if it does not start. */
  async function start(): Promise<MediaProcess | null> {
    const child = spawnMediaProcess(settings);
    const failure = await child.started;
    if (failure) {
      log.error({ reason: failure.reason }, 'the process that receives RTMP does not start');
      receiver = null;
      child.kill();
      await child.exited;
      return null;
    }
    pid = child.pid ?? null;
    const { promise: isReady, resolve: ready } = Promise.withResolvers<void>();
    ended = receive(child, ready).finally(() => {
      pid = null;
    });
    await Promise.race([isReady, ended]);
    return child;
  }

  const server = createServer({ pauseOnConnect: true }, async (socket) => {
    socket.on('error', () => {});
    receiver ??= start();
    const child = await receiver;
    if (!child || socket.destroyed || isClosing) return void socket.destroy();
    child.give(socket, socket.remoteAddress ?? '');
  });
  server.maxConnections = STARTING;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    pid: () => pid,
    async close() {
      isClosing = true;
      server.close();
      const child = await receiver;
      child?.stop();
      const timer = setTimeout(() => child?.kill(), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
