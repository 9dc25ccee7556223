// A worker process whose observation never ends: it notifies its parent when it is ready and when it observes.
import { createNode, createTestEngine } from './node.fixture.ts';

const engine = createTestEngine();
engine.gate = new Promise(() => {});
const observe = engine.observe;
engine.observe = (...args) => {
  process.send?.('observing');
  return observe(...args);
};
await createNode(JSON.parse(process.argv[2]!), { engine });
process.send?.('ready');
