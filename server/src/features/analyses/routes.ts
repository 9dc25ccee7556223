import { actorOf } from '#features/audit/index';
import { type App, jsonText, routes } from '#platform/http/index';
import { eventIndexRoutes } from './event-index/index.ts';
import { incidentRoutes } from './incidents/index.ts';
import { AnalysisList, AnalysisListQuery } from './list-schema.ts';
import { observationRunsRoutes } from './observation-runs/index.ts';
import { passageRoutes } from './passages/index.ts';
import {
  AnalysisDocument,
  AnalysisParams,
  AnalysisStatus,
  DeletedAnalysis,
  EvidenceParams,
  EvidenceQuery,
  VideoParams,
} from './schema.ts';
import type { Analyses } from './service-types.ts';
import { timelineRoutes } from './timeline/routes.ts';

export function analysesRoutes(app: App, analyses: Analyses): void {
  const route = routes(app, { tag: 'Analysis', scope: 'read' });
  timelineRoutes(app, analyses.timeline);
  eventIndexRoutes(app, analyses.eventIndex);
  incidentRoutes(app, analyses.incidents);
  passageRoutes(app, analyses.passages);
  observationRunsRoutes(app, analyses.observationRuns);

  route.get(
    '/api/videos/:video_id/analyses',
    {
      id: 'listAnalyses',
      folderKeys: true,
      summary: 'List the analyses of a video',
      description: 'Lists the analyses of this video that you may read, newest first, without their documents.',
      params: VideoParams,
      query: AnalysisListQuery,
      response: AnalysisList,
      errors: [404],
    },
    ({ caller, params, query: { limit, cursor } }) =>
      analyses.list(caller, params.videoId, { limit: limit ?? 100, cursor }),
  );

  route.get(
    '/api/videos/:video_id/analyses/:analysis_id/status',
    {
      id: 'getAnalysisStatus',
      folderKeys: true,
      summary: 'Get the status of an analysis',
      description: 'Returns the progress of an analysis, and its events once it is completed.',
      params: AnalysisParams,
      response: AnalysisStatus,
      errors: [404],
    },
    async ({ caller, params }, reply) =>
      jsonText(reply, await analyses.status(caller, params.videoId, params.analysisId)),
  );

  route.get(
    '/api/videos/:video_id/analyses/:analysis_id',
    {
      id: 'getAnalysis',
      folderKeys: true,
      summary: 'Get an analysis document',
      description:
        'Returns the document with events, answer, coverage and plan. While the analysis runs, its status is `PROCESSING` and it has no events.',
      params: AnalysisParams,
      response: AnalysisDocument,
      errors: [404],
    },
    async ({ caller, params }, reply) =>
      jsonText(reply, await analyses.document(caller, params.videoId, params.analysisId)),
  );

  route.delete(
    '/api/videos/:video_id/analyses/:analysis_id',
    {
      id: 'deleteAnalysis',
      folderKeys: true,
      summary: 'Delete an analysis',
      description:
        'Deletes your own analysis with its events and evidence images, for good; an admin can delete all of the organization. A running analysis is canceled. Its batch counts one less, and is deleted with its last analysis.',
      params: AnalysisParams,
      response: DeletedAnalysis,
      errors: [404],
    },
    async (request) => {
      const { caller, params } = request;
      await analyses.remove(caller, params.videoId, params.analysisId, actorOf(request));
      return { status: 'deleted' as const, analysisId: params.analysisId };
    },
  );

  route.get(
    '/api/video/:video_id/analysis',
    {
      id: 'getLatestAnalysis',
      folderKeys: true,
      summary: 'Get the latest analysis document of a video',
      description: 'Returns the document of the newest analysis of this video that you may read.',
      params: VideoParams,
      response: AnalysisDocument,
      errors: [404],
    },
    async ({ caller, params }, reply) => jsonText(reply, await analyses.latest(caller, params.videoId)),
  );

  route.file(
    '/api/evidence/:analysis_id/:file',
    {
      id: 'getEvidencePicture',
      summary: 'Get an evidence image',
      description:
        'A JPEG of an evidence frame with its boxes, by the signed URL from an analysis document. It is drawn at the first request and stored. `HEAD`, `If-None-Match` and `Range` are supported. An altered or expired URL is 403; an image of a deleted video, or of a damaged part of a video, is 404.',
      params: EvidenceParams,
      query: EvidenceQuery,
      type: 'image/jpeg',
      what: 'The image.',
    },
    ({ params: { analysisId, file }, query: { token }, disconnected }) =>
      analyses.openEvidence(analysisId, file.slice(0, -'.jpg'.length), token, disconnected),
  );
}
