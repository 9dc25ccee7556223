import type { AddressInfo } from 'node:net';
import { createEngine } from '#engine/index';
import { createRecordings } from '#engine/recording/index';
import { createAccounts, createPeople, peopleRoutes } from '#features/accounts/index';
import { analysesRoutes, analysisJobs, createAnalyses } from '#features/analyses/index';
import { auditRoutes, createAudit } from '#features/audit/index';
import { batchesRoutes, createBatches } from '#features/batches/index';
import { createEvents } from '#features/events/index';
import { createFolders, foldersRoutes } from '#features/folders/index';
import { createImports, importJobs, importsRoutes } from '#features/imports/index';
import { createIdentity, createIntegrations, integrationsRoutes } from '#features/integrations/index';
import { createKeys, keysRoutes } from '#features/keys/index';
import { createLegacy, legacyRoutes } from '#features/legacy/index';
import { createLive, liveJobs, liveRoutes } from '#features/live/index';
import { createMcap, mcapJobs, mcapRoutes } from '#features/mcap/index';
import { createPlayback, playbackJobs, playbackRoutes } from '#features/playback/index';
import { createSearch, searchRoutes } from '#features/search/index';
import { createSystem, systemJobs, systemRoutes } from '#features/system/index';
import { createUploads, uploadJobs, uploadsRoutes } from '#features/uploads/index';
import { createVideos, videoJobs, videosRoutes } from '#features/videos/index';
import { createViews, viewsRoutes } from '#features/views/index';
import type { Config } from '#platform/config/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import { type App, createAttempts, createIdempotencyStore, createLimitStore, createLimits } from '#platform/http/index';
import { createJobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { createMedia } from '#platform/media/index';
import { createGuardedFetch, FETCH_RATE } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { createSealer, createSecrets, loadRootSecret } from '#platform/secrets/index';
import { createSpace, createStorage } from '#platform/storage/index';
import { createApi } from './api.ts';
import { drawDemoClip } from './demo/scene.ts';
import { VERSION } from './version.ts';

/** What this process does: answer requests, run jobs, or both. */
export type Roles = { api: boolean; worker: boolean };

/** How long a write's first answer is replayed to whoever repeats it. */
const IDEMPOTENCY_MS = 24 * 3600 * 1000;
/** How long a closed stream can be replayed whole; what it led to is in the analyses. */
const STREAMS_MS = 30 * 24 * 3600 * 1000;
/** How long the result of a search can be read. */
const SEARCHES_MS = 30 * 24 * 3600 * 1000;

export type Sightline = Awaited<ReturnType<typeof compose>>;

/**
 * The composition root: every part is made here, once, and handed only what it uses; `close` takes them down in reverse.
 * Nothing listens and no job runs before `start`.
 */
export async function compose(config: Config, log: Log, { roles }: { roles: Roles }) {
  await using parts = new AsyncDisposableStack();
  const open = <T>(part: T, close: (part: T) => Promise<unknown>): T => {
    parts.defer(async () => void (await close(part)));
    return part;
  };

  const database = open(
    await openConfiguredDatabase(config, log, { mode: roles.api && roles.worker ? 'own' : 'share' }),
    (d) => d.close(),
  );
  const rootSecret = loadRootSecret(config.secret, config.dataDir);
  const secrets = createSecrets(rootSecret);
  const storage = open(await createStorage(config.storage, { dataDir: config.dataDir }), (s) => s.close());
  const space = createSpace([
    ...(database.engine.folder === null ? [] : [database.engine.folder]),
    ...(config.storage.kind === 'file' ? [config.storage.dir] : []),
  ]);
  const { path: tempDir } = open(await storage.scratch(), async (folder) => folder[Symbol.asyncDispose]());
  const maxSeconds = config.limits.videoSeconds;
  const media = open(await createMedia({ ...config.media, maxSeconds, tempDir, log }), (m) => m.close());
  const { modelsDir, modelsDownload, vision } = config;
  const engine = createEngine({ media, modelsDir, modelsDownload, vision, log });
  const definitions = [
    ...videoJobs,
    ...uploadJobs,
    ...playbackJobs,
    ...analysisJobs,
    ...importJobs,
    ...mcapJobs,
    ...liveJobs,
    ...systemJobs,
  ];
  const jobs = open(createJobs({ database, log, definitions }), (j) => j.close());

  const idempotency = createIdempotencyStore(database);
  const limitStore = createLimitStore(database.db);
  const attempts = createAttempts({ store: limitStore, ...config.attempts });
  const events = createEvents({ database });
  const audit = createAudit({ database });
  const accounts = createAccounts({ database });
  const people = open(createPeople({ ...config, database, log, secrets }), (p) => p.close());
  const keys = open(createKeys({ database, log, maxDays: config.maxKeyDays }), (k) => k.close());
  const folders = createFolders({ database, events });
  const videos = createVideos({
    ...{ database, storage, events, folders, jobs, log, restoreS: config.restoreS },
    limits: config.space,
  });
  const drawSample = (path: string, signal: AbortSignal) => drawDemoClip(media, path, signal);
  const net = open(
    createGuardedFetch({
      allowedNetworks: config.allowedNetworks,
      minimumRate: { ...FETCH_RATE, bytesPerS: config.minFetchBytesPerS },
    }),
    (n) => n.close(),
  );
  const uploads = createUploads({ config, database, storage, media, net, videos, folders, jobs, log, drawSample });
  const integrations = createIntegrations({
    ...{ database, events, net },
    sealer: createSealer(rootSecret, config.previousSecret),
    identity: createIdentity(config.cloudIdentity),
    hubUrl: config.hubUrl,
    gcsUrl: config.gcsUrl,
  });
  const mcap = createMcap({
    ...{ database, storage, media, videos, folders, integrations, events, jobs, secrets, log },
    recordings: createRecordings({ media }),
    publicUrl: config.publicUrl,
    maxBytes: config.limits.uploadBytes,
    atOnce: config.media.processes,
  });
  const imports = createImports({
    ...{ database, events, folders, integrations, jobs, log, storage, media, videos },
    maxBytes: config.limits.uploadBytes,
    moreKinds: [mcap.kind],
  });
  const playback = createPlayback({ storage, videos, media, secrets, jobs, publicUrl: config.publicUrl });
  const analyses = createAnalyses({
    database,
    storage,
    engine,
    videos,
    events,
    jobs,
    secrets,
    log,
    publicUrl: config.publicUrl,
  });
  const batches = createBatches({ database, events, analyses, videos, engine, limits: config.limits });
  const views = createViews({ database, videos, playback, batches });
  const liveParts = { database, storage, media, engine, videos, folders, events, jobs, net, secrets, log };
  const live = open(
    createLive({
      ...liveParts,
      sealer: createSealer(rootSecret, config.previousSecret),
      publicUrl: config.publicUrl,
      maxSessions: config.live.perOrganisation,
      perWorker: config.live.perWorker,
      windowS: config.live.windowSeconds,
      maxSeconds: config.limits.videoSeconds,
    }),
    (l) => l.close(),
  );
  const search = createSearch({ database, engine, analyses, folders, videos });
  const legacy = createLegacy({ batches });
  const system = createSystem({
    version: VERSION,
    engine,
    checks: [
      { name: 'database', check: () => database.ping() },
      { name: 'storage', check: () => storage.stat('ready').then(() => true) },
      { name: 'disk', check: () => space.require().then(() => true) },
    ],
    housekeeping: [
      () => idempotency.purge(new Date(Date.now() - IDEMPOTENCY_MS)),
      () => limitStore.purge(),
      () => people.purge(),
      () => events.purge(new Date(Date.now() - STREAMS_MS)),
      () => search.purge(new Date(Date.now() - SEARCHES_MS)),
    ],
    jobs,
    log,
    limits: config.limits,
    storage: storage.kind,
    mediaEngine: media.engine,
    visionModel: vision?.model ?? null,
  });

  // News goes up: rooms hear of what happens below them, inside the transaction it happens in.
  events.subscribe('folder.deleted', videos.onFolderDeleted);
  events.subscribe('samples.wanted', uploads.onSamplesWanted);
  events.subscribe('videos.ready', playback.onVideosReady);
  events.subscribe('videos.ready', analyses.onVideosReady);
  events.subscribe('video.deleted', analyses.onVideoDeleted);
  events.subscribe('video.sidecar', analyses.onVideoSidecar);
  events.subscribe('video.restored', analyses.onVideoRestored);
  events.subscribe('video.erased', analyses.onVideoErased);
  events.subscribe('video.deleted', imports.onVideoDeleted);
  events.subscribe('integration.deleted', imports.onIntegrationDeleted);
  events.subscribe('integration.moved', imports.onIntegrationMoved);
  events.subscribe('integration.deleted', mcap.keepIntegration);
  events.subscribe('integration.moved', mcap.keepIntegration);
  events.subscribe('analysis.progressed', batches.onAnalysisProgressed);
  events.subscribe('analysis.ended', batches.onAnalysisEnded);
  events.subscribe('views.linked', views.onLinked);
  events.subscribe('live.recorded', live.analysis.onRecorded);
  events.subscribe('video.deleted', live.onVideoDeleted);
  events.subscribe('video.erased', live.onVideoErased);

  // The first start makes an organisation, its owner, a key, and a link to the owner's password; on many nodes that start at once, one of them does.
  const first = await database.transaction(async (trx) => {
    const owner = await accounts.bootstrap(trx);
    const key = await keys.bootstrap(trx, owner, config.bootstrapKey);
    return key === null ? null : { key, setUpUrl: await people.links.passwordLink(trx, owner) };
  });

  const api = createApi({
    log,
    bodyBytes: config.limits.jsonBytes,
    authenticate: keys.authenticate,
    sessions: { publicUrl: config.publicUrl, authenticate: people.sessions.authenticate },
    idempotency,
    limits: createLimits({ store: limitStore, rates: config.limits }),
    streams: { perKey: config.limits.streamsPerKey, perAddress: config.limits.streamsPerAddress },
    requireSpace: space.require,
    trustedProxies: config.trustedProxies,
    rooms: [
      (app) => systemRoutes(app, system),
      (app) => keysRoutes(app, keys),
      (app) => auditRoutes(app, audit),
      (app) => peopleRoutes(app, people, { publicUrl: config.publicUrl, attempts }),
      (app) => foldersRoutes(app, folders),
      (app) => uploadsRoutes(app, uploads),
      (app) => videosRoutes(app, videos),
      (app) => integrationsRoutes(app, integrations),
      (app) => importsRoutes(app, imports),
      (app) => playbackRoutes(app, playback),
      (app) => analysesRoutes(app, analyses),
      (app) => batchesRoutes(app, batches),
      (app) => mcapRoutes(app, mcap),
      (app) => liveRoutes(app, live),
      (app) => viewsRoutes(app, views),
      (app) => searchRoutes(app, search),
      (app) => legacyRoutes(app, legacy),
    ],
  });
  open(api, closeApi);

  const closing = parts.move();
  return {
    config,
    api,
    accounts,
    keys,
    integrations,
    engine,
    media,
    database,
    people,
    /** The first API key in full, and the link to the owner's password, to be shown once; null when there were keys already. */
    firstKey: first?.key ?? null,
    setUpUrl: first?.setUpUrl ?? null,
    /** Starts what the roles ask for. Returns the address that the API listens on; null without the API role. */
    async start(): Promise<string | null> {
      if (roles.worker) {
        videos.work();
        uploads.work();
        playback.work();
        imports.work();
        mcap.work();
        await live.work();
        analyses.work(config.media.processes);
        system.work();
        await jobs.start();
      }
      return roles.api ? listen(api, config) : null;
    },
    /** Stops taking requests and jobs, waits for what runs (bounded), then closes every part in reverse. */
    close: () => closing.disposeAsync(),
  };
}

/** How long requests under way may go on once the service stops; then their connections are cut. */
const GRACE_MS = 5_000;

async function closeApi(api: App): Promise<void> {
  const cut = setTimeout(() => api.server.closeAllConnections(), GRACE_MS);
  await api.close();
  clearTimeout(cut);
}

async function listen(api: App, { host, port }: Config): Promise<string> {
  try {
    await api.listen({ host, port });
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, host, port);
  }
  const address = api.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}

/** What a person can do about it; anything else stays the surprise it is. */
function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is taken by another program. Stop that, or set SIGHTLINE_PORT to another port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set SIGHTLINE_HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`,
    EACCES: `This user may not listen on port ${port}. Set SIGHTLINE_PORT to one above 1023.`,
    ENOTFOUND: `${host} is not known as a name or an address. Set SIGHTLINE_HOST to an address of this machine.`,
  };
  const message = reasons[error.code ?? ''];
  return message ? new Problem({ status: 500, code: 'address_unavailable', message, cause: error }) : error;
}
