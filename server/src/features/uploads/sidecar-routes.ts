import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { statusOf, VideoId, VideoStatus } from '#features/videos/index';
import { type App, failures } from '#platform/http/index';
import { requireName } from './names.ts';
import { problems } from './problems.ts';
import { SidecarBytes, SidecarName } from './schema.ts';
import type { Uploads } from './service.ts';
import { MAX_SIDECAR_BYTES } from './sidecar.ts';

/** What was recorded beside a video, for uploads whose form cannot carry it, and for videos that are there already. */
export function sidecarRoutes(app: App, uploads: Uploads): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_SIDECAR_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      request.bodyDigest = createHash('sha256').update(body).digest('base64url');
      return body;
    },
  );

  app.put(
    '/api/video/:video_id/metadata-file',
    {
      config: { scope: 'write', folderKeys: true },
      validatorCompiler:
        ({ httpPart }) =>
        (value) =>
          httpPart === 'body' ? true : { value },
      schema: {
        operationId: 'putMetadataFile',
        tags: ['Uploads'],
        summary: 'Put what was recorded beside a video',
        description:
          'Takes what `metadata_file` takes in `POST /api/upload-video`, as the whole body: for uploads in pieces, direct uploads and imports as soon as the video has its id, and for videos that are there. It replaces the one that was there; what was found from that stays, the next question reads the new one.',
        consumes: ['application/octet-stream', 'application/json', 'text/csv', 'application/x-subrip'],
        params: VideoId,
        querystring: SidecarName,
        body: SidecarBytes,
        response: { 200: VideoStatus, ...failures(404, 413) },
      },
    },
    async ({ caller, params, query, body }) => {
      if (!Buffer.isBuffer(body)) throw problems.sidecar_invalid('The request has no body: send the file as the body.');
      return statusOf(
        await uploads.putSidecar(caller, params.video_id, requireName(query.filename ?? 'metadata', 'filename'), body),
      );
    },
  );
}
