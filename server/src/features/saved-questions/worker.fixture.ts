// Worker process for the tests: runs jobs, slowly enough that a kill finds some of them under way.
import { setTimeout as sleep } from 'node:timers/promises';
import { createNode, createTestEngine } from '../batches/node.fixture.ts';

const engine = createTestEngine();
const { observe } = engine;
engine.observe = async (...args) => {
  await sleep(150);
  return observe(...args);
};
await createNode(JSON.parse(process.argv[2]!), { engine });
process.send?.('ready');
