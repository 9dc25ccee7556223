import type { Video, Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { GuardedFetch } from '#platform/net/index';
import { fetchVideo } from '../jobs.ts';
import { problems } from '../problems.ts';
import type { Sidecar, SidecarStore } from '../sidecar/index.ts';
import type { IdempotentUpload } from '../types.ts';
import type { ParsedFields } from '../upload-fields.ts';
import { chooseVideoName, videoNameFromUrl } from '../video-names.ts';
import { waitUntilReady } from '../wait-until-ready.ts';

type UrlUploadsDeps = {
  database: Database;
  videos: Pick<Videos, 'create' | 'discard' | 'find'>;
  sidecars: SidecarStore;
  jobs: Pick<Jobs, 'send'>;
  net: GuardedFetch;
  log: Log;
};

/** Uploads by URL: the API creates the record, a job fetches the file. */
export function createUrlUploads({ database, videos, sidecars, jobs, net, log }: UrlUploadsDeps) {
  return {
    /** Creates the video and its job, and waits some seconds until it is ready. */
    async submit(
      caller: Caller,
      fields: ParsedFields,
      sidecar: Sidecar | null,
      signal: AbortSignal,
      idempotent?: IdempotentUpload,
    ): Promise<Video> {
      const { videoUrl, customName, scope, folderId } = fields;
      if (!videoUrl)
        throw problems.upload_field_invalid('With `source` set to `video_url`, the field `video_url` is required.');
      const url = await net.check(videoUrl);
      const name = customName === null ? videoNameFromUrl(url) : chooseVideoName(customName);
      const { orgId, userId: ownerId } = caller;
      const id = newId();
      try {
        // Before the transaction, which holds rows that others wait for.
        if (sidecar) await sidecars.write(id, sidecar, signal);
        await database.transaction(async (trx) => {
          await videos.create(trx, {
            id,
            orgId,
            ownerId,
            scope,
            folderId,
            name,
            source: 'video_url',
            sourceUri: withoutCredentials(url),
            heartbeat: false,
            metadata: sidecar ? { sidecar: sidecar.summary } : {},
          });
          await jobs.send(trx, fetchVideo, { videoId: id, url: url.href, named: customName !== null }, { orgId });
          await idempotent?.remember(id, trx);
        });
      } catch (error) {
        await videos.discard(id).catch((err) => log.warn({ err, videoId: id }, 'cannot remove a sidecar file'));
        throw error;
      }
      return waitUntilReady(videos, id, signal);
    },
  };
}

export type UrlUploads = ReturnType<typeof createUrlUploads>;

function withoutCredentials(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain.href;
}
