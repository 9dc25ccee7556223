import { availableParallelism } from 'node:os';
import type { Decoder, FrameRequest, TaskContext } from '#platform/media/index';
import { encodeObservation } from './encoding.ts';
import type { FileFacts } from './file/observation.ts';
import { OBSERVERS } from './observers.ts';
import { createRangeSaver, type ResumedPass, readStoredPass, type StoredPass } from './range-saver.ts';
import { PassDiffers } from './resume.ts';
import { createRangeClock } from './turns.ts';
import {
  type AnyObserver,
  type DenseContext,
  type DensePass,
  SAMPLE_RATE,
  type TaskObserverContext,
  type TaskResult,
  type TimeRange,
  toDuration,
  type VideoFacts,
} from './types.ts';

export type ObserveArgs = {
  path: string;
  video: VideoFacts;
  file?: FileFacts;
  kinds: readonly string[];
  sidecar: Uint8Array | null;
  /** Content of a subtitle file that was added to the video. */
  subtitles?: Uint8Array | null;
  /** Artifact that the observation is made from. */
  source?: Uint8Array | null;
  /** The range that ranged observers observe; by default the whole video. */
  range?: TimeRange;
  /**
   * Set if the ranges of the pass over all frames are emitted as `StoredRange`s: those that are stored already, and the
   * length of a range in seconds of processor time.
   */
  ranges?: { stored: StoredPass | null; cpuS?: number };
  /** True if artifacts of what was seen so far are emitted as `PartialResult`s during the pass over all frames. */
  emitsPartial?: boolean;
  /** Settings of the observers from `prepare`, by kind. */
  settings: Readonly<Record<string, unknown>>;
};

/** Artifacts of the requested kinds, by kind. */
export type ObserveResult = Record<string, Uint8Array>;

/**
 * Artifacts of the first `untilS` seconds of a video. Those of the whole video that were made before are part of the
 * first one only.
 */
export type PartialResult = { partial: ObserveResult; untilS: number };

/**
 * Partial results are emitted whenever the seen part has grown by this factor: together they take as long as one of
 * the whole video `1 / (1 - 1 / GROWTH)` times.
 */
const GROWTH = 1.25;
/** After this much of a video, in seconds, none are emitted: each is a copy of all that was observed. */
const MAX_PARTIAL_S = 3600;

/**
 * From this size (1080p) on, deblocking is skipped for all frames, which saves a quarter of the decoding time. Scaling
 * averages the edges of coding blocks away; labeled clips gave the same tracks. Smaller videos skip it only for
 * non-reference frames.
 */
const LARGE_FRAME_PIXELS = 1.5e6;

/**
 * Decoding threads for large frames on more than one core: two that decode beside the observers, and two whose frames
 * are ready. Smaller frames cost 4 % less on one thread.
 */
const DECODER_THREADS = 4;

const isLarge = ({ width, height }: VideoFacts) => width * height >= LARGE_FRAME_PIXELS;

type Dense = Extract<AnyObserver, { open: unknown }>;
type Task = Extract<AnyObserver, { observe: unknown }>;

/**
 * Creates the task of a media process: it runs the task observers one after another, then one pass over all frames for
 * the dense observers.
 */
export const createObserveTask = (observers: readonly AnyObserver[]) =>
  async function observe(args: ObserveArgs, context: TaskContext): Promise<ObserveResult> {
    const { progress } = context;
    const decoder = withTurns(context);
    const { path, video, file = null, kinds, sidecar, subtitles = null, source = null, settings } = args;
    const requested = observers.filter(({ kind }) => kinds.includes(kind));
    const tasks = requested.filter((observer) => 'observe' in observer);
    const dense = requested.filter((observer) => 'open' in observer);
    const total = tasks.reduce((sum, { relativeDuration }) => sum + relativeDuration, dense.length > 0 ? 1 : 0);
    let started = 0;
    const reserveProgress = (share: number) => {
      const from = started;
      started += share;
      return (fraction: number) => share > 0 && progress((from + share * fraction) / total);
    };

    const results = new Map<string, Promise<TaskResult<unknown>>>();
    const getResult = (task: Task): Promise<TaskResult<unknown>> => {
      const { kind, relativeDuration } = task;
      const existing = results.get(kind);
      if (existing) return existing;
      const result = task.observe({
        path,
        video,
        file,
        sidecar,
        subtitles,
        source,
        settings: settings[kind] ?? null,
        decoder,
        onProgress: tasks.includes(task) ? reserveProgress(relativeDuration) : () => {},
        getResult: getResult as TaskObserverContext['getResult'],
      });
      results.set(kind, result);
      return result;
    };

    const artifacts: ObserveResult = {};
    for (const task of tasks) {
      const { observation, ...duration } = await getResult(task);
      artifacts[task.kind] = encodeObservation(task, { ...video, ...duration }, observation);
    }
    if (dense.length === 0) return artifacts;
    return {
      ...artifacts,
      ...(await runDensePass(dense, args, { ...context, decoder, progress: reserveProgress(1), artifacts })),
    };
  };

/** The decoder of the process, whose passes let tasks that go first run after each range. */
function withTurns({ decoder, turn }: Pick<TaskContext, 'decoder' | 'turn'>): Decoder {
  const clock = createRangeClock();
  const onTurn = async () => {
    if (!clock.isOver()) return;
    await turn();
    clock.restart();
  };
  return { ...decoder, decode: (path, request) => decoder.decode(path, { onTurn, ...request }) };
}

/** `artifacts`: those that were made before the pass. */
type Decoding = Pick<TaskContext, 'decoder' | 'progress' | 'turn' | 'emit'> & { artifacts: ObserveResult };

/**
 * Decodes the video once for all observers, after the stored ranges of an earlier pass if there are any. A damaged
 * video is decoded again on one thread, which is deterministic.
 */
