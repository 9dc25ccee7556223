// Prompts that a language model on the wire reads, from the request over its account to the document.
import { afterEach, expect, test } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { honestly, isControlPrompt, promptOf } from '#test/servers/language-oracle';
import { startVisionModel, type VisionModel, type VisionModelScript } from '#test/servers/vision-model';
import { askAndFollow, completion, createWorld } from './world.fixture.ts';

const world = createWorld();

let model: VisionModel | null = null;
afterEach(async () => {
  await model?.close();
  model = null;
});

const DARK = 'het beeld is nu donker';
const reading = (from: string, to: string, language = 'Dutch') =>
  JSON.stringify({ language, sentences: [{ from, to }], left: [] });
/** Reads the prompt as "the picture is dark". */
const honest = honestly((prompt) => reading(prompt, 'the picture is dark'));

async function nodeWith(script: VisionModelScript, env: Record<string, string> = {}) {
  model = await startVisionModel(script);
  const on = await world.realNode({
    SIGHTLINE_LANGUAGE_URL: model.url,
    SIGHTLINE_LANGUAGE_MODEL: 'reader',
    SIGHTLINE_LANGUAGE_PRICE: '0.50/2',
    ...env,
  });
  // The node checks the model when it starts.
  const isTried = async () => (await stateOf(on)).state !== 'unknown';
  if (!Object.values(env).some((limit) => limit.startsWith('month='))) await expect.poll(isTried).toBe(true);
  return on;
}

const stateOf = async (on: Node) =>
  (await on.api.call('GET', '/api/system', { key: 'admin' })).json.language_model as Record<string, string | null>;
/** Prompts that the model received, without control prompts. */
const prompts = () => model!.requests.map(promptOf).filter((prompt) => !isControlPrompt(prompt));

type Node = Awaited<ReturnType<typeof world.realNode>>;

async function ask(on: Node, query: string, videoIds: string[]) {
  const { events } = await askAndFollow(on, { query, video_ids: videoIds });
  const path = `/api/videos/${videoIds[0]}/analyses/${completion(events).analysis_id}`;
  const { json } = await on.api.call('GET', path, { key: 'alice' });
  return json.analysis as {
    analysis_id: string;
    interpretation: string;
    answer: string;
    events: { caveats: string[]; data: { confidence: number } }[];
    coverage: { status: string; reason: string }[];
    language_model?: { calls: number; cached_calls: number; input_tokens: number; cost: number };
  };
}

const usageOf = async (on: Node, key = 'alice') =>
  (await on.api.call('GET', '/api/usage', { key })).json.vision as Record<string, number>;

test('what a model reads has a caveat and a lower confidence, and its tokens count', async () => {
  const on = await nodeWith(honest);
  const videoId = await world.video({ path: await sceneClip() });
  const before = await usageOf(on);
  const plain = await ask(on, 'the picture is dark', [videoId]);
  expect([plain.language_model, prompts()]).toEqual([undefined, []]);

  const read = await ask(on, DARK, [videoId]);
  const caveat = `"${DARK}": a language model read it from Dutch as "the picture is dark"; no dictionary confirms that`;
  expect(read.events.map(({ caveats }) => caveats)).toEqual(plain.events.map(() => [caveat]));
  expect(plain.events.length).toBeGreaterThan(0);
  for (const [i, { data }] of read.events.entries())
    expect(data.confidence).toBeCloseTo(0.8 * plain.events[i]!.data.confidence, 2);
  expect(read.coverage).toMatchObject([{ status: 'partly', reason: expect.stringContaining(caveat) }]);
  expect(read.interpretation).toContain('read from Dutch by a language model as "the picture is dark"');

  expect(prompts()).toEqual([DARK]);
  expect(read.language_model).toMatchObject({ model: 'reader', calls: 1, cached_calls: 0 });
  const after = await usageOf(on);
  for (const field of ['calls', 'input_tokens', 'output_tokens', 'cost'] as const)
    expect(after[field]! - before[field]!).toBeCloseTo((read.language_model as Record<string, number>)[field]!, 6);
  expect(read.language_model!.cost).toBeGreaterThan(0);
  expect(await stateOf(on)).toEqual({ model: 'reader', state: 'ok', reason: null });
});

