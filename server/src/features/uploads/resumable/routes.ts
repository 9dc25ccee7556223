import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type App, failures, publicFailures } from '#platform/http/index';
import { mediaProblem } from '#platform/media/index';
import { NoBody, UploadParams } from '../schema.ts';
import type { ResumableUploads, UploadProgress } from './service.ts';
import {
  parseByteCount,
  parseUploadChecksum,
  parseUploadMetadata,
  requireVersion,
  TUS_VERSION,
  tusCapabilities,
} from './tus.ts';

const PATH = '/api/uploads';
const CHUNK_TYPE = 'application/offset+octet-stream';
const bytes = (description: string) => Type.String({ pattern: '^[0-9]+$', description });
const VERSION = { 'tus-resumable': Type.Literal(TUS_VERSION, { description: 'Version of the tus protocol.' }) };

/** Resumable uploads by the tus protocol. */
export function tusRoutes(app: App, uploads: ResumableUploads, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(CHUNK_TYPE, (_request, payload, done) => done(null, payload));
  app.addHook('onSend', async (request, reply) => {
    reply.header('tus-resumable', TUS_VERSION);
    if (request.method === 'OPTIONS') reply.headers(tusCapabilities(maxBytes));
  });
  // The handlers validate headers themselves, with clearer messages.
  app.setValidatorCompiler(() => () => true);

  app.options(
    PATH,
    {
      config: { scope: 'public' },
      schema: {
        operationId: 'describeResumableUploads',
        tags: ['Uploads'],
        summary: 'Get the tus capabilities',
        description:
          'Returns the supported version, extensions, checksum algorithms and largest size of tus 1.0 in headers.',
        response: { 204: NoBody, ...publicFailures(500) },
      },
    },
    (_request, reply) => reply.code(204).send(undefined),
  );

  app.post(
    PATH,
    {
      // A replayed response would lack `Location`, so the handler answers again for the same upload.
      config: { scope: 'write', folderKeys: true, idempotency: 'resumable' },
      onRequest: async (request) => {
        request.bodyDigest = hashHeaders(request.headers);
      },
      schema: {
        operationId: 'createResumableUpload',
        tags: ['Uploads'],
        summary: 'Start a resumable upload',
        description:
          'Starts an upload by tus 1.0, for any tus client. It survives restarts of the client and of the service. `Location` is the URL for its chunks; its last segment is also the id of the video.',
        headers: Type.Object({
          ...VERSION,
          'upload-length': bytes('Size of the whole file in bytes.'),
          'upload-metadata': Type.Optional(
            Type.String({
              description:
                'Names with base64 values: `filename`, and optionally `custom_name`, `scope`, `folder_id` and `sha256`, as in `POST /api/upload-video`.',
            }),
          ),
        }),
        response: { 201: NoBody, ...failures(404, 412, 413) },
      },
    },
    async (request, reply) => {
      requireVersion(request.headers);
      const length = parseByteCount(request.headers, 'upload-length', 0);
      if (length === 0) throw mediaProblem.media_empty();
      const fields = parseUploadMetadata(request.headers['upload-metadata']);
      const { caller, savedReference } = request;
      const progress = savedReference
        ? await uploads.progress(caller, savedReference)
        : await uploads.create(caller, length, fields, (trx, id) => request.saveReference(id, trx));
      return sendProgress(reply.code(201).header('location', `${PATH}/${progress.id}`), progress);
    },
  );

  app.head(
    `${PATH}/:upload_id`,
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'getResumableUpload',
        tags: ['Uploads'],
        summary: 'Get the progress of a resumable upload',
        description:
          'Returns the number of stored bytes in `Upload-Offset` and the size of the file in `Upload-Length`.',
        params: UploadParams,
        headers: Type.Object(VERSION),
        response: { 200: NoBody, ...failures(404, 412) },
      },
    },
    async (request, reply) => {
      requireVersion(request.headers);
      return sendProgress(reply.code(200), await uploads.progress(request.caller, request.params.upload_id));
    },
  );

  app.patch(
    `${PATH}/:upload_id`,
    {
      // The offset makes repeats safe.
      config: { scope: 'write', folderKeys: true, idempotency: 'none', countedAs: 'read' },
      schema: {
        operationId: 'continueResumableUpload',
        tags: ['Uploads'],
        summary: 'Send a chunk of a resumable upload',
        description:
          'Appends a chunk at the current offset. Bytes received before a disconnect are stored; `HEAD` returns the new offset. After the last chunk the video is created: a file that is not readable is refused here and removed; a large one may still be `processing` in the response.',
        consumes: [CHUNK_TYPE],
        params: UploadParams,
        headers: Type.Object({
          ...VERSION,
          'upload-offset': bytes('Offset of the chunk: the number of bytes stored so far.'),
          'upload-checksum': Type.Optional(
            Type.String({
              pattern: '^(sha1|sha256|md5) [A-Za-z0-9+/]+={0,2}$',
              description:
                '`sha1`, `sha256` or `md5`, and the digest of the chunk in base64. A chunk with another digest is not stored.',
            }),
          ),
        }),
        response: { 204: NoBody, ...failures(404, 409, 412, 413, 415, 423, 460, 507) },
      },
    },
    async (request, reply) => {
      const { headers, raw, caller } = request;
      requireVersion(headers);
      const offset = parseByteCount(headers, 'upload-offset', 0);
      const length = headers['content-length'] === undefined ? null : parseByteCount(headers, 'content-length', 0);
      const checksum = parseUploadChecksum(headers['upload-checksum']);
      const connection = { signal: request.disconnected, bytesRead: () => raw.socket.bytesRead };
      const chunk = { offset, length, checksum, body: raw };
      return sendProgress(reply.code(204), await uploads.append(caller, request.params.upload_id, chunk, connection));
    },
  );

  app.delete(
    `${PATH}/:upload_id`,
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'endResumableUpload',
        tags: ['Uploads'],
        summary: 'End a resumable upload',
        description: 'Ends an upload and removes its bytes. A completed upload is a video and stays.',
        params: UploadParams,
        headers: Type.Object(VERSION),
        response: { 204: NoBody, ...failures(404, 412) },
      },
    },
    async (request, reply) => {
      requireVersion(request.headers);
      await uploads.remove(request.caller, request.params.upload_id);
      reply.code(204);
    },
  );
}

/** The parameters of a creation are in headers, so the idempotency check compares those instead of a body. */
const hashHeaders = (headers: IncomingHttpHeaders) =>
  createHash('sha256').update(`${headers['upload-length']}\n${headers['upload-metadata']}`).digest('base64url');

function sendProgress(reply: FastifyReply, { offset, length, expiresAt }: UploadProgress) {
  return reply
    .headers({
      'upload-offset': String(offset),
      'upload-length': String(length),
      'upload-expires': expiresAt.toUTCString(),
      'cache-control': 'no-store',
    })
    .send(undefined);
}
