import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import type { Weights, WeightsFinder } from '../../weights.ts';
import type { SelfTestArgs } from './weights-selftest-task.ts';

const TASK = new URL('./weights-selftest-task.ts', import.meta.url);
const TIMEOUT_S = 60;

/** Tries weights in a media process. Returns what is wrong with them, or null. Rejects if they could not be tried. */
export function tryWeights(media: Pick<Media, 'run'>, path: string): Promise<string | null> {
  const args: SelfTestArgs = { weights: path };
  return media.run<string | null>({ module: TASK, name: 'testWeights', args }, { timeoutS: TIMEOUT_S });
}

/** Finds only weights that work: each file is tried once, in a media process. */
export function createTestedWeights({
  media,
  weights,
  log,
}: {
  media: Pick<Media, 'run'>;
  weights: WeightsFinder;
  log: Log;
}): WeightsFinder {
  /** Result by digest: the reason why weights do not work, or null if they do. */
  const tried = new Map<string, Promise<string | null>>();

  function attempt({ path, digest }: Weights): Promise<string | null> {
    const known = tried.get(digest);
    if (known) return known;
    const outcome = tryWeights(media, path).catch((error: Error) => {
      // The failure may have been the machine's fault: the next call tries again.
      tried.delete(digest);
      log.warn({ err: error, path }, 'the detector could not be tried');
      return error.message;
    });
    tried.set(digest, outcome);
    return outcome;
  }

  return {
    async find() {
      const found = await weights.find();
      if ('unavailable' in found) return found;
      const wrong = await attempt(found);
      return wrong === null ? found : { unavailable: `The detector's weights ${found.path} do not work: ${wrong}` };
    },
  };
}
