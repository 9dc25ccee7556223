import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type App, failures, publicFailures } from '#platform/http/index';
import { UploadId } from './direct-schema.ts';
import type { Progress, Resumable } from './resumable.ts';
import { Empty } from './schema.ts';
import { bytesOf, checksumOf, metadataOf, requireVersion, TUS_VERSION, tusAbilities } from './tus.ts';

const PATH = '/api/uploads';
const PIECE = 'application/offset+octet-stream';
const bytes = (description: string) => Type.String({ pattern: '^[0-9]+$', description });
const VERSION = { 'tus-resumable': Type.Literal(TUS_VERSION, { description: 'The version of tus that is spoken.' }) };

/** Resumable uploads by the tus protocol, as its clients speak it. */
export function tusRoutes(app: App, uploads: Resumable, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(PIECE, (_request, payload, done) => done(null, payload));
  app.addHook('onSend', async (request, reply) => {
    reply.header('tus-resumable', TUS_VERSION);
    if (request.method === 'OPTIONS') reply.headers(tusAbilities(maxBytes));
  });
  // Headers are checked by the room, which says more clearly what is wrong.
  app.setValidatorCompiler(() => () => true);

  app.options(
    PATH,
    {
      config: { scope: 'public' },
      schema: {
        operationId: 'describeResumableUploads',
        tags: ['Uploads'],
        summary: 'What of tus 1.0 is spoken',
        description: 'The headers `Tus-Version`, `Tus-Extension`, `Tus-Checksum-Algorithm` and `Tus-Max-Size` say it.',
        response: { 204: Empty, ...publicFailures(500) },
      },
    },
    (_request, reply) => reply.code(204).send(undefined),
  );

  app.post(
    PATH,
    {
      // A replay would lack `Location`: the handler answers again, for the same upload.
      config: { scope: 'write', folderKeys: true, idempotency: 'resumable' },
      onRequest: async (request) => {
        request.bodyDigest = digestOf(request.headers);
      },
      schema: {
        operationId: 'createResumableUpload',
        tags: ['Uploads'],
        summary: 'Begin a resumable upload',
        description:
          'Begins an upload by the tus protocol 1.0, for any tus client: it survives a break of the connection, of the client and of the service. `Location` says where its pieces go; the last part of it is also the id of the video.',
        headers: Type.Object({
          ...VERSION,
          'upload-length': bytes('Size of the whole file in bytes.'),
          'upload-metadata': Type.Optional(
            Type.String({
              description:
                'Names with base64 values: `filename`, and optionally `custom_name`, `scope`, `folder_id` and `sha256`, with the meaning they have in `POST /api/upload-video`.',
            }),
          ),
        }),
        response: { 201: Empty, ...failures(404, 412, 413) },
      },
    },
    async (request, reply) => {
      requireVersion(request.headers);
      const length = bytesOf(request.headers, 'upload-length', 1);
      const fields = metadataOf(request.headers['upload-metadata']);
      const { caller, remembered } = request;
      const progress = remembered
        ? await uploads.progress(caller, remembered)
        : await uploads.create(caller, length, fields, (trx, id) => request.remember(id, trx));
      return answer(reply.code(201).header('location', `${PATH}/${progress.id}`), progress);
    },
  );

  app.head(
    `${PATH}/:upload_id`,
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'getResumableUpload',
        tags: ['Uploads'],
        summary: 'How far a resumable upload is',
        description: 'The header `Upload-Offset` says how many bytes are kept, `Upload-Length` how many there will be.',
        params: UploadId,
        headers: Type.Object(VERSION),
        response: { 200: Empty, ...failures(404, 412) },
      },
    },
    async (request, reply) => {
      requireVersion(request.headers);
      return answer(reply.code(200), await uploads.progress(request.caller, request.params.upload_id));
    },
  );

  app.patch(
    `${PATH}/:upload_id`,
    {
      // The offset makes a repeat safe.
      config: { scope: 'write', folderKeys: true, idempotency: 'none', countedAs: 'read' },
      schema: {
        operationId: 'continueResumableUpload',
        tags: ['Uploads'],
        summary: 'Send a piece of a resumable upload',
        description:
          'Adds a piece where the upload ends. What came before a break is kept, and `HEAD` says how much that is. With the last piece the upload becomes a video: one that is not readable is refused here and leaves nothing behind; a large one may be `processing` for a while after the answer.',
        consumes: [PIECE],
        params: UploadId,
        headers: Type.Object({
          ...VERSION,
          'upload-offset': bytes('Where the piece begins: how many bytes are kept already.'),
          'upload-checksum': Type.Optional(
            Type.String({
              pattern: '^(sha1|sha256|md5) [A-Za-z0-9+/]+={0,2}$',
              description:
                '`sha1`, `sha256` or `md5` and the digest of the piece in base64: it is kept only if it matches.',
            }),
          ),
        }),
        response: { 204: Empty, ...failures(404, 409, 412, 413, 415, 423, 460, 507) },
      },
    },
    async (request, reply) => {
      const { headers, raw, caller } = request;
      requireVersion(headers);
      const offset = bytesOf(headers, 'upload-offset', 0);
      const length = headers['content-length'] === undefined ? null : bytesOf(headers, 'content-length', 0);
      const checksum = checksumOf(headers['upload-checksum']);
      const connection = { gone: request.gone, bytesRead: () => raw.socket.bytesRead };
      const piece = { offset, length, checksum, body: raw };
      return answer(reply.code(204), await uploads.append(caller, request.params.upload_id, piece, connection));
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
        description: 'What came of it is removed. One that is complete is a video and stays.',
        params: UploadId,
        headers: Type.Object(VERSION),
        response: { 204: Empty, ...failures(404, 412) },
      },
    },
    async (request, reply) => {
      requireVersion(request.headers);
      await uploads.remove(request.caller, request.params.upload_id);
      return reply.code(204).send(undefined);
    },
  );
}

/** What an upload is begun with stands in headers: a repeat with others is another request. */
const digestOf = (headers: IncomingHttpHeaders) =>
  createHash('sha256').update(`${headers['upload-length']}\n${headers['upload-metadata']}`).digest('base64url');

function answer(reply: FastifyReply, { offset, length, expiresAt }: Progress) {
  return reply
    .headers({
      'upload-offset': String(offset),
      'upload-length': String(length),
      'upload-expires': expiresAt.toUTCString(),
      'cache-control': 'no-store',
    })
    .send(undefined);
}