test('videos of a batch share a reading, which is paid for once', async () => {
  const on = await nodeWith(honest);
  const clip = await sceneClip();
  const videoIds = [await world.video({ path: clip }), await world.video({ path: clip })];
  const { events } = await askAndFollow(on, { query: DARK, video_ids: videoIds });
  const completed = events.filter(({ event }) => event === 'video_completed').map(({ data }) => data);
  const used = await Promise.all(
    completed.map(async ({ video_id, analysis_id }) => {
      const { json } = await on.api.call('GET', `/api/videos/${video_id}/analyses/${analysis_id}`, { key: 'alice' });
      return (json.analysis as { language_model: Record<string, number> }).language_model;
    }),
  );
  expect(used.toSorted((a, b) => b.calls! - a.calls!)).toMatchObject([
    { calls: 1, cached_calls: 0 },
    { calls: 0, cached_calls: 1, input_tokens: 0, output_tokens: 0, cost: 0 },
  ]);
  expect(prompts()).toEqual([DARK]);
});

test('the check of the model is charged to the operator of the service', async () => {
  const on = await nodeWith(honest);
  const rows = await world.database.db.selectFrom('visionUsage').select(['calls', 'orgId']).execute();
  const { calls } = await usageOf(on);
  expect(rows.filter(({ orgId }) => !orgId.startsWith('o-')).reduce((sum, row) => sum + row.calls, 0)).toBeGreaterThan(
    3,
  );
  expect(calls).toBe(rows.filter(({ orgId }) => orgId === 'o-one').reduce((sum, row) => sum + row.calls, 0));
});

test.each([
  ['TOKEN', 'month=100', 'the limit of 100 tokens per month is reached'],
  ['TOKEN', 'batch=100', 'the limit of 100 tokens per batch is reached'],
  ['TOKEN', 'key=100', 'the limit of 100 tokens per API key and month is reached'],
  ['MONEY', 'month=0.000001', 'the limit of 0.000001 in money per month is reached'],
])('a %s limit of %s stops the calls, and the coverage states it', async (kind, limit, reason) => {
  const on = await nodeWith(honest, { [`SIGHTLINE_VISION_${kind}_LIMITS`]: limit });
  const { coverage, events } = await ask(on, DARK, [await world.video({ path: await sceneClip() })]);
  expect([events, prompts()]).toEqual([[], []]);
  const sentence = `the language model (reader) was not queried: ${reason}`;
  expect(coverage).toMatchObject([{ status: 'not_looked_for', reason: expect.stringContaining(sentence) }]);
});

test('a model that lies is not believed, and the service reports it', async () => {
  const on = await nodeWith((request) => ({ text: reading(promptOf(request), 'the picture is dark') }));
  const { coverage, events } = await ask(on, 'a zeppelin', [await world.video({ path: await sceneClip() })]);
  expect(events).toEqual([]);
  const sentence =
    /; the language model \(reader\) is not believed: it read 12 of 12 control prompts wrongly, such as /;
  expect(coverage).toMatchObject([{ status: 'not_looked_for', reason: expect.stringMatching(sentence) }]);
  expect(await stateOf(on)).toEqual({
    model: 'reader',
    state: 'doubted',
    reason: expect.stringMatching(/^it read 12 of 12 control prompts wrongly/),
  });
});

test('a lie that passes the control prompts is not searched', async () => {
  const on = await nodeWith(honestly((prompt) => reading(prompt, 'the picture is dark', 'English')));
  const { interpretation, events } = await ask(on, 'a zeppelin', [await world.video({ path: await sceneClip() })]);
  expect(events).toEqual([]);
  expect(interpretation).toContain('a language model read it as "the picture is dark", which was not searched');
});

test('previews and fields that a model finds count as well', async () => {
  const on = await nodeWith((request) =>
    request.texts.at(-1)!.includes('VERDICTS')
      ? {
          text: JSON.stringify({
            scope: 'event',
            fields: [{ name: 'way', type: 'text', values: [], description: '' }],
          }),
        }
      : honest(request),
  );
  const before = await usageOf(on);
  await on.api.call('POST', '/api/router/v2/query/plan', { key: 'alice', json: { query: DARK } });
  await on.api.call('POST', '/api/infer-output-schema', { key: 'alice', json: { query: 'how are VERDICTS reached?' } });
  expect((await usageOf(on)).calls! - before.calls!).toBe(2);
  expect((await usageOf(on, 'bob')).calls).toBe(0);
});
