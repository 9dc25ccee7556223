import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type App, failures, publicFailures, sendFile, sendJsonText } from '#platform/http/index';
import {
  AnalysisDocumentAnswer,
  AnalysisParams,
  AnalysisStatusAnswer,
  EvidenceParams,
  EvidenceQuery,
  VideoParams,
} from './schema.ts';
import type { Analyses } from './service.ts';

export function analysesRoutes(app: App, analyses: Analyses): void {
  app.get(
    '/api/videos/:video_id/analyses/:analysis_id/status',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getAnalysisStatus',
        tags: ['Analysis'],
        summary: 'Get the status of an analysis',
        description: 'Says how far an analysis is, and its events once it is completed.',
        params: AnalysisParams,
        response: { 200: AnalysisStatusAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }, reply) =>
      sendJsonText(reply, await analyses.status(caller, params.video_id, params.analysis_id)),
  );

  app.get(
    '/api/videos/:video_id/analyses/:analysis_id',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getAnalysis',
        tags: ['Analysis'],
        summary: 'Get an analysis document',
        description:
          'Returns the document with events, answer, coverage and plan. While the analysis runs, the document says `PROCESSING` and has no events.',
        params: AnalysisParams,
        response: { 200: AnalysisDocumentAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }, reply) =>
      sendJsonText(reply, await analyses.document(caller, params.video_id, params.analysis_id)),
  );

  app.get(
    '/api/video/:video_id/analysis',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getLatestAnalysis',
        tags: ['Analysis'],
        summary: 'Get the newest analysis document of a video',
        description: 'Like the analysis document, for the analysis of this video that was asked for last.',
        params: VideoParams,
        response: { 200: AnalysisDocumentAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }, reply) => sendJsonText(reply, await analyses.latest(caller, params.video_id)),
  );

  app.get(
    '/api/evidence/:analysis_id/:file',
    {
      config: { scope: 'public' },
      schema: {
        operationId: 'getEvidencePicture',
        tags: ['Analysis'],
        summary: 'Get an evidence picture',
        description: 'A JPEG, under the signed URL that an analysis document gives. An altered or expired URL is 403.',
        security: [],
        params: EvidenceParams,
        querystring: EvidenceQuery,
        response: {
          200: {
            content: {
              'image/jpeg': {
                schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary', description: 'The picture.' }),
              },
            },
          },
          ...publicFailures(400, 403, 404, 500),
        },
      },
    },
    async (request, reply) => {
      const { analysis_id, file } = request.params;
      return sendFile(request, reply, await analyses.picture(analysis_id, file.slice(0, -4), request.query.token));
    },
  );
}
