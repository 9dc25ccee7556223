import type { Socket } from 'node:net';
import { newId } from '../../ids.ts';
import type { TaskContext } from '../process/index.ts';
import { BoundedRtmp, type RtmpRequest } from './protocol.ts';
import { PublishedStream } from './published-stream.ts';
import type { RtmpPublication, RtmpQuestion, RtmpTimeouts } from './types.ts';

/** Connections of a process; the oldest that was not accepted yet makes room for a new one. */
const CONNECTIONS = 500;
const NOT_ACCEPTED = 64;
/** Bytes of a connection before it is accepted: a handshake has 3 KB, a request less than 1 KB. */
const FIRST_BYTES = 32 * 2 ** 10;
/** Application of the address that encoders publish to, and of the one that recordings are played from. */
const APPS = { publish: 'live', play: 'play' };

/**
 * Task: receives RTMP connections, whose bytes nobody else in the service reads, until it is stopped. Each publication
 * has at most one player, which is the recording of its stream.
 */
export async function receive({ timeouts }: { timeouts: RtmpTimeouts }, context: TaskContext): Promise<void> {
  const ask = <Reply>(question: RtmpQuestion) => context.emit<Reply>(question);
  const connections = new Set<Socket>();
  /** Those that were not accepted yet, the oldest first. */
  const newcomers = new Set<Socket>();
  /** Publications by their stream; that of a publisher that disconnected stays until it was played. */
  const publications = new Map<string, Publishing>();
  /** Streams whose encoder is being accepted: one that comes meanwhile is too late. */
  const accepting = new Set<string>();

  type Publishing = RtmpPublication & {
    content: PublishedStream;
    heardMs: number;
    isOver: boolean;
    end: (reason: string) => void;
  };

  function connect(socket: Socket, remote: string): void {
    if (connections.size >= CONNECTIONS) return void socket.destroy();
    if (newcomers.size >= NOT_ACCEPTED) newcomers.values().next().value!.destroy();
    connections.add(socket);
    newcomers.add(socket);
    socket.setNoDelay(true);
    let received = 0;
    let publishing: Publishing | null = null;
    let why = 'The encoder closed the connection.';
    const timer = setTimeout(() => {
      if (publishing?.content.isFull) return void timer.refresh();
      why = 'The encoder sent nothing for too long.';
      socket.destroy();
    }, timeouts.acceptMs);
    let watch = timer;
    const rtmp = new BoundedRtmp({
      output: (bytes) => void socket.write(bytes),
      packet(packet) {
        if (!publishing) return;
        publishing.content.push(packet);
        if (publishing.content.isFull) socket.pause();
      },
      request: (to) => void decide(to).catch(() => socket.destroy()),
    });

    function refuse(kind: RtmpRequest['kind'], reason: string): void {
      rtmp.refuse(kind, reason);
      // The client reads the reason first.
      socket.end();
    }

    async function decide({ kind, app, name, query }: RtmpRequest): Promise<void> {
      socket.pause();
      if (app !== APPS[kind]) return refuse(kind, `There is no application "${APPS[kind]}" in this address.`);
      if (kind === 'publish') await publish(name);
      else await play(name, query.get('token') ?? '');
      if (!socket.destroyed) socket.resume();
    }

    function accept(kind: RtmpRequest['kind']): void {
      newcomers.delete(socket);
      rtmp.accept(kind);
    }

    async function publish(key: string): Promise<void> {
      const answer = await ask<{ stream: string } | { refused: string }>({ kind: 'publish', key, remote });
      if ('refused' in answer) return refuse('publish', answer.refused);
      const { stream } = answer;
      const before = publications.get(stream);
      const isAlive = before && !before.isOver && performance.now() - before.heardMs < timeouts.replaceMs;
      const publication = { id: newId(), stream };
      if (isAlive || !(await claim(publication, key))) {
        await ask({ kind: 'busy', stream, remote });
        return refuse('publish', 'Another encoder publishes with this key.');
      }
      before?.end('Another encoder with the same key replaced it.');
      if (socket.destroyed) return void (await ask({ kind: 'closed', ...publication, reason: why }));
      publishing = open(publication);
      clearTimeout(timer);
      watch = setTimeout(() => {
        if (publishing!.content.isFull) return void watch.refresh();
        why = 'The encoder sent nothing for too long.';
        socket.destroy();
      }, timeouts.silentMs);
      accept('publish');
    }

    /** False if the stream has another publisher, or is about to get one. */
    async function claim(publication: RtmpPublication, key: string): Promise<boolean> {
      const { stream } = publication;
      if (accepting.has(stream)) return false;
      accepting.add(stream);
      try {
        return await ask<boolean>({ kind: 'claim', ...publication, key, remote });
      } finally {
        accepting.delete(stream);
      }
    }

    function open(publication: RtmpPublication): Publishing {
      let linger: NodeJS.Timeout | undefined;
      let isClosed = false;
      const close = () => {
        if (isClosed) return;
        isClosed = true;
        clearTimeout(linger);
        opened.content.discard();
        if (publications.get(publication.stream) === opened) publications.delete(publication.stream);
        void ask({ kind: 'closed', ...publication, reason: why });
      };
      const opened: Publishing = {
        ...publication,
        content: new PublishedStream({ resume: () => socket.isPaused() && socket.resume(), drained: () => close() }),
        heardMs: performance.now(),
        isOver: false,
        end(reason) {
          why = reason;
          socket.destroy();
          close();
        },
      };
      socket.once('close', () => {
        opened.isOver = true;
        linger = setTimeout(close, timeouts.lingerMs);
        opened.content.end();
      });
      publications.set(publication.stream, opened);
      return opened;
    }

    async function play(stream: string, token: string): Promise<void> {
      const isAllowed = await ask<boolean>({ kind: 'play', stream, token });
      const found = isAllowed ? publications.get(stream) : undefined;
      if (!found) return refuse('play', 'Nothing publishes this stream.');
      clearTimeout(timer);
      accept('play');
      found.content.play(socket);
    }

    socket.on('data', (bytes: Buffer) => {
      received += bytes.length;
      try {
        if (newcomers.has(socket) && received > FIRST_BYTES) throw new Error('too much before a request');
        if (publishing) {
          publishing.heardMs = performance.now();
          watch.refresh();
        }
        const failure = rtmp.parserData(bytes);
        if (failure) throw new Error(failure);
      } catch {
        why = 'The encoder sent what is not RTMP, or exceeds its limits.';
        socket.destroy();
      }
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(timer);
      clearTimeout(watch);
      connections.delete(socket);
      newcomers.delete(socket);
    });
    socket.resume();
  }

  let isRenewing = false;
  const renewing = setInterval(async () => {
    const open = [...publications.values()].map(({ id, stream }) => ({ id, stream }));
    if (open.length === 0 || isRenewing) return;
    isRenewing = true;
    const ended = await ask<{ id: string; reason: string }[]>({ kind: 'renew', publications: open });
    isRenewing = false;
    for (const { id, reason } of ended) [...publications.values()].find((each) => each.id === id)?.end(reason);
  }, timeouts.renewMs);

  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  context.stopSignal.addEventListener('abort', () => stop(), { once: true });
  if (context.stopSignal.aborted) stop();
  context.onConnection(connect);
  void ask({ kind: 'ready' });
  await stopped;
  clearInterval(renewing);
  for (const socket of connections) socket.destroy();
}
