import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import type { ModelEntry, ModelTask } from '../models/index.ts';
import { ownerOf, type Weights, type WeightsFinder } from './weights.ts';

/** Arguments of `testWeights`: the model's name in the catalog, and its files. */
export type SelfTestArgs = { model: string; files: readonly string[] };

/** Modules whose `testWeights` runs the model once in a media process: a file may be anything. */
const SELF_TESTS: Record<ModelTask, URL> = {
  objects: new URL('./objects/detector/weights-selftest-task.ts', import.meta.url),
  sounds: new URL('./sounds/weights-selftest-task.ts', import.meta.url),
  speech: new URL('./speech/weights-selftest-task.ts', import.meta.url),
  text: new URL('./text/weights-selftest-task.ts', import.meta.url),
  embeddings: new URL('./embeddings/weights-selftest-task.ts', import.meta.url),
  poses: new URL('./poses/weights-selftest-task.ts', import.meta.url),
};
const TIMEOUT_S = 60;

/** Tries weights in a media process. Returns what is wrong with them, or null. Rejects if they could not be tried. */
export function tryWeights(
  media: Pick<Media, 'run'>,
  { task, name }: Pick<ModelEntry, 'task' | 'name'>,
  files: readonly string[],
): Promise<string | null> {
  const args: SelfTestArgs = { model: name, files };
  const run = { module: SELF_TESTS[task], name: 'testWeights', args, reads: files };
  return media.run<string | null>(run, { timeoutS: TIMEOUT_S });
}

/**
 * Finds only weights that work: each is tried once, in a media process, unless its files are those of the catalog,
 * which are known to work.
 */
export function createTestedWeights({
  media,
  weights,
  log,
}: {
  media: Pick<Media, 'run'>;
  weights: WeightsFinder;
  log: Log;
}): WeightsFinder {
  /** Result by model and digest: the reason why weights do not work, or null if they do. */
  const tried = new Map<string, Promise<string | null>>();

  function attempt(task: ModelTask, { paths, name, digest }: Weights): Promise<string | null> {
    const key = `${name} ${digest}`;
    const known = tried.get(key);
    if (known) return known;
    const outcome = tryWeights(media, { task, name }, paths).catch((error: Error) => {
      // The failure may have been the machine's fault: the next call tries again.
      tried.delete(key);
      log.warn({ err: error, paths }, `the ${ownerOf(task)} could not be tried`);
      return error.message;
    });
    tried.set(key, outcome);
    return outcome;
  }

  return {
    async find(task, name) {
      const found = await weights.find(task, name);
      if ('unavailable' in found || found.isPinned) return found;
      const wrong = await attempt(task, found);
      if (wrong === null) return found;
      return { unavailable: `The ${ownerOf(task)}'s weights ${found.paths.join(', ')} do not work: ${wrong}` };
    },
  };
}
