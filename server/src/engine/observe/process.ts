import { availableParallelism } from 'node:os';
import type { PictureRequest, TaskContext } from '#platform/media/index';
import { encode } from './encoding.ts';
import {
  type AnyObserver,
  type DenseGiven,
  lengthOf,
  type Observed,
  type Pass,
  SAMPLE_RATE,
  type TaskGiven,
  type VideoFacts,
} from './observer.ts';
import { OBSERVERS } from './observers.ts';

export type ObserveArgs = {
  path: string;
  video: VideoFacts;
  kinds: readonly string[];
  sidecar: Uint8Array | null;
  /** What observers were told when they were asked whether they are ready, by kind. */
  settings: Readonly<Record<string, unknown>>;
};

/** Artifacts by kind, those that were asked for. */
export type ObserveResult = Record<string, Uint8Array>;

/**
 * Pictures from here on (1080p) are shrunk so much that the edges of coding blocks, which deblocking smooths, vanish in the mean. Without it a quarter of the decoding time is
 * saved, and on labelled clips at this size the same tracks are found. Of smaller pictures, those that no other is predicted from go without.
 */
const SHRUNK_PIXELS = 1.5e6;

/** Threads that decode such large frames where there is more than one core: two at work beside whoever looks, and two whose frames lie ready. Smaller frames cost 4 % less on one. */
const DECODER_THREADS = 4;

const isShrunk = ({ width, height }: VideoFacts) => width * height >= SHRUNK_PIXELS;

type Dense = Extract<AnyObserver, { open: unknown }>;
type Task = Extract<AnyObserver, { observe: unknown }>;

/** The task of a media process: every observer that is a task of its own, one after another, then one pass over the video in which all the others look on. */
export const observing = (observers: readonly AnyObserver[]) =>
  async function observe(args: ObserveArgs, { decoder, progress }: TaskContext): Promise<ObserveResult> {
    const { path, video, kinds, sidecar, settings } = args;
    const asked = observers.filter(({ kind }) => kinds.includes(kind));
    const tasks = asked.filter((observer) => 'observe' in observer);
    const dense = asked.filter((observer) => 'open' in observer);
    const whole = tasks.reduce((sum, { share }) => sum + share, dense.length > 0 ? 1 : 0);
    let done = 0;
    const part = (share: number) => {
      const from = done;
      done += share;
      return (fraction: number) => share > 0 && progress((from + share * fraction) / whole);
    };

    const ended = new Map<string, Promise<Observed<unknown>>>();
    const observed = (task: Task): Promise<Observed<unknown>> => {
      const { kind, share } = task;
      const known = ended.get(kind);
      if (known) return known;
      const given = { path, video, sidecar, settings: settings[kind] ?? null, decoder };
      const own = tasks.includes(task) ? part(share) : () => {};
      const ending = task.observe({ ...given, progress: own, observed: observed as TaskGiven['observed'] });
      ended.set(kind, ending);
      return ending;
    };

    const made: ObserveResult = {};
    for (const task of tasks) {
      const { observation, ...length } = await observed(task);
      made[task.kind] = encode(task, { ...video, ...length }, observation);
    }
    return dense.length > 0 ? { ...made, ...(await lookOn(dense, args, { decoder, progress: part(1) })) } : made;
  };

type Decoding = Pick<TaskContext, 'decoder' | 'progress'>;

/** Decodes the video once and lets every observer look on; a damaged one again from its start, on one thread, which sees the same every time. */
async function lookOn(observers: readonly Dense[], args: ObserveArgs, decoding: Decoding): Promise<ObserveResult> {
  const threads = availableParallelism() > 1 && isShrunk(args.video) ? DECODER_THREADS : 1;
  return (await lookOnWith(threads, observers, args, decoding)) ?? (await lookOnWith(1, observers, args, decoding))!;
}

/** Null where several threads met damage. */
async function lookOnWith(
  threads: number,
  observers: readonly Dense[],
  { path, video, settings }: ObserveArgs,
  { decoder, progress }: Decoding,
): Promise<ObserveResult | null> {
  /** By kind, those that others need before those: a frame goes to them in this order. */
  const opened = new Map<string, Pass<unknown>>();
  const open = async (observer: Dense): Promise<Pass<unknown>> => {
    const { kind } = observer;
    const looking =
      opened.get(kind) ??
      (await observer.open({
        video,
        settings: settings[kind] ?? null,
        kept: observers.includes(observer),
        pass: open as DenseGiven<unknown>['pass'],
      }));
    opened.set(kind, looking);
    return looking;
  };
  try {
    for (const observer of observers) await open(observer);
    const passes = [...opened.values()];
    const pictures = passes.flatMap((pass): PictureRequest[] => pass.pictures ?? []);
    const hearing = video.hasAudio ? passes.flatMap(({ onSamples }) => onSamples ?? []) : [];
    const onSamples = (samples: Float32Array, timeS: number) => {
      for (const hear of hearing) hear(samples, timeS);
    };
    const seen = await decoder.decode(path, {
      pictures,
      ...(hearing.length > 0 ? { sound: { sampleRate: SAMPLE_RATE, onSamples } } : {}),
      skipDeblocking: isShrunk(video) ? 'all' : 'non-reference',
      threads,
      onProgress: progress,
    });
    if (seen.state === 'stopped') return null;
    const made: ObserveResult = {};
    for (const observer of observers) {
      const observation = await opened.get(observer.kind)!.finish();
      made[observer.kind] = encode(observer, { ...video, ...lengthOf(seen, video) }, observation);
    }
    return made;
  } finally {
    for (const { close } of opened.values()) await close?.();
  }
}

export const observe = observing(OBSERVERS);
