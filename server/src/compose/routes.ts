import { peopleRoutes } from '#features/accounts/index';
import { activityRoutes } from '#features/activity/index';
import { analysesRoutes } from '#features/analyses/index';
import { auditRoutes } from '#features/audit/index';
import { batchesRoutes } from '#features/batches/index';
import { camerasRoutes } from '#features/cameras/index';
import { captionsRoutes } from '#features/captions/index';
import { comparisonsRoutes } from '#features/comparisons/index';
import { CONSOLE_ADDRESSES, compatRoutes, notOfferedRoutes } from '#features/compat/index';
import { consoleRoutes } from '#features/console/index';
import { datasetEventsRoutes, datasetsRoutes, datasetVersionsRoutes } from '#features/datasets/index';
import { datasetExportsRoutes, exportsRoutes } from '#features/exports/index';
import { foldersRoutes } from '#features/folders/index';
import { importsRoutes } from '#features/imports/index';
import { integrationsRoutes } from '#features/integrations/index';
import { keysRoutes } from '#features/keys/index';
import { labelsRoutes } from '#features/labels/index';
import { liveRoutes } from '#features/live/index';
import { mcapRoutes } from '#features/mcap/index';
import { mcpRoutes } from '#features/mcp/index';
import { playbackRoutes } from '#features/playback/index';
import { reviewRoutes } from '#features/review/index';
import { savedQuestionsRoutes } from '#features/saved-questions/index';
import { frameSearchRoutes, searchRoutes } from '#features/search/index';
import { systemRoutes } from '#features/system/index';
import { uploadsRoutes } from '#features/uploads/index';
import { videosRoutes } from '#features/videos/index';
import { viewsRoutes } from '#features/views/index';
import { recipientsRoutes, webhooksRoutes } from '#features/webhooks/index';
import { zonesRoutes } from '#features/zones/index';
import type { Config } from '#platform/config/index';
import type { App, AttemptLimit } from '#platform/http/index';
import { VERSION } from '../version.ts';
import type { Rooms } from './rooms.ts';

/** Routes of all rooms, in the order of registration. */
export function listRoutes(config: Config, rooms: Rooms, attempts: AttemptLimit): ((app: App) => void)[] {
  return [
    (app) => systemRoutes(app, rooms.system),
    (app) => keysRoutes(app, rooms.keys),
    (app) => auditRoutes(app, rooms.audit, rooms.auditChain),
    (app) => peopleRoutes(app, rooms.people, { publicUrl: config.publicUrl, attempts }),
    (app) => foldersRoutes(app, rooms.folders),
    (app) => uploadsRoutes(app, rooms.uploads),
    (app) =>
      videosRoutes(app, rooms.videos, {
        posterUrl: rooms.playback.posterUrl,
        countEvents: rooms.analyses.eventIndex.countByVideo,
        visionUsage: rooms.analyses.visionUsage,
      }),
    (app) => zonesRoutes(app, rooms.zones),
    (app) => integrationsRoutes(app, rooms.integrations),
    (app) => importsRoutes(app, rooms.imports),
    (app) => playbackRoutes(app, rooms.playback),
    (app) => analysesRoutes(app, rooms.analyses),
    (app) => batchesRoutes(app, rooms.batches),
    (app) => savedQuestionsRoutes(app, rooms.savedQuestions),
    (app) => reviewRoutes(app, rooms.review),
    (app) => labelsRoutes(app, rooms.labels),
    (app) => comparisonsRoutes(app, rooms.comparisons),
    (app) => exportsRoutes(app, rooms.exports),
    (app) => datasetExportsRoutes(app, rooms.datasetExports),
    (app) => datasetsRoutes(app, rooms.datasets),
    (app) => datasetEventsRoutes(app, rooms.datasetEvents),
    (app) => datasetVersionsRoutes(app, rooms.datasetVersions),
    (app) => webhooksRoutes(app, rooms.webhooks),
    (app) => recipientsRoutes(app, rooms.webhooks.recipients),
    (app) => mcapRoutes(app, rooms.mcap),
    (app) => liveRoutes(app, rooms.live),
    (app) => camerasRoutes(app, rooms.cameras, config.rtmp.url),
    (app) => viewsRoutes(app, rooms.views),
    (app) => captionsRoutes(app, rooms.captions),
    (app) => activityRoutes(app, rooms.activity),
    (app) => searchRoutes(app, rooms.search),
    (app) => frameSearchRoutes(app, rooms.frameSearch),
    (app) => mcpRoutes(app, { version: VERSION }),
    (app) => compatRoutes(app, rooms.compat),
    notOfferedRoutes,
    (app) => consoleRoutes(app, rooms.console, CONSOLE_ADDRESSES),
  ];
}
