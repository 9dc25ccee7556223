import { isAbsolute } from 'node:path';
import pLimit from 'p-limit';
import type { Media } from '#platform/media/index';
import { toFileFacts } from './file/observer.ts';
import { weightsNameOf } from './objects/detectors.ts';
import type { ObserveArgs, ObserveResult, PartialResult } from './observe-task.ts';
import { observeProblem } from './problems.ts';
import type { StoredPass, StoredRange } from './range-saver.ts';
import type {
  AnyObserver,
  ObserveInput,
  ObserveOptions,
  ObserverStatus,
  PrepareDeps,
  Prepared,
  TimeRange,
  Unavailable,
} from './types.ts';

/**
 * Observes videos in media processes: one artifact per kind. Results depend only on the video and the versions of the
 * observers. A kind that is made from another one is left out where that one is missing.
 */
export type Observe<Kind extends string> = {
  /** `detector` is the name of a model for objects; by default that of the service. */
  observers(options?: { detector?: string | null }): Promise<ObserverStatus<Kind>[]>;
  observe(path: string, kinds: readonly Kind[], options?: ObserveVideoOptions<Kind>): Promise<Map<Kind, Uint8Array>>;
};

export type ObserveVideoOptions<Kind extends string> = ObserveOptions &
  ObserveInput & {
    range?: TimeRange;
    detector?: string | null;
    /** Stores the ranges of the pass for these kinds, which continues after those that are stored. */
    rangesOf?: (kinds: readonly Kind[]) => RangeStore;
    /**
     * Receives artifacts of what was seen so far: those of the first `untilS` seconds of the video while every frame is
     * observed, then (null) of all of it before further observers run.
     */
    onPartial?: (artifacts: ReadonlyMap<Kind, Uint8Array>, untilS: number | null) => void;
  };

/** Part of a version that names the detector: its name and the digits of its digest. */
const DETECTOR = /\.([a-z0-9_]+)\.[0-9a-f]{12}(?=\.|$)/;

/** The part of a version that observers have in common whatever detector they use. */
export const familyOf = (version: string): string => version.replace(DETECTOR, '');

/** Name of the detector in a version; null if no detector was used. */
export const detectorIn = (version: string): string | null => DETECTOR.exec(version)?.[1] ?? null;

/** True if a version is that of a detector which sees larger copies of frames than the one of the other version. */
export function isFinerVersion(version: string, other: string): boolean {
  const [name, otherName] = [detectorIn(version), detectorIn(other)];
  return (
    name !== null &&
    name !== otherName &&
    weightsNameOf(name) === otherName &&
    version === other.replace(`.${otherName}.`, `.${name}.`)
  );
}

/** Stored ranges of a pass. */
export type RangeStore = { load(): Promise<StoredPass | null>; save(range: StoredRange): Promise<void> };

export type ObserveDeps<Listed extends AnyObserver> = Omit<PrepareDeps, 'detector'> & {
  media: Media;
  observers: readonly Listed[];
  /** Module whose `observe` runs the observers in a media process. */
  tasks?: URL;
  /** Length of a stored range in seconds of processor time. */
  rangeCpuS?: number;
};

const TASKS = new URL('./observe-task.ts', import.meta.url);
const NO_SETTINGS: Prepared<unknown> = { settings: null, suffix: '' };

