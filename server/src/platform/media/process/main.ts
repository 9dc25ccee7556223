/** Entry point of a media process: loads the engine, then runs one task at a time until its parent disconnects. */
import { flushCompileCache } from 'node:module';
import type { Socket } from 'node:net';
import { type ChildMessage, type ParentMessage, serializeError } from './messages.ts';
import type { TaskContext } from './types.ts';

/** Memory limit on systems without `prlimit`: the process aborts itself. */
const MEMORY_BYTES = 2 ** 31;

const HEARTBEAT_MS = 2_000;

/** Minimum interval of progress messages. One per frame would cost more than decoding some of the frames. */
const PROGRESS_MS = 100;

/** See `WRITES_CACHE`, which is in a module of the parent. */
const writesCache = process.argv.includes('writes-cache');

const send = (message: ChildMessage) => process.connected && process.send?.(message);

process.on('disconnect', () => process.exit());
setInterval(() => process.memoryUsage.rss() > MEMORY_BYTES && process.abort(), 500).unref();

try {
  // Imported here, so that the parent receives the reason if the native library does not load.
  const engine = (await import('../libav/index.ts')).createEngine();
  /** Resolvers of emitted values that the parent has not acknowledged yet, in order. */
  const waiting: ((reply: unknown) => void)[] = [];
  /** Resolves the `turn` that the task waits for. */
  let resume = () => {};
  let stopping = new AbortController();
  /** Takes a connection. */
  let take = (socket: Socket, _remote: string): void => void socket.destroy();
  const imported = new Set<string>();
  process.on('message', async (message: ParentMessage, socket?: Socket) => {
    // The client may have disconnected on the way.
    if (message.kind === 'connection') return socket && take(socket, message.remote);
    if (message.kind === 'taken') return waiting.shift()?.(message.reply);
    if (message.kind === 'continue') return resume();
    if (message.kind === 'stop') return stopping.abort();
    const { id, module, name, args } = message;
    stopping = new AbortController();
    let reportedAt = Number.NEGATIVE_INFINITY;
    const progress = (fraction: number) => {
      if (performance.now() - reportedAt < PROGRESS_MS && fraction < 1) return;
      reportedAt = performance.now();
      send({ kind: 'progress', id, fraction });
    };
    const emit = <Reply>(value: unknown) =>
      new Promise<Reply>((resolve) => {
        waiting.push((reply) => resolve(reply as Reply));
        send({ kind: 'handover', id, value });
      });
    const turn = () =>
      new Promise<void>((resolve) => {
        resume = resolve;
        send({ kind: 'turn', id });
      });
    try {
      const task = (await import(module))[name];
      // A killed process does not write its cache.
      if (writesCache && !imported.has(module)) flushCompileCache();
      imported.add(module);
      const context: TaskContext = {
        progress,
        emit,
        turn,
        stopSignal: stopping.signal,
        onConnection(taker) {
          take = taker;
        },
        decoder: engine,
        encoder: engine,
      };
      const value = await task(args, context);
      send({ kind: 'result', id, value, rssBytes: process.memoryUsage.rss() });
    } catch (error) {
      send({ kind: 'error', id, error: serializeError(error), rssBytes: process.memoryUsage.rss() });
    }
  });
  send({ kind: 'ready' });
  // A hung decoder blocks the event loop, so that no heartbeat is sent.
  setInterval(() => send({ kind: 'alive' }), HEARTBEAT_MS).unref();
} catch (error) {
  send({ kind: 'unavailable', reason: error instanceof Error ? error.message : String(error) });
}
