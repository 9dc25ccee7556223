import { CATALOG, createVectorIndex } from '#engine/index';
import { createRecordings } from '#engine/robot-logs/index';
import { createAccounts, createPeople } from '#features/accounts/index';
import { createActivity } from '#features/activity/index';
import { createAnalyses } from '#features/analyses/index';
import { createAudit, createAuditChain } from '#features/audit/index';
import { createBatches } from '#features/batches/index';
import { createCameras, createPublishing } from '#features/cameras/index';
import { createCaptions } from '#features/captions/index';
import { createComparisons } from '#features/comparisons/index';
import { createCompat } from '#features/compat/index';
import { createConsole } from '#features/console/index';
import { createDatasetEvents, createDatasets, createDatasetVersions } from '#features/datasets/index';
import { createEvents } from '#features/events/index';
import { createDatasetExports, createExports } from '#features/exports/index';
import { createFolders } from '#features/folders/index';
import { createImports } from '#features/imports/index';
import { createIdentity, createIntegrations } from '#features/integrations/index';
import { createKeys, createUrlTokens } from '#features/keys/index';
import { createLabels } from '#features/labels/index';
import { createLive } from '#features/live/index';
import { createMcap } from '#features/mcap/index';
import { createPlayback } from '#features/playback/index';
import { createReview } from '#features/review/index';
import { createSavedQuestions } from '#features/saved-questions/index';
import { createFrameSearch, createSearch } from '#features/search/index';
import { createModels, createSystem, createWorkload } from '#features/system/index';
import { createUploads } from '#features/uploads/index';
import { createVideos, toLimits } from '#features/videos/index';
import { createViews } from '#features/views/index';
import { createWebhooks } from '#features/webhooks/index';
import { createZones } from '#features/zones/index';
import type { Config } from '#platform/config/index';
import type { RateLimitStore } from '#platform/http/index';
import { createMessaging } from '#platform/messaging/index';
import { runsAs } from '#platform/process-user/index';
import { renderSample } from '../demo/scene.ts';
import { VERSION } from '../version.ts';
import type { Infrastructure, Overrides } from './types.ts';

export type Rooms = ReturnType<typeof createRooms>;

const DAY_MS = 24 * 3600 * 1000;
/** Time during which the response to a write with an `Idempotency-Key` is replayed. */
const IDEMPOTENCY_MS = DAY_MS;
/** Retention of the events of a closed stream; the analyses keep the results. */
const STREAMS_MS = 30 * DAY_MS;
/** Time after which a reader of changes cannot resume any more. */
const ACTIVITY_MS = 2 * DAY_MS;
/** Retention of messages to webhooks, with their delivery log. */
const WEBHOOK_MESSAGES_MS = 30 * DAY_MS;
/** Retention of search results. */
const SEARCHES_MS = 30 * DAY_MS;
/** Time during which an equal question to the vision-language model is answered from the cache. */
const VISION_REPLIES_MS = 90 * DAY_MS;

