import type { DomainEvents } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Videos } from '#features/videos/index';
import type { Config } from '#platform/config/index';
import type { Database, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import type { GuardedFetch } from '#platform/net/index';
import type { Storage } from '#platform/storage/index';
import { createDirectUploads, type DirectUploadsService } from './direct/index.ts';
import { createFilesBeside } from './files-beside.ts';
import { createFormUploads, type FormUploads } from './form/index.ts';
import { createIngestJobs } from './ingest/ingest-job.ts';
import { createSampleIngest, SAMPLES, type SampleName } from './ingest/sample-video.ts';
import { expireUploads, failFetch, failFinish, fetchVideo, finishUpload, ingestSample } from './jobs.ts';
import { createReservations, type ReservationsDeps } from './reservations.ts';
import { createResumableUploads, createUploadFinisher, type ResumableUploads } from './resumable/index.ts';
import { createSidecarStore, createSidecarUploads } from './sidecar/index.ts';
import { createSubtitleStore, createSubtitleUploads } from './subtitles/index.ts';
import type { SidecarUploads, SubtitleUploads } from './types.ts';
import { createUrlIngest, createUrlUploads } from './url/index.ts';

export type UploadsDeps = {
  config: { limits: Pick<Config['limits'], 'uploadBytes' | 'openUploads'> };
  diskSpace: ReservationsDeps['diskSpace'];
  net: GuardedFetch;
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<
    Videos,
    | 'create'
    | 'updatePending'
    | 'reserveFor'
    | 'heartbeat'
    | 'markReady'
    | 'fail'
    | 'discard'
    | 'find'
    | 'get'
    | 'getWritable'
    | 'setSidecar'
    | 'setSubtitles'
  >;
  folders: Pick<Folders, 'requireWritable'>;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle' | 'schedule'>;
  log: Log;
  /** Writes the sample video of a new library to the path. */
  drawSample(name: SampleName, path: string, signal: AbortSignal): Promise<void>;
};

export interface Uploads extends FormUploads, SidecarUploads, SubtitleUploads {
  /** Uploads by tus, in several requests. */
  readonly resumable: ResumableUploads;
  /** Uploads from the client straight to S3 storage. */
  readonly direct: DirectUploadsService;
  /** Creates the sample video of an organization; `compose.ts` subscribes it. */
  onSamplesRequested(trx: Transaction, event: DomainEvents['samples.wanted']): Promise<void>;
  /** Registers the job handlers of this room. */
  registerJobs(): void;
}

export function createUploadsService(deps: UploadsDeps): Uploads {
  const { config, database, storage, media, net, videos, folders, jobs, log } = deps;
  const maxBytes = config.limits.uploadBytes;
  const sidecars = createSidecarStore(storage);
  const subtitles = createSubtitleStore(storage);
  const filesBeside = createFilesBeside({ sidecars, subtitles });
  const urls = createUrlUploads({ database, videos, filesBeside, jobs, net, log });
  const reservations = createReservations({ diskSpace: deps.diskSpace, maxOpen: config.limits.openUploads });
  const resumable = createResumableUploads({ database, storage, videos, folders, jobs, log, reservations, maxBytes });
  const direct = createDirectUploads({ database, storage, videos, folders, jobs, reservations, maxBytes });
  const ingestJobs = createIngestJobs({ videos, log });
  const ingestUrl = createUrlIngest({ database, storage, media, videos, net, maxBytes });
  const finish = createUploadFinisher({ database, storage, media, videos });
  const drawSample = createSampleIngest(deps);

  return {
    ...createFormUploads({ database, storage, media, videos, folders, filesBeside, urls, reservations, log, maxBytes }),
    ...createSidecarUploads({ database, videos, sidecars }),
    ...createSubtitleUploads({ database, videos, subtitles }),
    resumable,
    direct,

    async onSamplesRequested(trx, { folderId, orgId, userId: ownerId }) {
      const origin = { source: 'sample', sourceUri: null, metadata: {}, heartbeat: false };
      // The street is the newest, and the first one that is drawn.
      const drawn: { videoId: string }[] = [];
      for (const sample of ['robot', 'room', 'street'] as const) {
        const id = newId();
        await videos.create(trx, { id, orgId, ownerId, scope: 'sample', folderId, name: SAMPLES[sample], ...origin });
        drawn.unshift({ videoId: id });
      }
      await jobs.sendMany(trx, ingestSample, drawn, { orgId });
    },

    registerJobs() {
      jobs.handle(fetchVideo, (payload, context) =>
        ingestJobs.run(payload.videoId, context, (key, signal) => ingestUrl(payload, key, signal)),
      );
      jobs.handle(failFetch, ({ videoId }) => ingestJobs.fail(videoId));
      jobs.handle(finishUpload, ({ videoId }, context) =>
        ingestJobs.run(videoId, context, (key, signal) => finish(videoId, key, signal)),
      );
      jobs.handle(ingestSample, ({ videoId }, context) =>
        ingestJobs.run(videoId, context, (key, signal) => drawSample(videoId, key, signal)),
      );
      jobs.handle(failFinish, ({ videoId }) => ingestJobs.fail(videoId));
      jobs.handle(expireUploads, resumable.expire);
      jobs.schedule(expireUploads, '* * * * *', {});
    },
  };
}
