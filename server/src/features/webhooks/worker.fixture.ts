// Worker process for the tests: delivers messages until it is killed.
import { openDatabase } from '#platform/db/database';
import type { ConnectionOptions } from '#platform/db/index';
import { createLog } from '#platform/log';
import { createNode } from './node.fixture.ts';

const database = openDatabase(JSON.parse(process.argv[2]!) as ConnectionOptions, createLog('warn'), 6);
const { webhooks, jobs } = createNode(database);
webhooks.registerJobs();
await jobs.start();
process.send?.('ready');
