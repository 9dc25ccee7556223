import type { Media } from '#platform/media/index';
import type { ObserveOptions, Observer } from '../index.ts';
import type { AnyObserver, Ready, ReadyDeps, Unavailable } from './observer.ts';
import { observeProblem } from './problems.ts';
import type { ObserveArgs, ObserveResult } from './process.ts';

export { isArtifact } from './artifact.ts';
export { decodeObservations } from './encoding.ts';
export { withGlance } from './glance/fill.ts';
export { createTriedWeights } from './objects/tried.ts';
export { OBSERVERS } from './observers.ts';
export { createWeights } from './weights.ts';

/**
 * Observe: turns a video into observations, one artifact per kind, inside a media process. What it finds depends on the video and the observers' versions and on nothing else.
 */
export type Observe<Kind extends string> = {
  observers(): Promise<Observer<Kind>[]>;
  observe(
    path: string,
    kinds: readonly Kind[],
    options?: ObserveOptions & { sidecar?: Uint8Array | null },
  ): Promise<Map<Kind, Uint8Array>>;
};

export type ObserveDeps<Listed extends AnyObserver> = ReadyDeps & {
  media: Media;
  observers: readonly Listed[];
  /** The module whose `observe` runs them in a media process. */
  tasks?: URL;
};

const TASKS = new URL('./process.ts', import.meta.url);
const READY: Ready<unknown> = { settings: null, suffix: '' };

export function createObserve<Listed extends AnyObserver>(deps: ObserveDeps<Listed>): Observe<Listed['kind']> {
  const { media, observers, tasks = TASKS } = deps;
  refuseDuplicates(observers);
  const readiness = async (observer: Listed): Promise<Ready<unknown> | Unavailable> =>
    (await observer.ready?.(deps)) ?? READY;

  const versionOf = ({ version, sameOnEveryEngine = false }: Listed, suffix: string) =>
    [version, suffix, sameOnEveryEngine || media.engine === 'node-av' ? '' : media.engine]
      .filter((part) => part !== '')
      .join('.');

  return {
    observers: () =>
      Promise.all(
        observers.map(async (observer) => {
          const { kind, depth } = observer;
          const ready = await readiness(observer);
          if ('unavailable' in ready) return { kind, depth, unavailable: ready.unavailable };
          return { kind, depth, version: versionOf(observer, ready.suffix) };
        }),
      ),

    async observe(path, kinds, { signal, onProgress, sidecar = null } = {}) {
      const settings: Record<string, unknown> = {};
      for (const observer of observers.filter(({ kind }) => kinds.includes(kind))) {
        const ready = await readiness(observer);
        if ('unavailable' in ready) throw observeProblem.observer_unavailable(ready.unavailable);
        settings[observer.kind] = ready.settings;
      }
      const { video, durationS, audio } = await media.probe(path, { signal });
      const { width, height, timeBase } = video;
      const facts = { durationS, width, height, timeBase, hasAudio: audio !== null };
      const args: ObserveArgs = { path, video: facts, kinds, sidecar, settings };
      const made = await media.run<ObserveResult>({ module: tasks, name: 'observe', args }, { signal, onProgress });
      return new Map(kinds.map((kind) => [kind, made[kind]!]));
    },
  };
}

/** Throws if two observers have one kind: each would read what the other stored. */
function refuseDuplicates(observers: readonly AnyObserver[]): void {
  const kinds = observers.map(({ kind }) => kind);
  const twice = kinds.find((kind, at) => kinds.indexOf(kind) !== at);
  if (twice === undefined) return;
  throw new Error(
    `Two observers in engine/observe/observers.ts have the kind "${twice}". Observations are stored by kind: rename one of them.`,
  );
}
