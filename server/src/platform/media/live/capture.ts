import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { identifyContainer } from '../bitstream/index.ts';
import type { CaptureArgs, CapturedPart, CapturedSegment, CaptureReply, CaptureRequest } from '../engine/index.ts';
import { engineUnavailable, mediaProblem } from '../problems.ts';
import { type Death, type MediaProcessSettings, spawnMediaProcess } from '../process/index.ts';

const TASKS = new URL('../tasks/tasks.ts', import.meta.url);

export type CaptureOptions = {
  /** Stores a segment. Called for one at a time; a rejection ends the capture with this error. */
  onSegment: (segment: CapturedSegment) => Promise<void>;
  /**
   * Stores a part of the segment that is being recorded, between two calls of `onSegment`. Parts are made while
   * `needsParts` returns true when something is stored.
   */
  onPart?: (part: CapturedPart) => Promise<void>;
  needsParts?: () => boolean;
  /** Aborts the capture. */
  signal: AbortSignal;
  /** Ends the capture and stores everything received so far. */
  stop: AbortSignal;
};

/** See `Media.capture`. */
export async function capture(
  settings: MediaProcessSettings,
  request: CaptureRequest,
  options: CaptureOptions,
): Promise<void> {
  options.signal.throwIfAborted();
  const { source, stallS } = request;
  if (source.kind === 'address') {
    const { url, format: formats, protocols } = source;
    return captured(
      { ...settings, network: true },
      { ...request, url, formats, protocols, isUrl: true, options: source.options },
      options,
    );
  }
  const bytes = watch(source.body, options.stop, stallS * 1000);
  try {
    const formats = source.format ?? identifyContainer(await bytes.head()).demuxers;
    const args = { ...request, url: 'pipe:0', formats, protocols: 'pipe', isUrl: false };
    const apart = source.sound ? { audioUrl: 'pipe:4' } : {};
    return await captured(settings, { ...args, ...apart, options: source.options ?? {} }, options, bytes, source.sound);
  } finally {
    bytes.forget();
  }
}

async function captured(
  settings: MediaProcessSettings,
  { source: _, ...args }: CaptureArgs & { source: unknown },
  { onSegment, onPart, needsParts, signal, stop }: CaptureOptions,
  bytes?: Bytes,
  sound?: AsyncIterable<Uint8Array>,
): Promise<void> {
  const child = spawnMediaProcess({ ...settings, inputs: sound ? 2 : bytes ? 1 : 0 });
  const kill = () => child.kill();
  signal.addEventListener('abort', kill, { once: true });
  stop.addEventListener('abort', child.stop, { once: true });
  try {
    const failure = await child.started;
    signal.throwIfAborted();
    if (failure?.killed) throw killed(failure.killed);
    if (failure) throw engineUnavailable(failure.reason);
    const handover = async (value: unknown): Promise<CaptureReply> => {
      const captured = value as CapturedSegment | CapturedPart;
      if ('part' in captured) await onPart?.(captured);
      else {
        bytes?.gave();
        await onSegment(captured);
      }
      return { parts: needsParts?.() ?? false };
    };
    const ended = child.run({ module: TASKS.href, name: 'capture', args }, { handover });
    if (stop.aborted) child.stop();
    const feeding = [bytes?.all(), sound].map((from, i) => from && feed(from, child.inputs[i]!));
    const ending = await ended;
    signal.throwIfAborted();
    for (const input of child.inputs) input.destroy();
    await feeding[0];
    // The reason why the bytes ended is more specific than the task's error.
    if (bytes?.broken) throw bytes.broken;
    if (ending.kind === 'error') throw ending.error;
    if (ending.kind === 'died') throw ending.cause === 'machine' ? killed(ending) : crashed(ending);
  } finally {
    signal.removeEventListener('abort', kill);
    stop.removeEventListener('abort', child.stop);
    child.kill();
    await child.exited;
  }
}

const crashed = ({ how }: Death) =>
  mediaProblem.media_crashed(`Reading the stream crashed its media process (${how}).`);

/** The recording reconnects, with pauses, and continues after a gap. */
const killed = ({ how }: Death) =>
  mediaProblem.media_killed(
    `The system ended the media process of the stream (${how}), most likely because memory ran out.`,
  );

/** Copies bytes until either side ends. Read errors are reported by the byte source. */
const feed = (from: AsyncIterable<Uint8Array>, to: Writable) =>
  pipeline(Readable.from(from, { objectMode: false }), to).catch(() => {});

/** Number of bytes for container detection. */
const HEAD_BYTES = 4_096;

/** Data without a new segment for this many stall timeouts counts as a broken stream. */
const BARREN = 4;

type Bytes = ReturnType<typeof watch>;

/** Reads the bytes of a source until `stop` aborts. `broken` is the error that ended them earlier, if any. */
function watch(body: AsyncIterable<Uint8Array>, stop: AbortSignal, stallMs: number) {
  const iterator = body[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  const end = { done: true, value: undefined } as const;
  /** Ends the wait for the next bytes, which may never arrive. */
  let giveUp = () => {};
  const onStop = () => giveUp();
  stop.addEventListener('abort', onStop, { once: true });
  // Not Promise.race with one long-lived promise: it would retain every chunk of a stream that lasts for days.
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      giveUp = () => resolve(end);
      if (stop.aborted) giveUp();
      else iterator.next().then(resolve, reject);
    });
  /** Start of uninterrupted data without a segment. */
  let barrenSinceMs = Date.now();
  let lastMs = barrenSinceMs;
  const watched = {
    broken: null as unknown,

    /** Removes the listener, because a session connects many times with one signal. */
    forget: () => stop.removeEventListener('abort', onStop),

    /** Notes that a segment was produced. */
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
        // The iterator may be waiting for data that never arrives.
        iterator.return?.()?.catch(() => {});
      }
    },
  };

  /** Returns the next bytes. Records errors of the source, but not those of the reader. */
  async function following(): Promise<Uint8Array | null> {
    try {
      const { value, done } = await next();
      const nowMs = Date.now();
      // A pause of the sender or of the reader.
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
