import { toVideoStatus, VideoStatus } from '#features/videos/index';
import { type App, routes } from '#platform/http/index';
import { UploadParams } from '../schema.ts';
import { CreateDirectUploadBody, DirectUploadResource, EndedUpload, PartUrls, SignPartsBody } from './schema.ts';
import type { DirectUpload, DirectUploadsService, SignedPart } from './service.ts';

const PATH = '/api/direct-uploads';
/** Number of URLs in the response to the creation. */
const INITIAL_URLS = 100;

/** Uploads that the client sends straight to S3 storage. */
export function directRoutes(app: App, uploads: DirectUploadsService): void {
  const route = routes(app, { tag: 'Uploads', scope: 'write' });

  route.post(
    PATH,
    {
      id: 'createDirectUpload',
      folderKeys: true,
      // Storage is slow to create an upload, and space is reserved in the meantime.
      idempotency: 'staged',
      summary: 'Start a direct upload',
      description:
        'Starts an upload whose parts you send to the S3 storage yourself, each with PUT to its URL, in any order and in parallel; then complete it. Its size is reserved until it is completed or expires. On a service that stores files on its own disk this is 409: upload in one request or by tus there.',
      body: CreateDirectUploadBody,
      response: DirectUploadResource,
      errors: [404, 409, 413],
    },
    async (request) => {
      const { caller, savedReference } = request;
      const { sizeBytes, customName, folderId, filename, sha256, scope } = request.body;
      const stated = { custom_name: customName, folder_id: folderId, filename, sha256, scope };
      const fields = new Map(Object.entries(stated).filter((entry): entry is [string, string] => entry[1] != null));
      const saveReference = request.saveReference.bind(request);
      const upload = await uploads.create(caller, sizeBytes, fields, { savedReference, saveReference });
      const first = Array.from({ length: Math.min(upload.partCount, INITIAL_URLS) }, (_, i) => i + 1);
      return {
        ...toDirectUpload(upload),
        partUrls: (await uploads.signParts(caller, upload.id, first)).map(toPartUrl),
      };
    },
  );

  route.get(
    `${PATH}/:upload_id`,
    {
      id: 'getDirectUpload',
      folderKeys: true,
      scope: 'write',
      summary: 'Get the progress of a direct upload',
      description: 'Returns the parts that storage has received; send the missing ones.',
      params: UploadParams,
      response: DirectUploadResource,
      errors: [404, 409],
    },
    async ({ caller, params }) => ({
      ...toDirectUpload(await uploads.progress(caller, params.uploadId)),
      partUrls: [],
    }),
  );

  route.post(
    `${PATH}/:upload_id/parts`,
    {
      id: 'signUploadParts',
      folderKeys: true,
      // URLs expire, so a repeat must get new ones. They belong to one upload and do not count as writes.
      idempotency: 'none',
      countedAs: 'read',
      summary: 'Get URLs for parts of a direct upload',
      description: 'Returns a URL for each requested part. A URL is valid for one hour and accepts exactly that part.',
      params: UploadParams,
      body: SignPartsBody,
      response: PartUrls,
      errors: [404, 409],
    },
    async ({ caller, params, body }) => ({
      partUrls: (await uploads.signParts(caller, params.uploadId, body.partNumbers)).map(toPartUrl),
    }),
  );

  route.post(
    `${PATH}/:upload_id/complete`,
    {
      id: 'completeDirectUpload',
      folderKeys: true,
      idempotency: 'staged',
      summary: 'Complete a direct upload',
      description:
        'Creates the video once all parts are received. A file that is not readable, or whose digest differs from `sha256`, is refused here and removed; a large one may still be `processing` in the response.',
      params: UploadParams,
      response: VideoStatus,
      errors: [404, 409],
    },
    async (request) =>
      toVideoStatus(await uploads.complete(request.caller, request.params.uploadId, request.disconnected)),
  );

  route.delete(
    `${PATH}/:upload_id`,
    {
      id: 'endDirectUpload',
      folderKeys: true,
      summary: 'End a direct upload',
      description: 'Ends an upload and removes its parts. A completed upload is a video and stays.',
      params: UploadParams,
      response: EndedUpload,
      errors: [404, 409],
    },
    async ({ caller, params }) => {
      await uploads.remove(caller, params.uploadId);
      return { status: 'ended' as const, uploadId: params.uploadId };
    },
  );
}

const toDirectUpload = ({ id, length, partBytes, partCount, received, expiresAt }: DirectUpload) => ({
  uploadId: id,
  videoId: id,
  sizeBytes: length,
  partBytes,
  partCount,
  arrived: received.map(({ number, size }) => ({ partNumber: number, sizeBytes: size })),
  expiresAt,
});

const toPartUrl = ({ number, size, url, expiresAt }: SignedPart) => ({
  partNumber: number,
  sizeBytes: size,
  url,
  method: 'PUT' as const,
  expiresAt,
});
