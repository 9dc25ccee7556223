// A worker process for tests: sends 'ready' once it runs, and runs until it is killed.
import { startTestNode } from '#test/app';

const [env, catalog] = process.argv.slice(2).map((text) => JSON.parse(text));
await startTestNode(env, { roles: { api: false, worker: true }, overrides: { catalog } });
process.send?.('ready');