/** Creates the rooms, those of lower floors first. `parts` closes them. */
export function createRooms(
  {
    config,
    infrastructure,
    stores,
    overrides,
  }: {
    config: Config;
    infrastructure: Infrastructure;
    stores: { idempotency: { purge(before: Date): Promise<number> }; limits: RateLimitStore };
    overrides: Overrides;
  },
  parts: AsyncDisposableStack,
) {
  const closed = <T extends { close(): Promise<unknown> }>(part: T): T => {
    parts.defer(async () => void (await part.close()));
    return part;
  };
  const { database, storage, diskSpace, storageSpace, media, engine, jobs, net, secrets, sealer, log } = infrastructure;
  const { publicUrl } = config;

  const events = createEvents({ database });
  const audit = createAudit({ database });
  const auditChain = createAuditChain({ database, jobs });
  const accounts = createAccounts({ database });
  const { passwords, now } = overrides;
  const messaging = createMessaging(config);
  const resetMails = { jobs, mailer: messaging.mailer, limits: stores.limits };
  const people = closed(createPeople({ ...config, database, log, secrets, sealer, passwords, now, resetMails }));
  const keys = closed(createKeys({ database, log, maxDays: config.maxKeyDays, now }));
  const urlTokens = closed(createUrlTokens({ database, secrets }));
  const folders = createFolders({ database, events, checkVisionProfile: engine.checkVisionProfile });
  const operatorOrg = async () => (await accounts.owner())?.orgId ?? null;
  let first: string | null = null;
  /** Before it has an owner, no organization is a further one. */
  async function isFirst(orgId: string): Promise<boolean> {
    first ??= await operatorOrg();
    return first === null || first === orgId;
  }
  const videos = createVideos({
    database,
    storage,
    events,
    folders,
    jobs,
    log,
    restoreS: config.restoreS,
    limitsOf: async (orgId) => toLimits(config.space, await isFirst(orgId)),
  });
  const zones = createZones({
    database,
    folders,
    videos,
    // The room of a higher floor, which is created below.
    cameras: {
      get: (caller, id) => cameras.get(caller, id),
      getChangeable: (caller, id) => cameras.getChangeable(caller, id),
    },
  });
  const drawSample: typeof overrides.renderSample =
    overrides.renderSample ?? ((scene, path, signal) => renderSample(media, scene, path, signal));
  const uploads = createUploads({
    config,
    database,
    storage,
    diskSpace: overrides.storageSpace ?? storageSpace,
    media,
    net,
    videos,
    folders,
    jobs,
    log,
    drawSample,
  });
  const integrations = createIntegrations({
    database,
    events,
    net,
    sealer,
    identity: createIdentity(config.cloudIdentity),
    hubUrl: config.hubUrl,
    gcsUrl: config.gcsUrl,
  });
  const mcap = createMcap({
    database,
    storage,
    media,
    videos,
    folders,
    integrations,
    events,
    jobs,
    urlTokens,
    log,
    publicUrl,
    recordings: createRecordings({ media }),
    maxBytes: config.limits.uploadBytes,
    atOnce: config.media.processes,
  });
  const imports = createImports({
    database,
    events,
    folders,
    integrations,
    jobs,
    log,
    storage,
    media,
    videos,
    maxBytes: config.limits.uploadBytes,
    additionalKinds: [mcap.kind],
    directoryFormats: mcap.formats,
    firstRetryDelayS: overrides.importRetryDelayS,
  });
  const analyses = createAnalyses({
    database,
    storage,
    engine,
    videos,
    folders,
    zones,
    events,
    jobs,
    secrets,
    log,
    publicUrl,
    visionCaps: config.modelLimits,
    vectorIndex: config.vectorIndex,
  });
  const { findTranscript } = analyses;
  const playback = createPlayback({ storage, videos, media, urlTokens, jobs, publicUrl, findTranscript });
  const batches = createBatches({ database, events, analyses, videos, folders, zones, engine, limits: config.limits });
  const review = createReview({ database, events, analyses, folders });
  const labels = createLabels({ analyses, batches, review, videos });
  const comparisons = createComparisons({ database, analyses, batches, folders });
  const webhooks = createWebhooks({
    database,
    folders,
    jobs,
    net,
    sealer,
    publicUrl,
    messaging,
    secrets,
    limits: stores.limits,
    retryDelaysS: overrides.webhookRetryDelaysS,
  });
  const exports = createExports({
    database,
    storage,
    media,
    analyses,
    videos,
    folders,
    jobs,
    urlTokens,
    publicUrl,
  });
  const savedQuestions = createSavedQuestions({
    database,
    events,
    folders,
    zones,
    engine,
    batches,
    jobs,
    recaps: exports,
    targets: webhooks,
    now: () => new Date(now?.() ?? Date.now()),
    maxQuestions: config.savedQuestions.perOrganization,
    maxVideos: config.limits.videosPerQuery,
  });
  const datasetExports = createDatasetExports({
    database,
    storage,
    analyses,
    videos,
    playback,
    jobs,
    urlTokens,
    publicUrl,
  });
  const views = createViews({ database, videos, playback, batches });
  const scenesOf = views.scenes;
  const datasets = createDatasets({ database, analyses, batches, videos, scenesOf, urlTokens, publicUrl });
  const findDataset = datasets.find;
  const datasetVersions = createDatasetVersions({
    database,
    batches,
    datasets,
    findDataset,
    scenesOf,
    jobs,
    urlTokens,
    publicUrl,
  });
  const captions = createCaptions({ analyses, batches, engine, videos, views });
  const publishing = createPublishing({ database, jobs, secrets, log, node: config.rtmp.node, now });
  const live = closed(
    createLive({
      pushed: publishing.sources,
      database,
      storage,
      media,
      engine,
      analyses,
      videos,
      folders,
      zones,
      events,
      jobs,
      net,
      secrets,
      urlTokens,
      sealer,
      log,
      publicUrl,
      maxSessions: config.live.perOrganization,
      perWorker: config.live.perWorker,
      windowS: config.live.windowSeconds,
      undecidedBytes: config.live.undecidedBytes,
      ledgerOf: analyses.visionLedgerOf,
      maxSeconds: config.limits.videoSeconds,
      timeouts: overrides.liveTimeouts,
    }),
  );
  const cameras = createCameras({
    database,
    log,
    events,
    videos,
    storage,
    engine,
    folders,
    zones,
    savedQuestions,
    jobs,
    live,
    publishing,
    sealer,
    urlTokens,
    publicUrl,
  });
  const activity = createActivity({ database, log });
  const search = createSearch({ database, engine, analyses, folders, videos });
  const index = closed(createVectorIndex());
  const frameSearch = createFrameSearch({ engine, index, analyses, folders, videos, playback, storage });
  const datasetEvents = createDatasetEvents({ database, engine, analyses, datasets, search, jobs });
  const compat = createCompat({ analyses, batches, datasets, datasetEvents, engine, videos });
  const console = closed(createConsole({ enabled: config.console, log }));
  const models = createModels({
    database,
    storage,
    jobs,
    net,
    engine,
    log,
    folder: infrastructure.modelFolder,
    catalog: overrides.catalog ?? CATALOG,
    downloadsAllowed: config.modelsDownload,
    mirror: config.modelsUrl,
    operatorOrg,
  });
  const system = createSystem({
    version: VERSION,
    engine,
    jobs,
    models,
    log,
    limits: config.limits,
    workload: createWorkload({ jobs, operatorOrg }),
    checks: [
      { name: 'database', check: () => database.ping() },
      { name: 'storage', check: () => storage.stat('ready').then(() => true) },
      { name: 'disk', check: () => diskSpace.ensureFree().then(() => true) },
    ],
    housekeeping: [
      () => stores.idempotency.purge(new Date(Date.now() - IDEMPOTENCY_MS)),
      () => stores.limits.purge(),
      () => people.purge(),
      () => events.purge(new Date(Date.now() - STREAMS_MS)),
      () => activity.purge(new Date(Date.now() - ACTIVITY_MS)),
      () => exports.purge(),
      () => datasetExports.purge(),
      () => webhooks.purge(new Date(Date.now() - WEBHOOK_MESSAGES_MS)),
      () => search.purge(new Date(Date.now() - SEARCHES_MS)),
      () => analyses.purgeVisionReplies(new Date(Date.now() - VISION_REPLIES_MS)),
    ],
    storage: storage.kind,
    sandbox: media.sandbox,
    vectorSearch: analyses.frameVectors.state,
    pendingIncidents: analyses.incidents.countPending,
    operatorOrg,
    runsAs: runsAs(),
  });
  return {
    events,
    audit,
    auditChain,
    accounts,
    people,
    keys,
    folders,
    videos,
    uploads,
    integrations,
    mcap,
    imports,
    playback,
    analyses,
    batches,
    savedQuestions,
    review,
    labels,
    comparisons,
    webhooks,
    exports,
    datasetExports,
    datasets,
    datasetVersions,
    datasetEvents,
    views,
    captions,
    live,
    cameras,
    publishing,
    activity,
    search,
    frameSearch,
    compat,
    console,
    system,
    zones,
  };
}
