// Vision-language models by profile, from the request over the folder to the document: fields, captions and refusals.
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { isTruism } from '#test/servers/known-statements';
import { startVisionModel, type VisionModel, type VisionModelRequest } from '#test/servers/vision-model';
import { createVisionOracle, fieldsIn, isControl, kindOf, optionsIn, rangesIn } from '#test/servers/vision-oracle';
import { askAndFollow, completion, createWorld } from './world.fixture.ts';

const world = createWorld();
let models: VisionModel[] = [];
afterEach(async () => {
  for (const model of models) await model.close();
  models = [];
});

const SENTENCE = 'a gray street is shown';

/** A model that passes controls, fills the field `weather` with fog, and captions every range alike. */
async function startModel(): Promise<VisionModel> {
  const oracle = await createVisionOracle();
  const model = await startVisionModel((request, n) => {
    if (isControl(request)) return oracle.script(request, n);
    return { text: JSON.stringify(replyTo(request)) };
  });
  models.push(model);
  return model;
}

function replyTo(request: VisionModelRequest): object {
  switch (kindOf(request)) {
    case 'fields':
      return {
        fields: fieldsIn(request).flatMap(({ name }, i) =>
          name === 'weather' ? [{ field: i + 1, value: 'fog' }] : [],
        ),
      };
    case 'captions':
      return { captions: rangesIn(request).map((_, i) => ({ range: i + 1, text: SENTENCE })) };
    case 'choice': {
      const options = optionsIn(request);
      const { text } = options.find(({ option }) => option === 'requested')!;
      const isTrue = text === SENTENCE || text === 'weather: fog' || isTruism(text);
      return { choice: options.find(({ option }) => option === (isTrue ? 'requested' : 'neither'))!.letter };
    }
    default:
      return { seen: [], events: [], so: request.images.map(() => false), sentences: [], moments: [] };
  }
}

async function start() {
  const [small, large] = [await startModel(), await startModel()];
  const on = await world.realNode({
    SIGHTLINE_MODELS_DIR: join(inject('folder'), 'no models'),
    SIGHTLINE_VISION_PROFILES: JSON.stringify({
      small: { url: small.url, model: 'small' },
      large: { url: large.url, model: 'large', price: '1/1' },
    }),
    // Nothing listens there: rewritten prompts would be requests to the model.
    SIGHTLINE_LANGUAGE_URL: 'http://127.0.0.1:1',
    SIGHTLINE_LANGUAGE_MODEL: 'none',
  });
  return { on, small, large };
}

const SCHEMA = { fields: [{ name: 'weather' }, { name: 'when', type: 'time_range', repeated: false }] };

test('a query names its profile, whose model fills fields; prices and tokens are those of the profile', async () => {
  const { on, small, large } = await start();
  const videoId = await world.video({ path: await sceneClip() });
  const query = 'the picture gets dark';
  const ask = async (body: object) => {
    const { events } = await askAndFollow(on, { query, video_id: videoId, output_schema: SCHEMA, ...body });
    const path = `/api/videos/${videoId}/analyses/${completion(events).analysis_id}`;
    return (await on.api.call('GET', path, { key: 'alice' })).json;
  };
  const filled = await ask({ vision_profile: 'large' });
  expect(filled.events).toMatchObject([{ structured_output: { weather: 'fog' }, structured_output_errors: [] }]);
  const { vision } = filled.analysis as { vision: { model: string; cost: number; input_tokens: number } };
  expect(vision).toMatchObject({ model: 'large' });
  expect(vision.cost).toBeCloseTo(
    (vision.input_tokens + (vision as never as { output_tokens: number }).output_tokens) / 1e6,
    6,
  );
  expect([small.requests.length, large.requests.length > 0]).toEqual([0, true]);

  const before = large.requests.length;
  await ask({ vision_profile: 'large' });
  expect(large.requests).toHaveLength(before);
  await ask({});
  expect(small.requests.length).toBeGreaterThan(0);
  const refused = await on.api.call('POST', '/api/router/v2/query/start', {
    key: 'alice',
    json: { query, video_id: videoId, vision_profile: 'huge' },
  });
  expect(refused).toMatchObject({
    status: 400,
    json: { error: 'vision_profile_unknown', message: expect.stringContaining('small, large') },
  });
  const { json: system } = await on.api.call('GET', '/api/system', { key: 'alice' });
  expect(system.vision_profiles).toMatchObject([
    { name: 'small', model: 'small', is_default: true, state: 'ok' },
    { name: 'large', model: 'large', is_default: false, input_price: 1 },
  ]);
});

test('a folder names the profile of its videos, and a model writes captions', async () => {
  const { on, small, large } = await start();
  const { json: folder } = await on.api.call('POST', '/api/folders', {
    key: 'alice',
    json: { name: 'fog', vision_profile: 'large' },
  });
  expect(folder).toMatchObject({ vision_profile: 'large' });
  const videoId = await world.video({ path: await sceneClip() });
  const moved = { video_ids: [videoId], folder_id: folder.id };
  expect(await on.api.call('POST', '/api/videos/move', { key: 'alice', json: moved })).toMatchObject({ status: 200 });
  await on.api.call('POST', '/api/videos/index', { key: 'alice', json: { video_ids: [videoId], mode: 'robotics' } });
  const read = () => on.api.call('GET', `/api/videos/${videoId}/index?mode=robotics`, { key: 'alice' });
  await expect.poll(async () => (await read()).status, { timeout: 90_000, interval: 200 }).toBe(200);
  const { json: index } = await read();
  const captions = index.grounded_caption as { caption: string }[];
  expect(captions.length).toBeGreaterThan(0);
  for (const { caption } of captions) expect(caption).toBe(SENTENCE);
  expect(index.warnings).toMatchObject([expect.stringMatching(/look \(large\) wrote \d+ of \d+ captions/)]);
  expect([small.requests.length, large.requests.length > 0]).toEqual([0, true]);
  expect(JSON.stringify(large.requests)).toContain('a robot at work');
  const cleared = { key: 'alice', json: { vision_profile: null } };
  expect((await on.api.call('PATCH', `/api/folders/${folder.id}`, cleared)).json).toMatchObject({
    vision_profile: null,
  });
  const unknown = { key: 'alice', json: { vision_profile: 'huge' } };
  expect((await on.api.call('PATCH', `/api/folders/${folder.id}`, unknown)).status).toBe(400);
});
