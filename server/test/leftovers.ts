import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect } from 'vitest';
import { childProcesses } from './child-processes.ts';
import { dueJobs } from './running-nodes.ts';

// Work that a test leaves running would fail a later test, sometimes. So a test ends when the jobs of its service have
// ended, and a file when its processes and servers have; if they do not, it fails itself.
// Beside other tests, work that ends by itself may take minutes.
const WAIT_MS = 240_000;
const INTERVAL_MS = 20;

const before = { processes: childProcesses(), servers: countServers() };

beforeEach(({ onTestFinished }) => {
  // The first of these functions runs last, after those with which a test closes what it opened.
  onTestFinished(() => expectNone(dueJobs, 'jobs that the test leaves running'));
});

afterAll(async () => {
  const started = () => childProcesses().filter((pid) => !before.processes.includes(pid));
  await expectNone(() => started().map(describeProcess), 'processes that the file leaves running');
  await expectNone(
    () => Array.from({ length: Math.max(0, countServers() - before.servers) }, () => 'server'),
    'servers that the file leaves open',
  );
});

/** Waits until there are none, and fails if that takes too long. */
async function expectNone(list: () => string[] | Promise<string[]>, what: string): Promise<void> {
  const end = performance.now() + WAIT_MS;
  let left = await list();
  while (left.length > 0 && performance.now() < end) {
    await sleep(INTERVAL_MS);
    left = await list();
  }
  expect(left, what).toEqual([]);
}

function describeProcess(pid: number): string {
  try {
    return `${pid}: ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
  } catch {
    return `${pid}: ended`;
  }
}

function countServers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
}
