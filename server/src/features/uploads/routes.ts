import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { statusOf, VideoStatus } from '#features/videos/index';
import { type App, failures } from '#platform/http/index';
import { storageProblems } from '#platform/storage/index';
import type { Connection } from './arrival.ts';
import { directRoutes } from './direct-routes.ts';
import { brokenForm, drain, fieldsOf, partsOf } from './parts.ts';
import { UploadForm } from './schema.ts';
import type { Uploads } from './service.ts';
import { sidecarRoutes } from './sidecar-routes.ts';
import { tusRoutes } from './tus-routes.ts';

/** What a form needs besides its file: fields, the sidecar, the lines between them. */
const AROUND_BYTES = 32 * 2 ** 20;
const LIMITS = { fileSize: Number.POSITIVE_INFINITY, fieldSize: 64 * 1024, fields: 100, files: 10, parts: 110 };

export function uploadsRoutes(app: App, uploads: Uploads): void {
  app.register(async (tus) => tusRoutes(tus as unknown as App, uploads.resumable, uploads.maxBytes));
  app.register(async (direct) => directRoutes(direct as unknown as App, uploads.direct));
  app.register(async (sidecars) => sidecarRoutes(sidecars as unknown as App, uploads));
  // A file name that contains a slash is a name too.
  app.register(multipart, { preservePath: true, limits: LIMITS, throwFileSizeLimit: false });
  app.post(
    '/api/upload-video',
    {
      // A form may be slow, and a URL is fetched by a worker.
      config: { scope: 'write', folderKeys: true, idempotency: 'staged', countedAs: 'upload' },
      // The form is read as it streams by and checked by the room.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'uploadVideo',
        tags: ['Uploads'],
        summary: 'Upload a video',
        description:
          'Takes a video as a file or by its URL. A file is stored and readable (`uploaded`) when the answer comes; a URL is when it is fetched within ten seconds, else the answer says `processing` and the status tells how it goes on. What is refused leaves nothing behind.',
        consumes: ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'],
        body: UploadForm,
        response: { 200: VideoStatus, ...failures(404, 413, 507) },
      },
    },
    async (request) => {
      try {
        const { caller, raw, remembered } = request;
        refuseHuge(request, uploads.maxBytes);
        const parts = request.isMultipart() ? partsOf(request.parts()) : fieldsOf(request.body);
        const length = Number(request.headers['content-length'] ?? 0);
        const connection: Connection = { gone: request.gone, bytesRead: () => raw.socket.bytesRead, length };
        const remember = request.remember.bind(request);
        return statusOf(await uploads.receive(caller, parts, connection, { remembered, remember }));
      } catch (error) {
        throw brokenForm(error) ?? error;
      } finally {
        drain(request.raw);
      }
    },
  );
}

/** Says no before the first byte, where the length is known. */
function refuseHuge({ headers }: FastifyRequest, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) <= maxBytes + AROUND_BYTES) return;
  throw storageProblems.file_too_large(`The upload is larger than the ${maxBytes} bytes that this service accepts.`);
}
