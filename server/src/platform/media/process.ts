/** Entry point of a media process: loads an engine, says so, then runs one task at a time until its parent goes away. */
import { loadBackend } from './backend.ts';
import { type FromChild, type ToChild, toWire } from './messages.ts';

/** Where no system limit holds the process back, it stops itself: better than the whole machine running out. */
const MEMORY_BYTES = 2 ** 31;

const HEARTBEAT_MS = 2_000;

/** Tasks say after each frame how far they are; telling the parent each time would cost more than some of the frames. */
const PROGRESS_MS = 100;

const send = (message: FromChild) => process.connected && process.send?.(message);

process.on('disconnect', () => process.exit());
setInterval(() => process.memoryUsage.rss() > MEMORY_BYTES && process.abort(), 500).unref();

const [engine, ffmpegPath] = process.argv.slice(2) as ['auto' | 'node-av' | 'ffmpeg', string];
try {
  const backend = await loadBackend({ engine, ffmpegPath });
  /** Handovers that the parent has not taken yet, in their order. */
  const waiting: (() => void)[] = [];
  let stopping = new AbortController();
  process.on('message', async (message: ToChild) => {
    if (message.kind === 'taken') return waiting.shift()?.();
    if (message.kind === 'stop') return stopping.abort();
    const { id, module, name, args } = message;
    stopping = new AbortController();
    let toldAt = Number.NEGATIVE_INFINITY;
    const progress = (fraction: number) => {
      if (performance.now() - toldAt < PROGRESS_MS && fraction < 1) return;
      toldAt = performance.now();
      send({ kind: 'progress', id, fraction });
    };
    const handOver = (value: unknown) =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        send({ kind: 'handover', id, value });
      });
    try {
      const task = (await import(module))[name];
      const context = { progress, handOver, stopping: stopping.signal, decoder: backend, encoder: backend };
      const value = await task(args, context);
      send({ kind: 'result', id, value, rssBytes: process.memoryUsage.rss() });
    } catch (error) {
      send({ kind: 'error', id, error: toWire(error), rssBytes: process.memoryUsage.rss() });
    }
  });
  send({ kind: 'ready', engine: backend.name });
  // Goes out between two turns of the event loop, which a hung decoder never gives.
  setInterval(() => send({ kind: 'alive' }), HEARTBEAT_MS).unref();
} catch (error) {
  send({ kind: 'unavailable', reason: error instanceof Error ? error.message : String(error) });
}