async function runDensePass(
  observers: readonly Dense[],
  args: ObserveArgs,
  decoding: Decoding,
): Promise<ObserveResult> {
  const threads = availableParallelism() > 1 && isLarge(args.video) ? DECODER_THREADS : 1;
  for (const resumed of resumptions(args)) {
    try {
      const artifacts = await tryDensePass(resumed()?.threads ?? threads, observers, args, decoding, resumed());
      if (artifacts) return artifacts;
      break;
    } catch (error) {
      if (!(error instanceof PassDiffers)) throw error;
    }
  }
  return (await tryDensePass(1, observers, args, decoding, null))!;
}

/**
 * Ways to run a pass, the best first: after the stored ranges from the keyframe before, the same from the first packet
 * (where the keyframe does not give the same frames), from the start. Each reads the ranges again, as observers
 * continue with what was read.
 */
function resumptions({ ranges }: ObserveArgs): (() => ResumedPass | null)[] {
  const stored = ranges?.stored;
  if (!stored) return [() => null];
  const read = () => readStoredPass(stored);
  const fromFirst = () => {
    const pass = read();
    return pass && { ...pass, position: { ...pass.position, packet: 0 } };
  };
  return [read, fromFirst, () => null];
}

/** Returns null if several threads decode a damaged video. */
async function tryDensePass(
  threads: number,
  observers: readonly Dense[],
  { path, video, range, settings, ranges, emitsPartial = false }: ObserveArgs,
  { decoder, progress, turn, emit, artifacts: made }: Decoding,
  resumed: ResumedPass | null,
): Promise<ObserveResult | null> {
  /** Passes by kind in the order in which they receive a frame: dependencies first. */
  const passes = new Map<string, DensePass<unknown>>();
  const openPass = async (observer: Dense): Promise<DensePass<unknown>> => {
    const { kind } = observer;
    const pass =
      passes.get(kind) ??
      (await observer.open({
        video,
        settings: settings[kind] ?? null,
        isRequested: observers.includes(observer),
        saved: resumed?.saved.get(kind) ?? null,
        savesRanges: ranges !== undefined,
        openPass: openPass as DenseContext<unknown>['openPass'],
      }));
    passes.set(kind, pass);
    return pass;
  };
  try {
    for (const observer of observers) await openPass(observer);
    const all = [...passes.values()];
    const canSave = all.every(({ frames = [], save }) => frames.length === 0 || save !== undefined);
    if (resumed && !canSave) throw new PassDiffers();
    const stored = resumed ? ranges!.stored!.added.length : 0;
    const saver = ranges && canSave ? createRangeSaver({ passes, threads, stored, emit }) : null;
    const listeners = video.hasAudio && !range ? all.flatMap(({ onSamples }) => onSamples ?? []) : [];
    const onSamples = (samples: Float32Array, timeS: number) => {
      for (const listener of listeners) listener(samples, timeS);
    };
    const partial = emitsPartial ? createPartialResults({ observers, passes, video, made, emit }) : null;
    const clock = createRangeClock(ranges?.cpuS);
    let fraction = resumed?.fraction ?? 0;
    const summary = await decoder.decode(path, {
      frames: all.flatMap((pass): FrameRequest[] => pass.frames ?? []),
      range,
      ...(listeners.length > 0 ? { audio: { sampleRate: SAMPLE_RATE, onSamples } } : {}),
      ...(resumed ? { resume: resumed.position } : {}),
      skipDeblocking: isLarge(video) ? 'all' : 'non-reference',
      threads,
      onProgress(done) {
        fraction = Math.max(fraction, done);
        progress(fraction);
      },
      async onTurn(getPosition) {
        saver?.flush(getPosition);
        if (!clock.isOver()) return;
        await saver?.stored();
        const position = saver && getPosition();
        if (position) saver.take(position, fraction);
        partial?.offer();
        await turn();
        clock.restart();
      },
    });
    if (summary.state === 'stopped') return null;
    const artifacts: ObserveResult = {};
    for (const observer of observers) {
      const observation = await passes.get(observer.kind)!.finish();
      const facts = range ? { range } : toDuration(summary, video);
      artifacts[observer.kind] = encodeObservation(observer, { ...video, ...facts }, observation);
    }
    return artifacts;
  } finally {
    for (const { close } of passes.values()) await close?.();
  }
}

/** Emits what an open pass has seen so far, one at a time; `made` are artifacts of the whole video. */
function createPartialResults(settings: {
  observers: readonly Dense[];
  passes: ReadonlyMap<string, DensePass<unknown>>;
  video: VideoFacts;
  made: ObserveResult;
  emit: (result: PartialResult) => Promise<void>;
}) {
  const { observers, passes, video, made, emit } = settings;
  const seen = observers.flatMap((observer) => {
    const soFar = passes.get(observer.kind)!.soFar;
    return soFar ? [{ observer, soFar }] : [];
  });
  let nextS = 0;
  let isEmitting = false;
  return {
    offer(): void {
      const untilS = Math.min(...seen.flatMap(({ soFar }) => soFar.untilS?.() ?? []));
      if (isEmitting || untilS > MAX_PARTIAL_S || untilS <= nextS) return;
      const before = nextS === 0 ? made : {};
      nextS = untilS * GROWTH;
      const encoded = seen.map(({ observer, soFar }) => [
        observer.kind,
        encodeObservation(observer, { ...video, durationS: untilS }, soFar.observation()),
      ]);
      isEmitting = true;
      void emit({ partial: { ...before, ...Object.fromEntries(encoded) }, untilS }).then(() => {
        isEmitting = false;
      });
    },
  };
}

export const observe = createObserveTask(Object.values(OBSERVERS));
