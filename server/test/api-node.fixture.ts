// An API node in a process of its own, for tests that kill it: says its address once it listens.
import { loadConfig } from '#platform/config/index';
import { createLog } from '#platform/log';
import { compose } from '../src/compose/index.ts';

const sightline = await compose(loadConfig(process.env, 1), createLog('silent'), {
  roles: { api: true, worker: false },
});
const url = await sightline.start();
process.send?.(url);
