// The whole way on real video: media processes, observers, rules, pictures, storage, database, HTTP.
import { expect, test, vi } from 'vitest';
import { footage, hasFootage, MODELS } from '#test/footage';
import { SCENE, sceneClip } from '#test/media/clips';
import { askAndFollow, completion, createWorld, last, progressValues } from './world.fixture.ts';

const world = createWorld();
const start = () => world.realNode(MODELS ? { SIGHTLINE_MODELS_DIR: MODELS } : {});

type StoredEvent = { description: string; start_s: number; end_s: number; data: { annotated_thumbnail_url: string } };
type Document = {
  analysis: { status: string; summary: string; events: StoredEvent[]; coverage: { status: string; reason: string }[] };
};

test('a query is answered from the frames of the video; the next one decodes nothing', async () => {
  const on = await start();
  const passes = vi.spyOn(on.engine, 'observe');
  const videoId = await world.video({ path: await sceneClip() });
  const ask = async (query: string) => {
    const { events } = await askAndFollow(on, { query, video_id: videoId });
    const { json } = await on.api.call('GET', `/api/videos/${videoId}/analyses/${completion(events).analysis_id}`, {
      key: 'alice',
    });
    return { events, document: json as unknown as Document };
  };

  const cut = await ask('a cut');
  expect(last(cut.events)).toMatchObject({ event: 'done', status: 'completed' });
  expect(progressValues(cut.events).length).toBeGreaterThan(0);
  const [event] = cut.document.analysis.events;
  expect(event!.start_s).toBeCloseTo(SCENE.cutS, 1);
  expect(cut.events.filter((e) => e.event === 'finding')).toHaveLength(cut.document.analysis.events.length);
  const picture = await fetch(event!.data.annotated_thumbnail_url.replace('http://public', on.api.base));
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect([picture.status, picture.headers.get('content-type'), bytes.subarray(0, 3).toString('hex')]).toEqual([
    200,
    'image/jpeg',
    'ffd8ff',
  ]);

  const dark = await ask('the picture is dark');
  expect(dark.document.analysis.events[0]!.start_s).toBeCloseTo(SCENE.dark.startS, 0);
  const unknown = await ask('a pothole in the road');
  expect(unknown.document.analysis).toMatchObject({ status: 'COMPLETED', events: [] });
  expect(unknown.document.analysis.coverage.some((c) => c.status === 'not_looked_for' && c.reason)).toBe(true);
  expect(passes).toHaveBeenCalledTimes(1);
});

test.runIf(hasFootage)('real footage: the red car that overtakes is found', async () => {
  const on = await start();
  const videoId = await world.video({ path: footage('road/udacity_solidWhiteRight.mp4') });
  const { batchId, events } = await askAndFollow(on, { query: 'red car', video_id: videoId });
  expect(last(events)).toMatchObject({ status: 'completed' });
  const { json } = await on.api.call('POST', `/api/batch/${batchId}/analyses/bulk`, {
    key: 'alice',
    json: { video_ids: [videoId] },
  });
  const [document] = json.analyses as Document[];
  expect(document!.analysis.events.length).toBeGreaterThan(0);
  expect(document!.analysis.events.some((e) => /red/.test(e.description) && e.start_s < 9)).toBe(true);
});

test('a damaged file fails with the reason of the media engine', async () => {
  const on = await start();
  const videoId = await world.video();
  const { events } = await askAndFollow(on, { query: 'a cut', video_id: videoId });
  expect(last(events)).toMatchObject({ event: 'done', status: 'failed' });
  expect(completion(events)).toMatchObject({ status: 'failed', message: expect.stringMatching(/^[A-Z].*\.$/) });
});
