// A worker process for the tests: it says when it works, and works until it is killed, or asked to go.
import { createEvents } from '#features/events/index';
import { createFolders } from '#features/folders/index';
import { createVideos, videoJobs } from '#features/videos/index';
import { openDatabase } from '#platform/db/database';
import type { ConnectionOptions } from '#platform/db/index';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import { createStorage } from '#platform/storage/index';
import { createTestMedia } from '#test/media/clips';
import { liveJobs } from '../jobs.ts';
import { createTestLive } from '../live.fixture.ts';

const { connection, dir } = JSON.parse(process.argv[2]!) as { connection: ConnectionOptions; dir: string };
const log = createLog('silent');
const database = openDatabase(connection, log);
const storage = await createStorage({ kind: 'file', dir }, { dataDir: dir, reserveBytes: 0 });
const events = createEvents({ database });
const folders = createFolders({ database, events });
const jobs = createJobs({ database, log, definitions: [...videoJobs, ...liveJobs] });
const videos = createVideos({ database, storage, events, folders, jobs, log, restoreS: 0 });
const media = await createTestMedia();
const { live, net } = createTestLive({ database, storage, events, folders, jobs, videos, log, media });
videos.registerJobs();
await live.work();
await jobs.start();
process.once('SIGTERM', async () => {
  await jobs.close();
  await net.close();
  process.exit();
});
process.send?.('ready');
