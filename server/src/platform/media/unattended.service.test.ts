import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMedia, sceneClip } from '#test/media/clips';
import type { Media } from './index.ts';

let media: Media;
beforeAll(async () => {
  media = await createTestMedia();
});
afterAll(() => media?.close());

const MANY = 12;
const CUT = { fromS: 0, untilS: 1, video: 'encode', output: 'mp4' } as const;

/** Each operation, for somebody who waits, or for an organization that made many of them. */
type Work = (path: string, requester: { orgId?: string; priority?: 'batch' }) => Promise<unknown>;
const OPERATIONS: [string, Work][] = [
  ['frames', (path, requester) => media.frameImage(path, { timeS: 1, ...requester })],
  [
    'sheets',
    (path, requester) =>
      media.contactSheet(path, { times: [0, 1], columns: 2, tile: { width: 160, height: 120 }, ...requester }),
  ],
  ['clips', async (path, requester) => (await media.trim(path, { ...CUT, ...requester }))[Symbol.asyncDispose]()],
];

test.each(OPERATIONS)('%s that nobody waits for do not delay those that somebody waits for', async (_, make) => {
  const path = await sceneClip();
  const ended: string[] = [];
  const run = (name: string, work: Promise<unknown>) => work.then(() => void ended.push(name));
  // Both kinds of processes are started.
  await Promise.all([make(path, {}), make(path, { orgId: 'one', priority: 'batch' })]);
  const batch = Array.from({ length: MANY }, () => run('batch', make(path, { orgId: 'one', priority: 'batch' })));
  await run('attended', make(path, {}));
  await Promise.all(batch);
  expect(ended.indexOf('attended')).toBeLessThan(MANY / 2);
});
