import type { Engine } from '#engine/index';
import type { VectorSearchState } from '#features/analyses/index';
import type { Config } from '#platform/config/index';
import type { Caller } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { SandboxReport } from '#platform/media/index';
import { Problem } from '#platform/problem';
import { housekeeping } from './jobs.ts';
import type { Models } from './models/index.ts';
import { problems } from './problems.ts';
import type { Health, Readiness, SystemInfo } from './schema.ts';
import type { Workload } from './workload/index.ts';

/** A dependency needed to serve requests. `check` resolves to false, or throws, if it is not available. */
export type ReadinessCheck = { name: string; check(): Promise<boolean> };

export type SystemDeps = {
  version: string;
  engine: Pick<Engine, 'version' | 'observers' | 'detectors' | 'visionProfiles' | 'languageModel'>;
  checks: readonly ReadinessCheck[];
  /** Functions that remove expired data, run once an hour on one node. Each returns the number of removed rows. */
  housekeeping: readonly (() => Promise<number>)[];
  jobs: Pick<Jobs, 'handle' | 'schedule'>;
  models: Models;
  workload: Workload;
  log: Log;
  limits: Omit<Config['limits'], 'uploadsAtOnce' | 'uploadBytesPerMinute' | 'streamsPerKey' | 'streamsPerAddress'>;
  storage: 'file' | 's3';
  sandbox: SandboxReport;
  vectorSearch: () => Promise<VectorSearchState>;
  /** Number of events whose incident is not computed yet. */
  pendingIncidents: () => Promise<number>;
  /** Organization of the operator; null before the first start. */
  operatorOrg: () => Promise<string | null>;
  /** The user of this process. */
  runsAs: SystemInfo['runsAs'];
  now?: () => number;
};

export interface System {
  readonly models: Models;
  readonly workload: Workload;
  health(): Health;
  /** State of each dependency. */
  checks(): Promise<Record<string, CheckState>>;
  /** The checked dependencies. Throws `not_ready` (503) with the names of those that are missing. */
  ready(): Promise<Readiness>;
  describe(caller: Pick<Caller, 'orgId'>): Promise<SystemInfo>;
  /** Registers the handlers and the schedule of this room's jobs. */
  work(): void;
}

/** `full`: the check was rejected because the storage is full. */
export type CheckState = 'ok' | 'failed' | 'full';

/** Numbers of all organizations are for that of the operator. */
const HIDDEN = { stored: null, indexed: null, reason: null };

/** A check that takes longer has failed. */
const CHECK_TIMEOUT_MS = 2_000;

export function createSystemService(deps: SystemDeps): System {
  const { version, engine, checks, limits, now = Date.now } = deps;
  const startedAt = now();
  const runChecks = () => Promise.all(checks.map(async (c) => [c.name, await runCheck(c)] as const));
  return {
    models: deps.models,
    workload: deps.workload,
    health: () => ({ status: 'ok', version, uptimeS: Math.floor((now() - startedAt) / 1000) }),
    checks: async () => Object.fromEntries(await runChecks()),
    async ready() {
      const results = await runChecks();
      const failed = results.filter(([, state]) => state !== 'ok');
      if (failed.length > 0) {
        const reasons = failed.map(([name, state]) => `${name} ${state === 'full' ? 'full' : 'not available'}`);
        throw problems.not_ready(`The service cannot handle requests now: ${reasons.join(', ')}.`, {
          detail: { checks: Object.fromEntries(results) },
          headers: { 'retry-after': '5' },
        });
      }
      return { status: 'ready', checks: Object.fromEntries(results.map(([name]) => [name, 'ok' as const])) };
    },
    work() {
      deps.jobs.handle(housekeeping, async () => {
        const failures: unknown[] = [];
        for (const purge of deps.housekeeping) {
          // A failure, perhaps a permanent one, must not prevent the others.
          await purge().then(
            (removed) => deps.log.debug({ removed }, 'housekeeping task done'),
            (error) => failures.push(error),
          );
        }
        if (failures.length > 0) throw failures[0];
      });
      deps.jobs.schedule(housekeeping, '17 * * * *', {});
      deps.models.work();
    },
    async describe({ orgId }) {
      const isOperator = orgId === (await deps.operatorOrg());
      const [observers, detectors, vectorSearch, pending] = await Promise.all([
        engine.observers(),
        engine.detectors(),
        deps.vectorSearch(),
        isOperator ? deps.pendingIncidents() : null,
      ]);
      const visionProfiles = engine.visionProfiles();
      const vision = visionProfiles.find(({ isDefault }) => isDefault) ?? null;
      return {
        version,
        engine: { version: engine.version, media: 'node-av' },
        observers: observers.map((observer) => ({
          kind: observer.kind,
          available: 'version' in observer,
          version: 'version' in observer ? observer.version : null,
          reason: 'version' in observer ? (observer.fallback ?? null) : observer.unavailable,
        })),
        models: deps.models.licenses(),
        detectors: detectors.map((detector) => ({ ...detector, available: detector.reason === null })),
        visionModel: vision?.model ?? null,
        vision,
        visionProfiles,
        languageModel: engine.languageModel(),
        runsAs: deps.runsAs,
        sandbox: { ...deps.sandbox, missing: [...deps.sandbox.missing] },
        storage: deps.storage,
        incidents: { pending },
        vectorSearch: isOperator ? vectorSearch : { ...vectorSearch, ...HIDDEN },
        limits,
      };
    },
  };
}

async function runCheck({ check }: ReadinessCheck): Promise<CheckState> {
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
