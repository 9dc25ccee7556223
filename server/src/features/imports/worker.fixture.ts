// A worker process for tests: sends 'ready' once it runs, and runs until it is killed.
import { startTestNode } from '#test/app';
import { QUICK } from './test-service.fixture.ts';

await startTestNode(JSON.parse(process.argv[2]!), { roles: { api: false, worker: true }, overrides: QUICK });
process.send?.('ready');
