import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { toVideoStatus, VideoStatus } from '#features/videos/index';
import { type App, reportIgnored, routes } from '#platform/http/index';
import { uploadTooLarge } from '../open-uploads.ts';
import type { UploadConnection } from '../types.ts';
import { bodyParts, drainBody, type FormPart, multipartParts, toFormProblem } from './multipart.ts';
import { UploadForm } from './schema.ts';
import type { FormUploads } from './service.ts';

/** Allowance for the parts besides the file: fields, the sidecar file, multipart boundaries. */
const FORM_OVERHEAD_BYTES = 32 * 2 ** 20;
const LIMITS = { fileSize: Number.POSITIVE_INFINITY, fieldSize: 64 * 1024, fields: 100, files: 10, parts: 110 };

export function formRoutes(app: App, uploads: FormUploads): void {
  // Video names may contain slashes.
  app.register(multipart, { preservePath: true, limits: LIMITS, throwFileSizeLimit: false });
  const route = routes(app, { tag: 'Uploads', scope: 'write' });

  route.post(
    '/api/upload-video',
    {
      id: 'uploadVideo',
      folderKeys: true,
      // A form may be slow, and a job fetches a URL.
      idempotency: 'staged',
      countedAs: 'upload',
      // The form is validated while it streams.
      validatorCompiler: () => () => true,
      summary: 'Upload a video',
      description:
        'Uploads a video as a file or by its URL. A file is stored and readable (`uploaded`) in the response; a URL only if it is fetched within ten seconds, else the response is `processing` and the status endpoint reports the result. A refused upload leaves nothing.',
      consumes: ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'],
      body: UploadForm,
      response: VideoStatus,
      errors: [404, 413, 502, 504, 507],
    },
    async (request, reply) => {
      const ignored = new Set<string>();
      try {
        const { caller, raw, savedReference } = request;
        requireAcceptableLength(request, uploads.maxBytes);
        const parts = request.isMultipart()
          ? collectUnknown(multipartParts(request.parts()), ignored)
          : bodyParts(request.body);
        const length = Number(request.headers['content-length'] ?? 0);
        const connection: UploadConnection = {
          signal: request.disconnected,
          bytesRead: () => raw.socket.bytesRead,
          length,
        };
        const saveReference = request.saveReference.bind(request);
        const video = await uploads.receive(caller, parts, connection, { savedReference, saveReference });
        reportIgnored(reply, [...ignored]);
        return toVideoStatus(video);
      } catch (error) {
        throw toFormProblem(error) ?? error;
      } finally {
        drainBody(request.raw);
      }
    },
  );
}

/** The same parts; adds the names of those that a form does not have to a set. */
async function* collectUnknown(parts: AsyncIterable<FormPart>, unknown: Set<string>): AsyncGenerator<FormPart> {
  for await (const part of parts) {
    if (!(part.name in UploadForm.properties)) unknown.add(part.name);
    yield part;
  }
}

/** Refuses a request before its first byte if its length is known. */
function requireAcceptableLength({ headers }: Pick<FastifyRequest, 'headers'>, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes + FORM_OVERHEAD_BYTES) throw uploadTooLarge(maxBytes);
}
