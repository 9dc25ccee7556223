// A worker process for tests: sends 'ready' once it runs, and runs until it is killed.
import type { ConnectionOptions } from '#platform/db/index';
import { openWorker } from './test-service.fixture.ts';

const { connection, dir } = JSON.parse(process.argv[2]!) as { connection: ConnectionOptions; dir: string };
await openWorker(connection, dir);
process.send?.('ready');
