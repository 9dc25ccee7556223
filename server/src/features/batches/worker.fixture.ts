// A worker process whose observation never ends: it notifies its parent when it is ready and when it observes.
import type { ConnectionOptions } from '#platform/db/index';
import { createNode, createTestEngine } from './node.fixture.ts';

const { connection, dir } = JSON.parse(process.argv[2]!) as { connection: ConnectionOptions; dir: string };
const engine = createTestEngine();
engine.gate = new Promise(() => {});
const observe = engine.observe;
engine.observe = (...args) => {
  process.send?.('observing');
  return observe(...args);
};
await createNode(connection, dir, { engine });
process.send?.('ready');
