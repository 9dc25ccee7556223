import { openAccount } from '#engine/index';
import { createAuditTrail } from '#features/audit/index';
import { UNUSED_FIELDS, UNUSED_PARAMETERS } from '#features/compat/index';
import { sendPageNotFound } from '#features/console/index';
import type { Config } from '#platform/config/index';
import {
  createAttemptLimit,
  createIdempotencyStore,
  createRateLimitStore,
  createRateLimits,
} from '#platform/http/index';
import type { Log } from '#platform/log';
import type { RtmpListener } from '#platform/media/index';
import { createApi } from '../api.ts';
import { VERSION } from '../version.ts';
import { createInfrastructure } from './infrastructure.ts';
import { closeApi, listen, listenForRtmp } from './listen.ts';
import { listRoles, logStart, openMonitoring, openTracing } from './monitoring.ts';
import { createRooms } from './rooms.ts';
import { listRoutes } from './routes.ts';
import { subscribeToDomainEvents } from './subscriptions.ts';
import type { Overrides, Roles } from './types.ts';

/** A composed service. */
export type SightlineService = Awaited<ReturnType<typeof compose>>;

/** Creates the service. `close` closes all parts in reverse order. */
export async function compose(
  config: Config,
  log: Log,
  { roles, overrides = {} }: { roles: Roles; overrides?: Overrides },
) {
  await using parts = new AsyncDisposableStack();
  const monitoring = await openMonitoring(config, parts);
  await openTracing(config, { log, roles }, parts);
  const infrastructure = await createInfrastructure({ config, log, roles, overrides }, parts);
  const { database, diskSpace, engine, jobs } = infrastructure;
  const stores = { idempotency: createIdempotencyStore(database), limits: createRateLimitStore(database.db) };
  const rooms = createRooms({ config, infrastructure, stores, overrides }, parts);
  const {
    accounts,
    auditChain,
    keys,
    people,
    videos,
    uploads,
    playback,
    imports,
    mcap,
    live,
    cameras,
    analyses,
    exports,
    datasetExports,
    webhooks,
    savedQuestions,
    datasetEvents,
    datasetVersions,
    console,
    system,
  } = rooms;
  subscribeToDomainEvents(rooms);

  // The first start creates an organization, its owner, a key and a password link. If several nodes start together, one
  // of them does.
  const first = await database.transaction(async (trx) => {
    const owner = await accounts.bootstrap(trx);
    const key = await keys.bootstrap(trx, owner, config.bootstrapKey);
    return key === null ? null : { key, setUpUrl: await people.links.passwordLink(trx, owner) };
  });

  const api = createApi({
    log,
    bodyBytes: config.limits.jsonBytes,
    bodyRate: overrides.bodyRate,
    authenticate: overrides.authenticate ?? keys.authenticate,
    sessions: { publicUrl: config.publicUrl, authenticate: people.sessions.authenticate },
    idempotency: stores.idempotency,
    audit: createAuditTrail({ database, log, videoNames: videos.names }),
    limits: createRateLimits({ store: stores.limits, rates: config.limits }),
    streams: { perKey: config.limits.streamsPerKey, perAddress: config.limits.streamsPerAddress },
    requireSpace: diskSpace.ensureFree,
    makeRoom: diskSpace.makeRoom,
    trustedProxies: config.trustedProxies,
    pageNotFound: (request, reply) => sendPageNotFound(console, request, reply),
    unusedFields: UNUSED_FIELDS,
    unusedParameters: UNUSED_PARAMETERS,
    rooms: listRoutes(config, rooms, createAttemptLimit({ store: stores.limits, ...config.attempts })),
  });
  parts.defer(() => closeApi(api));

  /** Starts to run jobs. */
  async function startWorker(): Promise<void> {
    people.resets.registerJobs();
    auditChain.registerJobs();
    videos.registerJobs();
    uploads.registerJobs();
    playback.registerJobs();
    exports.registerJobs();
    datasetExports.registerJobs();
    datasetEvents.registerJobs();
    datasetVersions.registerJobs();
    savedQuestions.registerJobs();
    webhooks.registerJobs();
    imports.work();
    mcap.registerJobs();
    await live.work();
    cameras.registerJobs();
    analyses.work(config.media.processes);
    system.work();
    await jobs.start();
  }

  /** Starts to receive what cameras push, where this process is to. */
  async function receivePushed(): Promise<void> {
    if (!config.rtmp.listen) return;
    const { rtmpTimeouts: timeouts } = overrides;
    const options = { ...config.rtmp.listen, room: rooms.publishing.room, log, timeouts };
    rtmp = await listenForRtmp(infrastructure.media, options);
    closing.defer(rtmp.close);
  }

  async function serve(): Promise<string> {
    await console.load();
    const address = await listen(api, config);
    // Not awaited: the API is ready before a console that must be built.
    void console.prepare();
    return address;
  }

  /** Checks the language model before anyone asks; the operator of the service pays for it. */
  async function probeReader(): Promise<void> {
    const owner = engine.languageModel() && (await accounts.owner());
    if (!owner) return;
    const payer = { orgId: owner.orgId, keyId: null, batchId: null };
    await engine.probeReader(openAccount(analyses.usageLedgerOf(payer)));
  }

  await monitoring?.observe({
    version: VERSION,
    roles: listRoles(roles),
    database,
    jobs,
    media: infrastructure.media,
    disk: diskSpace,
    checks: system.checks,
  });
  let isStarted = false;
  let rtmp: RtmpListener | null = null;
  const closing = parts.move();
  return {
    config,
    api,
    ...infrastructure,
    ...rooms,
    startWorker,
    /** The first API key in full, and the owner's password link, to be shown once. Null if there were keys already. */
    firstKey: first?.key ?? null,
    setUpUrl: first?.setUpUrl ?? null,
    /** Starts the parts that the roles name. Returns the URL that the API listens on; null without the API role. */
    async start(): Promise<string | null> {
      // Not awaited: a model may be slow, or down. Where the database fails, the first question checks the model.
      void probeReader().catch(() => {});
      if (roles.worker) {
        await startWorker();
        await system.models.downloadDefaults();
      }
      await receivePushed();
      const address = roles.api ? await serve() : null;
      monitoring?.ready();
      isStarted = true;
      logStart(log, config, { database, media: infrastructure.media, roles, address, monitoring });
      return address;
    },
    /** Port of the monitoring; null without one. */
    monitoringPort: monitoring?.port ?? null,
    /** Process that reads what cameras push; null without one. */
    rtmpPid: () => rtmp?.pid() ?? null,
    /** Stops taking requests and jobs, waits for running ones for a limited time, then closes all parts in reverse. */
    async close() {
      monitoring?.stopping();
      if (isStarted) log.info('stopping');
      await closing.disposeAsync();
      if (isStarted) log.info('stopped');
    },
  };
}
