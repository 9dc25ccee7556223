import { toVideoStatus, VideoParams, VideoStatus } from '#features/videos/index';
import { type App, routes } from '#platform/http/index';
import { acceptFileBodies, fileBodyValidator } from '../file-body.ts';
import { problems } from '../problems.ts';
import type { SidecarUploads } from '../types.ts';
import { requireName } from '../video-names.ts';
import { SidecarBody, SidecarQuery } from './schema.ts';
import { MAX_SIDECAR_BYTES } from './sidecar.ts';

/** Sidecar files for existing videos, and for uploads whose protocol has no part for them. */
export function sidecarRoutes(app: App, uploads: SidecarUploads): void {
  acceptFileBodies(app, MAX_SIDECAR_BYTES);
  const route = routes(app, { tag: 'Uploads', scope: 'write' });

  route.put(
    '/api/video/:video_id/metadata-file',
    {
      id: 'putMetadataFile',
      folderKeys: true,
      validatorCompiler: fileBodyValidator,
      summary: 'Put the metadata file of a video',
      description:
        'Stores data recorded together with a video, as `metadata_file` of `POST /api/upload-video` does, and replaces an earlier file. The body is the file. The video may exist already, or be pending in a resumable upload, a direct upload or an import. Existing analyses stay; later queries read the new file.',
      consumes: ['application/octet-stream', 'application/json', 'text/csv', 'application/x-subrip'],
      params: VideoParams,
      query: SidecarQuery,
      body: SidecarBody,
      response: VideoStatus,
      errors: [404, 413],
    },
    async ({ caller, params, query, body, disconnected }) => {
      if (!Buffer.isBuffer(body)) throw problems.sidecar_invalid('The request has no body. Send the file as the body.');
      const filename = requireName(query.filename ?? 'metadata', 'filename');
      return toVideoStatus(await uploads.putSidecar(caller, params.videoId, { filename, bytes: body }, disconnected));
    },
  );
}
