import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ChildSettings, spawnChild } from './child.ts';
import type { CaptureArgs, LiveRequest, LiveSegment } from './live.ts';
import { mediaProblem } from './problems.ts';
import { containerOf } from './sniff.ts';

const TASKS = new URL('./tasks.ts', import.meta.url);

export type CaptureOptions = {
  /** Keeps a segment. Called with one after the other; a rejection ends the capture with it. */
  onSegment: (segment: LiveSegment) => Promise<void>;
  /** Ends it at once. */
  signal: AbortSignal;
  /** Ends it with what has come so far. */
  stop: AbortSignal;
};

/** One capture in a process of its own: see `Media.capture`. */
export async function capture(settings: ChildSettings, request: LiveRequest, options: CaptureOptions): Promise<void> {
  options.signal.throwIfAborted();
  const { source, stallS } = request;
  if (source.kind === 'address') {
    const { url, format: formats, protocols } = source;
    return captured(settings, { ...request, url, formats, protocols, address: true, options: source.options }, options);
  }
  const bytes = watch(source.body, options.stop, stallS * 1000);
  try {
    const formats = source.format ?? containerOf(await bytes.head()).demuxers;
    const args = { ...request, url: 'pipe:0', formats, protocols: 'pipe', address: false };
    const apart = source.sound ? { soundUrl: 'pipe:4' } : {};
    return await captured(settings, { ...args, ...apart, options: source.options ?? {} }, options, bytes, source.sound);
  } finally {
    bytes.forget();
  }
}

async function captured(
  settings: ChildSettings,
  { source: _, ...args }: CaptureArgs & { source: unknown },
  { onSegment, signal, stop }: CaptureOptions,
  bytes?: Bytes,
  sound?: AsyncIterable<Uint8Array>,
): Promise<void> {
  const child = spawnChild({ ...settings, inputs: sound ? 2 : bytes ? 1 : 0 });
  const kill = () => child.kill();
  signal.addEventListener('abort', kill, { once: true });
  stop.addEventListener('abort', child.stop, { once: true });
  try {
    const started = await child.started;
    signal.throwIfAborted();
    if ('unavailable' in started) throw mediaProblem.media_engine_unavailable();
    const handover = (segment: unknown) => {
      bytes?.gave();
      return onSegment(segment as LiveSegment);
    };
    const ended = child.run({ module: TASKS.href, name: 'capture', args }, { handover });
    if (stop.aborted) child.stop();
    const feeding = [bytes?.all(), sound].map((from, i) => from && feed(from, child.inputs[i]!));
    const ending = await ended;
    signal.throwIfAborted();
    for (const input of child.inputs) input.destroy();
    await feeding[0];
    // Why the bytes ended says more than that they did.
    if (bytes?.broken) throw bytes.broken;
    if (ending.kind === 'error') throw ending.error;
    if (ending.kind === 'died') throw mediaProblem.media_crashed('Reading the stream crashed its media process.');
  } finally {
    signal.removeEventListener('abort', kill);
    stop.removeEventListener('abort', child.stop);
    child.kill();
    await child.exited;
  }
}

/** Ends with either: what is wrong with what is read is told elsewhere. */
const feed = (from: AsyncIterable<Uint8Array>, to: Writable) =>
  pipeline(Readable.from(from, { objectMode: false }), to).catch(() => {});

/** What comes first says what container it is. */
const HEAD_BYTES = 4_096;

/** Bytes that come for this many times as long as a stall, and give no segment, are no stream of pictures any more. */
const BARREN = 4;

type Bytes = ReturnType<typeof watch>;

/** The bytes of a source until they are to stop; `broken` says why they ended before that. */
function watch(body: AsyncIterable<Uint8Array>, stop: AbortSignal, stallMs: number) {
  const iterator = body[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  const end = { done: true, value: undefined } as const;
  /** Ends the wait for the next bytes, which may never come. */
  let giveUp = () => {};
  const onStop = () => giveUp();
  stop.addEventListener('abort', onStop, { once: true });
  // Not Promise.race against one promise that lasts: that would keep every byte of a stream of days in memory.
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      giveUp = () => resolve(end);
      if (stop.aborted) giveUp();
      else iterator.next().then(resolve, reject);
    });
  /** Since when they have come without a pause and given nothing. */
  let barrenSinceMs = Date.now();
  let lastMs = barrenSinceMs;
  const watched = {
    broken: null as unknown,

    /** Nobody reads on: a session connects many times. */
    forget: () => stop.removeEventListener('abort', onStop),

    /** A segment was made of them. */
    gave(): void {
      barrenSinceMs = Date.now();
    },

    async head(): Promise<Buffer> {
      for (let length = 0; length < HEAD_BYTES; ) {
        const { value, done } = await next();
        if (done) break;
        first.push(value);
        length += value.length;
      }
      return Buffer.concat(first);
    },

    async *all(): AsyncGenerator<Uint8Array> {
      yield* first.splice(0);
      try {
        for (let bytes = await following(); bytes; bytes = await following()) yield bytes;
      } finally {
        // It may be waiting for what never comes.
        iterator.return?.()?.catch(() => {});
      }
    },
  };

  /** Not what is thrown at us by who reads, only what the source throws, is why it broke. */
  async function following(): Promise<Uint8Array | null> {
    try {
      const { value, done } = await next();
      const nowMs = Date.now();
      // A pause, of who sends or of who reads.
      if (nowMs - lastMs > stallMs / 2) barrenSinceMs = nowMs;
      lastMs = nowMs;
      if (nowMs - barrenSinceMs > BARREN * stallMs) {
        throw mediaProblem.media_source_broken('The source sends data, but no pictures any more.');
      }
      return done ? null : value;
    } catch (error) {
      if (!stop.aborted) watched.broken = error;
      return null;
    }
  }
  return watched;
}
