import { analysisJobs, observeVideos } from '#features/analyses/index';
import { createEvents } from '#features/events/index';
import { createFolders } from '#features/folders/index';
import { createVideos, videoJobs } from '#features/videos/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import { createJobs } from '#platform/jobs/index';
import { Problem } from '#platform/problem';
import { createStorage } from '#platform/storage/index';
import type { Context } from './types.ts';

/** Queues videos for observation: one video, or all that were observed before. */
export async function observe(
  { config, log }: Context,
  videoId: string | undefined,
  { again = false }: { again?: boolean },
): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  parts.defer(() => database.close());
  const storage = await createStorage(config.storage, { dataDir: config.dataDir });
  parts.defer(() => storage.close());
  const jobs = createJobs({ database, log, definitions: [...videoJobs, ...analysisJobs] });
  parts.defer(() => jobs.close());
  const events = createEvents({ database });
  const folders = createFolders({ database, events });
  const videos = createVideos({ database, storage, events, folders, jobs, log, restoreS: config.restoreS });
  if (videoId !== undefined && (await videos.find(videoId))?.status !== 'UPLOADED') {
    const message = `There is no video ${videoId} that could be observed.`;
    throw new Problem({ status: 404, code: 'video_not_found', message });
  }
  const videoIds = videoId === undefined ? null : [videoId];
  const count = await database.transaction((trx) => observeVideos(jobs, trx, { videoIds, again }));
  const what = again ? 'everything is observed again' : 'what is missing or of an older version is observed';
  process.stdout.write(
    count === 0
      ? 'No video was observed before.\n'
      : `${count} video${count === 1 ? ' is' : 's are'} handed to the workers: ${what}.\n`,
  );
}
