import { statusOf, VideoStatus } from '#features/videos/index';
import { type App, failures } from '#platform/http/index';
import type { Direct, DirectUpload, PartUrl } from './direct.ts';
import { DirectUploadAnswer, Ended, NewDirectUpload, PartNumbers, PartUrls, UploadId } from './direct-schema.ts';

const PATH = '/api/direct-uploads';
/** How many URLs the first answer has. */
const FIRST_URLS = 100;

/** Uploads that go to the storage past this service. */
export function directRoutes(app: App, uploads: Direct): void {
  app.post(
    PATH,
    {
      // Storage is slow to begin one, and space is held meanwhile.
      config: { scope: 'write', folderKeys: true, idempotency: 'staged' },
      schema: {
        operationId: 'createDirectUpload',
        tags: ['Uploads'],
        summary: 'Begin a direct upload',
        description:
          'Begins an upload whose parts you send to the S3 storage yourself, each by PUT to its URL, in any order and as many at once as you like; then complete it. Room for it is held free until then, or until `expires_at`. Where the service keeps its files on its own disk this is 409: upload in one request or by the tus protocol there.',
        body: NewDirectUpload,
        response: { 200: DirectUploadAnswer, ...failures(404, 409, 413) },
      },
    },
    async (request) => {
      const { caller, body, remembered } = request;
      const { size_bytes, ...named } = body;
      const fields = new Map(Object.entries(named).filter((entry): entry is [string, string] => entry[1] != null));
      const remember = request.remember.bind(request);
      const upload = await uploads.create(caller, size_bytes, fields, { remembered, remember });
      const first = Array.from({ length: Math.min(upload.parts, FIRST_URLS) }, (_, i) => i + 1);
      return { ...answer(upload), part_urls: (await uploads.urls(caller, upload.id, first)).map(urlAnswer) };
    },
  );

  app.get(
    `${PATH}/:upload_id`,
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'getDirectUpload',
        tags: ['Uploads'],
        summary: 'How far a direct upload is',
        description: 'Says which parts have arrived: those that are missing are what is left to send.',
        params: UploadId,
        response: { 200: DirectUploadAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, params }) => ({ ...answer(await uploads.progress(caller, params.upload_id)), part_urls: [] }),
  );

  app.post(
    `${PATH}/:upload_id/parts`,
    {
      // URLs end: a repeat gets new ones. They are part of one upload, and no writes of their own.
      config: { scope: 'write', folderKeys: true, idempotency: 'none', countedAs: 'read' },
      schema: {
        operationId: 'signUploadParts',
        tags: ['Uploads'],
        summary: 'Get URLs for parts of a direct upload',
        description: 'Returns a URL for each part that is asked for. It holds for an hour and takes exactly that part.',
        params: UploadId,
        body: PartNumbers,
        response: { 200: PartUrls, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body }) => ({
      part_urls: (await uploads.urls(caller, params.upload_id, body.part_numbers)).map(urlAnswer),
    }),
  );

  app.post(
    `${PATH}/:upload_id/complete`,
    {
      // A worker makes the video; completing an upload again is no error.
      config: { scope: 'write', folderKeys: true, idempotency: 'staged' },
      schema: {
        operationId: 'completeDirectUpload',
        tags: ['Uploads'],
        summary: 'Complete a direct upload',
        description:
          'Makes a video of the parts, once all are there. One that is not readable, or not what its `sha256` says, is refused here and leaves nothing behind; a large one may be `processing` for a while after the answer.',
        params: UploadId,
        response: { 200: VideoStatus, ...failures(404, 409) },
      },
    },
    async (request) => statusOf(await uploads.complete(request.caller, request.params.upload_id, request.gone)),
  );

  app.delete(
    `${PATH}/:upload_id`,
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'endDirectUpload',
        tags: ['Uploads'],
        summary: 'End a direct upload',
        description: 'What came of it is removed. One that is complete is a video and stays.',
        params: UploadId,
        response: { 200: Ended, ...failures(404, 409) },
      },
    },
    async ({ caller, params }) => {
      await uploads.remove(caller, params.upload_id);
      return { status: 'ended' as const, upload_id: params.upload_id };
    },
  );
}

const answer = ({ id, length, partBytes, parts, arrived, expiresAt }: DirectUpload) => ({
  upload_id: id,
  video_id: id,
  size_bytes: length,
  part_bytes: partBytes,
  part_count: parts,
  arrived: arrived.map(({ number, size }) => ({ part_number: number, size_bytes: size })),
  expires_at: expiresAt.toISOString(),
});

const urlAnswer = ({ number, size, url, expiresAt }: PartUrl) => ({
  part_number: number,
  size_bytes: size,
  url,
  method: 'PUT' as const,
  expires_at: expiresAt.toISOString(),
});
