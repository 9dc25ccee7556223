// A worker process for the tests: it says when it works, and works until it is killed.
import type { ConnectionOptions } from '#platform/db/index';
import { openWorker } from './dock.fixture.ts';

const { connection, dir } = JSON.parse(process.argv[2]!) as { connection: ConnectionOptions; dir: string };
await openWorker(connection, dir);
process.send?.('ready');
