import type { Video, Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { GuardedFetch } from '#platform/net/index';
import { type FilesBeside, type FilesBesideStore, summariesOf } from '../files-beside.ts';
import { fetchVideo } from '../jobs.ts';
import { problems } from '../problems.ts';
import type { IdempotentUpload } from '../types.ts';
import type { ParsedFields } from '../upload-fields.ts';
import { chooseVideoName, videoNameFromUrl } from '../video-names.ts';
import { waitUntilReady } from '../wait-until-ready.ts';

type UrlUploadsDeps = {
  database: Database;
  videos: Pick<Videos, 'create' | 'discard' | 'find'>;
  filesBeside: FilesBesideStore;
  jobs: Pick<Jobs, 'send'>;
  net: GuardedFetch;
  log: Log;
};

/** Uploads by URL: the API creates the record, a job fetches the file. */
export function createUrlUploads({ database, videos, filesBeside, jobs, net, log }: UrlUploadsDeps) {
  return {
    /** Creates the video and its job, and waits some seconds until it is ready. */
    async submit(
      caller: Caller,
      fields: ParsedFields,
      beside: FilesBeside,
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
        await filesBeside.write(id, beside, signal);
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
            metadata: summariesOf(beside),
          });
          await jobs.send(trx, fetchVideo, { videoId: id, url: url.href, named: customName !== null }, { orgId });
          await idempotent?.saveReference(id, trx);
        });
      } catch (error) {
        await videos
          .discard(id)
          .catch((err) => log.warn({ err, videoId: id }, 'cannot remove the files beside a video'));
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
