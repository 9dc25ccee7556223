// Own fields of a query on real video: from the request over the stored document to the retry.
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { ask, askAndFollow, completion, createWorld } from './world.fixture.ts';

const world = createWorld();
const start = () => world.realNode({ SIGHTLINE_MODELS_DIR: join(inject('folder'), 'no models') });

const SCHEMA = {
  label: 'Light',
  fields: [
    { name: 'when', type: 'time_range', repeated: false },
    { name: 'dark', type: 'boolean', description: 'the picture is dark' },
    { name: 'weather', type: 'text', required: false },
  ],
};

test('the fields of a query are in the status of the batch and in the events of the document', async () => {
  const on = await start();
  const videoId = await world.video({ path: await sceneClip() });
  const query = 'the picture gets dark';
  const { batchId, events } = await askAndFollow(on, { query, video_id: videoId, output_schema: SCHEMA });
  const { json: batch } = await on.api.call('GET', `/api/batch/${batchId}/status`, { key: 'alice' });
  expect(batch.config).toMatchObject({ output_schema: { label: 'Light', scope: 'event', version: 1 } });
  const path = `/api/videos/${videoId}/analyses/${completion(events).analysis_id}`;
  const { json } = await on.api.call('GET', path, { key: 'alice' });
  const filled = {
    structured_output: { when: expect.stringMatching(/^00:06/), dark: true, weather: null },
    structured_output_label: 'Light',
    structured_output_version: 1,
    structured_output_errors: [{ field: 'weather', message: expect.stringMatching(/SIGHTLINE_VISION_URL/) }],
  };
  expect(json).toMatchObject({ events: [filled], analysis: { events: [filled] } });
  expect(events.find(({ event }) => event === 'finding')!.data.finding).toMatchObject(filled);
});

test('an invalid schema is refused with all its faults', async () => {
  const on = await start();
  const videoId = await world.video({ path: await sceneClip() });
  const output_schema = { scope: 'frame', fields: [{ name: 'A b' }] };
  expect(await ask(on.api, { video_id: videoId, output_schema })).toMatchObject({
    status: 400,
    json: {
      error: 'output_schema_invalid',
      errors: [{ param: 'output_schema.scope' }, { param: 'output_schema.fields[0].name' }],
      request_id: expect.any(String),
    },
  });
});

test('a prompt that states the form of its answer has a schema', async () => {
  const on = await start();
  const infer = (query: string) => on.api.call('POST', '/api/infer-output-schema', { key: 'alice', json: { query } });
  const { json } = await infer('a car. VERDICT: yes/no');
  expect(json).toMatchObject({ output_schema: { fields: [{ name: 'verdict', values: ['yes', 'no'] }] }, reason: null });
  expect((await infer('a car')).json).toEqual({ output_schema: null, reason: expect.any(String) });
  expect(await infer(' ')).toMatchObject({ status: 400, json: { error: 'query_empty' } });
});
