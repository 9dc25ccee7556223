import { expect, test, vi } from 'vitest';
import { observeVideos } from '#features/analyses/index';
import { Problem } from '#platform/problem';
import type { TestNode } from './node.fixture.ts';
import { ask, askAndFollow, createWorld } from './world.fixture.ts';

const world = createWorld();

const observe = (on: TestNode, videoIds: string[] | null, again: boolean) =>
  on.database.transaction((trx) => observeVideos(on.jobs, trx, { videoIds, again }));

/** The versions of what was observed in a video, by kind. */
const versions = async (videoId: string) =>
  Object.fromEntries(
    (
      await world.database.db
        .selectFrom('observations')
        .select(['kind', 'version'])
        .where('videoId', '=', videoId)
        .where('status', '=', 'ready')
        .orderBy('version')
        .execute()
    ).map(({ kind, version }) => [kind, version]),
  );

test('a newer engine observes outdated videos again and skips current ones', async () => {
  const on = await world.node();
  const videoId = await world.video();
  await askAndFollow(on, { video_id: videoId });
  expect([on.engine.observed, await versions(videoId)]).toEqual([1, { signals: '1' }]);

  on.engine.observers = async () => [{ kind: 'signals', depth: 'dense', version: '2' }];
  expect(await observe(on, null, false)).toBe(1);
  await vi.waitFor(async () => expect(await versions(videoId)).toEqual({ signals: '2' }), 30_000);
  expect(on.engine.observed).toBe(2);

  // The second job must observe everything again; the first finds no work, in either order.
  await observe(on, [videoId], false);
  await observe(on, [videoId], true);
  await vi.waitFor(async () => expect(on.engine.observed).toBe(3), 30_000);
  await vi.waitFor(async () => expect(await versions(videoId)).toEqual({ signals: '2' }), 30_000);
  await askAndFollow(on, { video_id: videoId });
  expect(on.engine.observed).toBe(3);
});

test('a video that is not readable or was deleted does not affect the others', async () => {
  const on = await world.node();
  const broken = await world.video();
  on.engine.failure = new Problem({ status: 400, code: 'media_damaged', message: 'The video is damaged.' });
  const good = await world.video();
  await observe(on, ['0'.repeat(32), broken], false);
  await vi.waitFor(() => expect(on.engine.observed).toBe(1), 30_000);
  on.engine.failure = null;
  await observe(on, [good], false);
  await vi.waitFor(async () => expect(await versions(good)).toEqual({ signals: '1' }), 30_000);
  expect(await versions(broken)).toEqual({});
});

test('re-observation waits while an analysis observes the video', async () => {
  const on = await world.node();
  const videoId = await world.video();
  let open = () => {};
  on.engine.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await ask(on.api, { video_id: videoId });
  await vi.waitFor(() => expect(on.engine.observed).toBe(1), 30_000);
  await observe(on, [videoId], false);
  await vi.waitFor(async () => {
    const { rows } = await queued();
    expect(rows).toEqual([{ state: 'completed' }, { state: 'created' }]);
  }, 30_000);
  open();
  await vi.waitFor(async () => expect(await versions(videoId)).toEqual({ signals: '1' }), 30_000);
  expect(on.engine.observed).toBe(1);
});

const queued = async () => ({
  rows: await world.database.db
    .withSchema('pgboss')
    .selectFrom('job' as never)
    .select('state' as never)
    .where('name' as never, '=', 'analyses.observe' as never)
    .orderBy('state' as never, 'desc')
    .execute(),
});
