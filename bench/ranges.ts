/**
 * Cost of storing a pass over every frame range by range, in processor time of this process, its media process and its
 * database: a pass with ranges of a tenth of their length against the same without, in turn, divided by ten; and the
 * cost of the rest of a pass that was interrupted in the middle. Needs the shared footage.
 *
 * `npm run bench -- ranges`
 */
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RangeStore } from '../server/src/engine/index.ts';
import { createObserve } from '../server/src/engine/observe/observe.ts';
import { OBSERVERS } from '../server/src/engine/observe/observers.ts';
import { RANGE_CPU_S } from '../server/src/engine/observe/turns.ts';
import { createWeights } from '../server/src/engine/observe/weights.ts';
import { createStoredRanges } from '../server/src/features/analyses/observations/stored-ranges.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia } from '../server/src/platform/media/index.ts';
import { loopedClip, stillClip } from '../server/test/media/clips.ts';
import { interleave, median } from './lib/measure.ts';
import { modelsIn } from './lib/open-engine.ts';
import { readProcessTree } from './lib/process-tree.ts';
import { startService } from './lib/service.ts';
import type { BenchmarkRow } from './run.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const MODELS = join(SHARED, 'models');
const CLIPS = { small: 'data/road/udacity_solidWhiteRight.mp4', large: 'data/road/udacity_night_rural_5s.mp4' };
const SECONDS = 60;
const ROUNDS = 3;
/** Ranges that are stored for one of the usual length. */
const PER_RANGE = 10;
const KINDS = ['signals', 'sound', 'objects'] as const;

export async function* run(): AsyncIterable<BenchmarkRow> {
  const log = createLog('error');
  const service = await startService();
  const media = await createMedia({ processes: 1, maxSeconds: 86_400, log });
  try {
    const weights = createWeights({ models: modelsIn(MODELS, log), log });
    const observers = Object.values(OBSERVERS);
    const engine = createObserve({ media, weights, observers, rangeCpuS: RANGE_CPU_S / PER_RANGE });
    const { database } = service.sightline;
    const leased = KINDS.map((kind) => ({ kind, depth: 'dense' as const, version: kind }));
    const holder = 'benchmark:1';
    for (const [name, clip] of Object.entries(CLIPS)) {
      const path = await loopedClip(join(SHARED, clip), SECONDS);
      const lease = { leaseHolder: holder, status: 'running', storageKey: '' };
      const { video_id: videoId } = await service.client.upload(await openAsBlob(await stillClip()), { name });
      const row = { videoId, kind: 'signals', version: 'signals', ...lease };
      await database.db.insertInto('observations').values(row).execute();
      const open = () =>
        createStoredRanges({ database, engine: { version: 'benchmark' }, log })({
          videoId,
          holder,
          leased,
          range: undefined,
        });
      let ranges = 0;
      const counted = (store: RangeStore, stop?: AbortController): RangeStore => ({
        load: store.load,
        async save(range) {
          await store.save(range);
          ranges++;
          if (stop && range.fraction > 0.5) stop.abort(new Error('interrupted'));
        },
      });
      const observe = async (rangesOf?: () => RangeStore, signal?: AbortSignal) =>
        void (await engine.observe(path, KINDS, { rangesOf, signal }));
      const stored = async () => {
        const pass = open();
        await observe(() => counted(pass.of(KINDS)));
        await database.transaction(pass.end);
      };
      await observe();
      const cpu = await interleave(ROUNDS, { plain: () => cpuOf(observe), stored: () => cpuOf(stored) });
      const [plain, withRanges] = [median(cpu.plain), median(cpu.stored)];
      const each = median(cpu.plain.map((without, at) => (cpu.stored[at]! - without) / (ranges / ROUNDS)));
      yield {
        name: `${name}: storing a range against its processor time`,
        value: each / RANGE_CPU_S,
        unit: '×',
        bar: { max: 0.02 },
        note: `${(each * 1000).toFixed(1)} ms; ${withRanges.toFixed(2)} s against ${plain.toFixed(2)} s with ${Math.round(ranges / ROUNDS)} ranges`,
      };

      const stop = new AbortController();
      await observe(() => counted(open().of(KINDS), stop), stop.signal).catch(() => {});
      const rest = await cpuOf(stored);
      yield {
        name: `${name}: what is left after an interruption in the middle`,
        value: rest / plain,
        unit: '×',
        bar: { max: 0.7 },
        note: `${rest.toFixed(2)} s, with the start of a process`,
      };
    }
  } finally {
    await media.close();
    await service.stop();
  }
}

/** Processor time of all processes in seconds. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const total = () => readProcessTree(process.pid).reduce((sum, { cpuS }) => sum + cpuS, 0);
  const before = total();
  await work();
  return total() - before;
}
