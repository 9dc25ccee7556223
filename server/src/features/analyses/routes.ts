import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { type App, failures, fileAnswers, jsonText, sendFile } from '#platform/http/index';
import {
  AnalysisDocumentAnswer,
  AnalysisParams,
  AnalysisStatusAnswer,
  EvidenceParams,
  EvidenceQuery,
  Thumbnails,
  VideoParams,
} from './schema.ts';
import type { Analyses } from './service.ts';

export function analysesRoutes(app: App, analyses: Analyses): void {
  app.get(
    '/api/videos/:video_id/analyses/:analysis_id/status',
    {
      config: { scope: 'read', folderKeys: true },
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
      jsonText(reply, await analyses.status(caller, params.video_id, params.analysis_id)),
  );

  app.get(
    '/api/videos/:video_id/analyses/:analysis_id',
    {
      config: { scope: 'read', folderKeys: true },
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
      jsonText(reply, await analyses.document(caller, params.video_id, params.analysis_id)),
  );

  app.post(
    '/api/videos/:video_id/analyses/:analysis_id/generate-thumbnails',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getAnalysisThumbnails',
        tags: ['Analysis'],
        summary: 'Get the pictures of an analysis',
        description:
          'Returns the events with the signed URL of a picture each. The pictures are drawn when they are fetched, so this makes nothing and can be repeated.',
        params: AnalysisParams,
        response: { 200: Thumbnails, ...failures(404, 409) },
      },
    },
    async ({ caller, params }) => ({
      events: await analyses.thumbnails(caller, params.video_id, params.analysis_id),
    }),
  );

  app.get(
    '/api/video/:video_id/analysis',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getLatestAnalysis',
        tags: ['Analysis'],
        summary: 'Get the newest analysis document of a video',
        description: 'Like the analysis document, for the analysis of this video that was asked for last.',
        params: VideoParams,
        response: { 200: AnalysisDocumentAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }, reply) => jsonText(reply, await analyses.latest(caller, params.video_id)),
  );

  const picture = {
    config: { scope: 'public', countedAs: 'file' },
    schema: {
      operationId: 'getEvidencePicture',
      tags: ['Analysis'],
      summary: 'Get an evidence picture',
      description:
        'A JPEG of one evidence frame with its boxes, under the signed URL that an analysis document gives. It is drawn when it is first asked for, and kept. `HEAD`, `If-None-Match` and `Range` work. An altered or expired URL is 403; a picture of a deleted video, or of a place where the video is damaged, is 404.',
      params: EvidenceParams,
      querystring: EvidenceQuery,
      response: fileAnswers({ type: 'image/jpeg', what: 'The picture.' }),
    },
  } as const;
  const send = async (
    request: FastifyRequest<{ Params: Static<typeof EvidenceParams>; Querystring: Static<typeof EvidenceQuery> }>,
    reply: FastifyReply,
  ) => {
    const { analysis_id, file } = request.params;
    const name = file.slice(0, -'.jpg'.length);
    return sendFile(request, reply, await analyses.picture(analysis_id, name, request.query.token, request.gone));
  };
  // A HEAD of its own: the one Fastify adds to a GET would read the picture to its end.
  const path = '/api/evidence/:analysis_id/:file';
  app.get(path, { ...picture, exposeHeadRoute: false }, send);
  app.head(path, picture, send);
}
