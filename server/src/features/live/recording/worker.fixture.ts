// A worker process for the tests: it says when it works, and works until it is killed, or asked to go.
import { startTestNode } from '#test/app';
import { QUICK } from '../live.fixture.ts';

const worker = await startTestNode(JSON.parse(process.argv[2]!), {
  roles: { api: false, worker: true },
  overrides: QUICK,
});
process.once('SIGTERM', async () => {
  await worker.close();
  process.exit();
});
process.send?.('ready');
