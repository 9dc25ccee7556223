import type { Engine } from '#engine/index';
import type { Config } from '#platform/config/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { keepHouse } from './jobs.ts';
import { problems } from './problems.ts';

/** One thing without which nothing can be served; `check` resolves to false, or throws, when it is not there. */
export type ReadinessCheck = { name: string; check(): Promise<boolean> };

export type SystemDeps = {
  version: string;
  engine: Pick<Engine, 'version' | 'observers'>;
  checks: readonly ReadinessCheck[];
  /** What removes what has served its time; run once an hour, on one node. Each returns how many things it removed. */
  housekeeping: readonly (() => Promise<number>)[];
  jobs: Pick<Jobs, 'handle' | 'schedule'>;
  log: Log;
  limits: Omit<Config['limits'], 'uploadsAtOnce' | 'uploadBytesPerMinute' | 'streamsPerKey' | 'streamsPerAddress'>;
  storage: 'file' | 's3';
  mediaEngine: string;
  /** Name of the vision-language model that looks at frames; null when none is set up. */
  visionModel: string | null;
  now?: () => number;
};

export interface System {
  health(): { status: 'ok'; version: string; uptime_s: number };
  /** What was checked; throws `not_ready` (503) naming what is missing. */
  ready(): Promise<{ status: 'ready'; checks: Record<string, 'ok'> }>;
  describe(): Promise<SystemDescription>;
  /** Registers the handlers and the schedule of this room's jobs. */
  work(): void;
}

export type SystemDescription = {
  version: string;
  engine: { version: string; media: string };
  observers: { kind: string; available: boolean; version: string | null; reason: string | null }[];
  vision_model: string | null;
  storage: string;
  limits: {
    upload_bytes: number;
    json_bytes: number;
    query_length: number;
    videos_per_query: number;
    video_seconds: number;
    writes_per_minute: number;
    writes_per_day: number;
    reads_per_minute: number;
  };
};

/** A check that hangs is a check that fails. */
const CHECK_TIMEOUT_MS = 2_000;

export function createSystemService(deps: SystemDeps): System {
  const { version, engine, checks, limits, now = Date.now } = deps;
  const startedAt = now();
  return {
    health: () => ({ status: 'ok', version, uptime_s: Math.floor((now() - startedAt) / 1000) }),
    async ready() {
      const results = await Promise.all(checks.map(async (c) => [c.name, await stateOf(c)] as const));
      const failed = results.filter(([, state]) => state !== 'ok');
      if (failed.length > 0) {
        const reasons = failed.map(([name, state]) => `${name} ${state === 'full' ? 'full' : 'not available'}`);
        throw problems.not_ready(`The service cannot serve requests now: ${reasons.join(', ')}.`, {
          detail: { checks: Object.fromEntries(results) },
          headers: { 'retry-after': '5' },
        });
      }
      return { status: 'ready', checks: Object.fromEntries(results.map(([name]) => [name, 'ok' as const])) };
    },
    work() {
      deps.jobs.handle(keepHouse, async () => {
        const failures: unknown[] = [];
        for (const purge of deps.housekeeping) {
          // What fails, perhaps every time, keeps nobody from the rest.
          await purge().then(
            (removed) => deps.log.debug({ removed }, 'kept house'),
            (error) => failures.push(error),
          );
        }
        if (failures.length > 0) throw failures[0];
      });
      deps.jobs.schedule(keepHouse, '17 * * * *', {});
    },
    async describe() {
      const observers = await engine.observers();
      return {
        version,
        engine: { version: engine.version, media: deps.mediaEngine },
        observers: observers.map((observer) => ({
          kind: observer.kind,
          available: 'version' in observer,
          version: 'version' in observer ? observer.version : null,
          reason: 'version' in observer ? null : observer.unavailable,
        })),
        vision_model: deps.visionModel,
        storage: deps.storage,
        limits: {
          upload_bytes: limits.uploadBytes,
          json_bytes: limits.jsonBytes,
          query_length: limits.queryLength,
          videos_per_query: limits.videosPerQuery,
          video_seconds: limits.videoSeconds,
          writes_per_minute: limits.writesPerMinute,
          writes_per_day: limits.writesPerDay,
          reads_per_minute: limits.readsPerMinute,
        },
      };
    },
  };
}

/** `full`: the check was refused for want of space. */
async function stateOf({ check }: ReadinessCheck): Promise<'ok' | 'failed' | 'full'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return (await Promise.race([check(), late])) ? 'ok' : 'failed';
  } catch (error) {
    return error instanceof Problem && error.code === 'storage_full' ? 'full' : 'failed';
  } finally {
    clearTimeout(timer);
  }
}