export function createObserve<Listed extends AnyObserver>(deps: ObserveDeps<Listed>): Observe<Listed['kind']> {
  const { media, observers, tasks = TASKS, rangeCpuS } = deps;
  checkUniqueKinds(observers);
  const alone = pLimit(1);
  const prepare = async (observer: Listed, detector: string | null): Promise<Prepared<unknown> | Unavailable> =>
    (await observer.prepare?.({ ...deps, detector })) ?? NO_SETTINGS;

  const toVersion = ({ version }: Listed, suffix: string) => (suffix === '' ? version : `${version}.${suffix}`);

  return {
    observers: ({ detector = null } = {}) =>
      Promise.all(
        observers.map(async (observer) => {
          const { kind, depth, onDemand } = observer;
          const status = {
            kind,
            depth,
            ...(onDemand ? { onDemand } : {}),
            ...('ranged' in observer && observer.ranged ? { ranged: true } : {}),
            ...(observer.usesDetector ? { family: toVersion(observer, '') } : {}),
            ...(sourceOf(observer) ? { source: sourceOf(observer)! } : {}),
          };
          const prepared = await prepare(observer, detector);
          if ('unavailable' in prepared) return { ...status, unavailable: prepared.unavailable };
          const version = toVersion(observer, prepared.suffix);
          return prepared.fallback ? { ...status, version, fallback: prepared.fallback } : { ...status, version };
        }),
      ),

    async observe(path, requested, options = {}) {
      const {
        signal,
        onProgress,
        orgId,
        priority,
        rangesOf,
        onPartial,
        sidecar = null,
        subtitles = null,
        sources,
        range,
        detector = null,
      } = options;
      const sourceFor = (kind: string) => sourceOf(observers.find((each) => each.kind === kind)!);
      const kinds = requested.filter((kind) => {
        const source = sourceFor(kind);
        return source === null || sources?.has(source) || requested.some((each) => each === source);
      });
      const settings: Record<string, unknown> = {};
      for (const observer of observers.filter(({ kind }) => kinds.includes(kind))) {
        const prepared = await prepare(observer, detector);
        if ('unavailable' in prepared) throw observeProblem.observer_unavailable(prepared.unavailable);
        settings[observer.kind] = prepared.settings;
      }
      const probe = await media.probe(path, { signal });
      const { video, durationS, audio } = probe;
      const { width, height, timeBase } = video;
      const facts = { durationS, width, height, timeBase, hasAudio: audio !== null };
      const run = (
        kinds: readonly string[],
        report: ObserveOptions['onProgress'],
        source: Uint8Array | null = null,
        store: RangeStore | null = null,
      ) => {
        const args: ObserveArgs = {
          path,
          video: facts,
          file: toFileFacts(probe),
          kinds,
          sidecar,
          subtitles,
          source,
          range,
          settings,
          emitsPartial: onPartial !== undefined && range === undefined,
        };
        const reads = [path, ...listPaths(settings)];
        const argsOf = async () => ({ ...args, ranges: { stored: await store!.load(), cpuS: rangeCpuS } });
        const soFar = new Map<Listed['kind'], Uint8Array>();
        const onEmit = async (value: unknown) => {
          if (!isPartial(value)) return store?.save(value as StoredRange);
          for (const [kind, artifact] of Object.entries(value.partial)) soFar.set(kind, artifact);
          onPartial?.(new Map(soFar), value.untilS);
        };
        return media.run<ObserveResult>(
          { module: tasks, name: 'observe', args, reads, ...(store ? { argsOf } : {}) },
          { signal, onProgress: report, onEmit, orgId, priority },
        );
      };
      const derived = kinds.filter((kind) => sourceFor(kind) !== null);
      const exclusive = kinds.filter((kind) => observers.some((each) => each.kind === kind && each.isExclusive));
      const shared = kinds.filter((kind) => !exclusive.includes(kind) && !derived.includes(kind));
      const parts = exclusive.length + derived.length + Math.min(1, shared.length);
      const progressOf = (part: number) => (fraction: number) => onProgress?.((part + fraction) / parts);
      let part = Math.min(1, shared.length);
      const dense = shared.filter((kind) => observers.some((each) => each.kind === kind && 'open' in each));
      const store = dense.length > 0 ? (rangesOf?.(dense) ?? null) : null;
      let artifacts = shared.length > 0 ? await run(shared, progressOf(0), null, store) : {};
      if (shared.length > 0 && parts > 1 && range === undefined)
        onPartial?.(new Map(kinds.flatMap((kind) => (artifacts[kind] ? [[kind, artifacts[kind]]] : []))), null);
      for (const kind of exclusive) {
        const report = progressOf(part++);
        const turn = alone(() => {
          signal?.throwIfAborted();
          return run([kind], report);
        });
        artifacts = { ...artifacts, ...(await Promise.race([turn, ...(signal ? [rejectOnAbort(signal)] : [])])) };
      }
      for (const kind of derived) {
        const source = artifacts[sourceFor(kind)!] ?? sources!.get(sourceFor(kind)!)!;
        artifacts = { ...artifacts, ...(await run([kind], progressOf(part++), source)) };
      }
      return new Map(kinds.map((kind) => [kind, artifacts[kind]!]));
    },
  };
}

const isPartial = (value: unknown): value is PartialResult => Object.hasOwn(value as object, 'partial');

/** Paths in the settings of observers, which are those of weights. */
function listPaths(settings: unknown): string[] {
  if (typeof settings === 'string') return isAbsolute(settings) ? [settings] : [];
  return settings !== null && typeof settings === 'object' ? Object.values(settings).flatMap(listPaths) : [];
}

const sourceOf = (observer: AnyObserver) => ('source' in observer && observer.source ? observer.source : null);

/** Rejects when the signal is aborted: a turn that has not come yet is not waited for. */
const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Throws if two observers have the same kind: each would read the artifacts of the other. */
function checkUniqueKinds(observers: readonly AnyObserver[]): void {
  const kinds = observers.map(({ kind }) => kind);
  const duplicate = kinds.find((kind, at) => kinds.indexOf(kind) !== at);
  if (duplicate === undefined) return;
  throw new Error(
    `Two observers in engine/observe/observers.ts have the kind "${duplicate}". Observations are stored by kind: rename one of them.`,
  );
}
