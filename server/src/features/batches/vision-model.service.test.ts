// Terms that no observer covers, sent to a vision-language model on the wire, through the whole way of an analysis.
import { afterEach, expect, test } from 'vitest';
import { freePort } from '#platform/net/index';
import { sceneClip } from '#test/media/clips';
import { isTruism } from '#test/servers/known-statements';
import { ADVERSARIES } from '#test/servers/vision-adversaries';
import { startVisionModel, type VisionModel, type VisionModelScript } from '#test/servers/vision-model';
import { createVisionOracle, isControl, kindOf, optionsIn } from '#test/servers/vision-oracle';
import { askAndFollow, completion, createWorld, last } from './world.fixture.ts';

const world = createWorld();

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.reverse()) await each.close();
  opened = [];
});

const envOf = ({ url }: Pick<VisionModel, 'url'>) => ({
  SIGHTLINE_VISION_URL: url,
  SIGHTLINE_VISION_MODEL: 'eyes',
  SIGHTLINE_VISION_API_KEY: 'k-1',
  SIGHTLINE_VISION_PRICE: '0.50/2',
  // Nothing listens there: rewritten prompts have tests of their own, and would be requests to the model.
  SIGHTLINE_LANGUAGE_URL: 'http://127.0.0.1:1',
  SIGHTLINE_LANGUAGE_MODEL: 'none',
});

type Node = Awaited<ReturnType<typeof world.realNode>>;

async function ask(on: Node, videoId: string, query: string, body: object = {}) {
  const { events } = await askAndFollow(on, { query, video_id: videoId, ...body });
  expect(last(events)).toMatchObject({ event: 'done', status: 'completed' });
  const path = `/api/videos/${videoId}/analyses/${completion(events).analysis_id}`;
  const { json } = await on.api.call('GET', path, { key: 'alice' });
  return { events, analysis: json.analysis as Analysis };
}

/** A node whose engine asks this model, and a question about the scene put to it. */
async function askWith(model: Pick<VisionModel, 'url'>, query: string, env: Record<string, string> = {}) {
  const on = await world.realNode({ ...envOf(model), ...env });
  const videoId = await world.video({ path: await sceneClip() });
  return { on, videoId, ...(await ask(on, videoId, query)) };
}

type Analysis = {
  answer: string;
  summary: string;
  events: AnalysisEvent[];
  candidates: AnalysisEvent[];
  coverage: { text: string; status: string; by: string[]; reason: string; findings: number }[];
  citations?: { sentence: string; sources: { time_s: number }[] }[];
  vision?: { calls: number; cached_calls: number; input_tokens: number; cost: number; shown_share: number };
};
type AnalysisEvent = {
  start_s: number;
  end_s: number;
  description: string;
  type: string;
  verification?: { status: string; by: string; frames_s: number[] };
  data: { annotated_thumbnail_url: string; evidence: Evidence };
};
type Evidence = { signals: { name: string }[]; frames: { url: string }[] };

/** A model that sees a pothole in the first three frames of each window, and answers controls truly. */
async function potholes(change: VisionModelScript = () => ({})): Promise<VisionModel> {
  const oracle = await createVisionOracle();
  const seen: [from: number, to: number][] = [];
  const started = await startVisionModel((request, n) => {
    const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
    const truth = oracle.script(request, n);
    const over = change(request, n);
    if (isControl(request)) return { ...truth, ...over };
    const reply = () => {
      if (kindOf(request) === 'words')
        return JSON.stringify({ sentences: [{ text: 'A pothole is there.', cites: [1] }], unknown: [] });
      if (kindOf(request) === 'edges') return JSON.stringify({ so: request.images.map(() => false) });
      if (kindOf(request) === 'claims') {
        const question = request.texts
          .at(-1)!
          .split('\n')
          .find((line) => line.includes('"pothole"'))![0];
        seen.push([times[0]!, times[2]!]);
        const event = { question: Number(question), first_frame: 1, last_frame: 3, confidence: 0.9 };
        return JSON.stringify({
          seen: [{ frame: 1, fact: 'a hole' }],
          events: [{ ...event, label: 'a pothole in the lane' }],
        });
      }
      const options = optionsIn(request);
      const { text } = options[0]!;
      const isSeen = seen.some(([from, to]) => times[0]! >= from && times[0]! <= to);
      const isThere = isTruism(text) || (/pothole/i.test(text) && isSeen);
      return JSON.stringify({
        choice: options.find(({ option }) => option === (isThere ? 'requested' : 'neither'))!.letter,
      });
    };
    return { text: reply(), ...over };
  });
  opened.push(started);
  return started;
}

test('a verified finding of the model is an event with evidence; terms of the observers are not sent to it', async () => {
  const eyes = await potholes(() => ({ delayMs: 100 }));
  const { on, events, analysis } = await askWith(eyes, 'a cut, a pothole');
  expect(analysis.coverage).toMatchObject([
    { text: 'cut', status: 'looked_for', by: ['signals'] },
    { text: 'pothole', status: 'partly', by: ['look (eyes)'] },
  ]);
  const found = analysis.events.filter(({ type }) => type === 'look');
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]).toMatchObject({
    description: 'a pothole in the lane',
    verification: { status: 'verified', by: 'look (eyes)' },
    data: { evidence: { signals: [{ name: 'look (eyes)' }] } },
  });
  expect(analysis.vision).toMatchObject({ model: 'eyes', cached_calls: 0, shown_share: 1 });
  expect(events.filter((e) => e.event === 'finding')).toHaveLength(analysis.events.length);
  expect(events.some((e) => e.event === 'progress' && e.data.stage === 'looking')).toBe(true);
  const url = new URL(found[0]!.data.annotated_thumbnail_url);
  const picture = await fetch(on.api.base + url.pathname + url.search);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  // Real pictures of the video, with the key, about the pothole.
  const window = eyes.requests.find((request) => kindOf(request) === 'claims' && !isControl(request))!;
  expect(window.images[0]).toMatch(/^data:image\/jpeg;base64,\/9j\//);
  expect(window.authorization).toBe('Bearer k-1');
  expect(window.texts.at(-1)).toMatch(/^\d\. "pothole" \(part of: "a cut, a pothole"\)$/m);
  expect(window.texts.at(-1)).not.toMatch(/^\d\. "cut"/m);
});

test('an equal question is answered from the cache on every node, is free, and shows in the usage', async () => {
  const eyes = await potholes();
  const { on, videoId, analysis } = await askWith(eyes, 'is there a pothole?');
  const calls = eyes.requests.length;
  expect(analysis.vision).toMatchObject({ calls });
  expect(analysis.citations).toMatchObject([
    { sentence: 'A pothole is there.', status: 'verified', sources: [{ time_s: expect.any(Number) }] },
  ]);
  expect(analysis.answer).toMatch(/^A pothole is there \(0:0\d\.\d\)\./);
  const usage = async () =>
    (await on.api.call('GET', '/api/usage', { key: 'alice' })).json.vision as { calls: number; cost: number };
  const before = await usage();
  expect(before).toMatchObject({
    month: new Date().toISOString().slice(0, 7),
    input_tokens: expect.any(Number),
    max_tokens: null,
  });
  expect(before.cost).toBeGreaterThan(0);

  const other = await world.realNode(envOf(eyes));
  const again = await ask(other, videoId, 'is there a pothole?');
  expect(eyes.requests).toHaveLength(calls);
  expect(again.analysis.vision).toMatchObject({ calls: 0, cached_calls: calls, input_tokens: 0, cost: 0 });
  expect(again.analysis.events.map(({ description }) => description)).toEqual(
    analysis.events.map(({ description }) => description),
  );
  expect(await usage()).toEqual(before);
  const system = await on.api.call('GET', '/api/system', { key: 'admin' });
  expect(system.json.vision).toEqual({ model: 'eyes', state: 'ok', reason: null });
});

test('what a worker paid for before it stopped is not paid for again', async () => {
  let isFrozen = true;
  const PAID = 3;
  const eyes = await potholes((_request, n) => (isFrozen && n > PAID ? { delayMs: 600_000 } : {}));
  const env = { ...envOf(eyes), SIGHTLINE_VISION_CONCURRENCY: '1' };
  const first = await world.realNode(env);
  const videoId = await world.video({ path: await sceneClip() });
  const asking = ask(first, videoId, 'a pothole');
  await expect.poll(() => eyes.requests.length, { timeout: 60_000 }).toBe(PAID + 1);
  await first.jobs.close();
  isFrozen = false;
  await world.realNode(env);
  const { analysis } = await asking;
  const { calls, cached_calls } = analysis.vision!;
  expect(cached_calls).toBe(PAID);
  // The call that had no answer is repeated.
  expect(eyes.requests).toHaveLength(PAID + 1 + calls);
});

test.each([
  ['TOKEN', 'batch=100', 'the limit of 100 tokens per batch is reached'],
  ['TOKEN', 'key=100', 'the limit of 100 tokens per API key and month is reached'],
  ['TOKEN', 'month=100', 'the limit of 100 tokens per month is reached'],
  ['MONEY', 'batch=0.000001', 'the limit of 0.000001 in money per batch is reached'],
  ['MONEY', 'key=0.000001', 'the limit of 0.000001 in money per API key and month is reached'],
  ['MONEY', 'month=0.000001', 'the limit of 0.000001 in money per month is reached'],
])('a %s limit of %s stops the calls, and the coverage states it', async (kind, limit, reason) => {
  const eyes = await potholes();
  const { analysis } = await askWith(eyes, 'a pothole', { [`SIGHTLINE_VISION_${kind}_LIMITS`]: limit });
  expect(eyes.requests).toEqual([]);
  expect(analysis.coverage).toMatchObject([{ status: 'not_looked_for', reason: expect.stringContaining(reason) }]);
});

test('events of observers are verified on request', async () => {
  const eyes = await potholes();
  const on = await world.realNode(envOf(eyes));
  const videoId = await world.video({ path: await sceneClip() });
  const never = await ask(on, videoId, 'something moves', { verify: 'never' });
  expect([never.analysis.vision, eyes.requests.length]).toEqual([undefined, 0]);
  const { analysis } = await ask(on, videoId, 'something moves', { verify: 'always' });
  expect(eyes.requests.length).toBeGreaterThan(0);
  expect(analysis.vision!.calls).toBe(eyes.requests.length);
  // It denies everything but potholes: what it denies is no event any more.
  expect(never.analysis.events.length).toBeGreaterThan(0);
  const refuted = analysis.candidates.filter(({ verification }) => verification?.status === 'refuted');
  expect(refuted.length).toBeGreaterThan(0);
  expect(refuted[0]!.verification).toMatchObject({
    by: 'look (eyes)',
    frames_s: expect.arrayContaining([expect.any(Number)]),
  });
  const oracle = await createVisionOracle();
  const agreeing = await startVisionModel((request, n) => {
    const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
    const isMoving = never.analysis.events.some(
      ({ start_s, end_s }) => times[0]! >= start_s - 0.1 && times[0]! <= end_s + 0.1,
    );
    const sought = optionsIn(request).find(({ option, text }) => option === 'requested' && text === 'something moves');
    return sought && isMoving ? { text: JSON.stringify({ choice: sought.letter }) } : oracle.script(request, n);
  });
  opened.push(agreeing);
  // The next question is for the node with the other model.
  await on.jobs.close();
  const other = await ask(await world.realNode(envOf(agreeing)), videoId, 'something moves', { verify: 'always' });
  const statuses = other.analysis.events.map(({ verification }) => verification?.status);
  expect(statuses).toEqual(never.analysis.events.map(() => 'verified'));
});

test('a model that says yes to everything is not believed', async () => {
  const oracle = await createVisionOracle();
  const eyes = await startVisionModel((request, n) => ADVERSARIES.yes!(request, oracle.script(request, n), n));
  opened.push(eyes);
  const { analysis } = await askWith(eyes, 'is there a pothole?');
  expect(analysis).toMatchObject({
    events: [],
    coverage: [{ text: 'pothole', status: 'not_looked_for', by: [], findings: 0 }],
    answer: expect.stringContaining('no answer for "pothole"'),
  });
  expect(analysis.coverage[0]!.reason).toContain('look (eyes) is not believed');
});

test('an unavailable model is a reason in coverage, not a failed analysis', async () => {
  const { analysis, on } = await askWith({ url: `http://127.0.0.1:${await freePort()}/v1` }, 'a pothole');
  expect(analysis).toMatchObject({
    events: [],
    coverage: [{ text: 'pothole', status: 'not_looked_for', by: [], reason: expect.stringContaining('look (eyes)') }],
    summary: expect.stringContaining('no answer for "pothole"'),
  });
  expect(analysis.coverage[0]!.reason).toContain('could not be reached');
  const system = await on.api.call('GET', '/api/system', { key: 'admin' });
  expect(system.json.vision).toMatchObject({
    state: 'failing',
    reason: expect.stringContaining('could not be reached'),
  });
});

test('the model is not queried if the observers cover the whole prompt', async () => {
  const eyes = await potholes();
  const { analysis } = await askWith(eyes, 'the picture is dark');
  expect(analysis.events).toHaveLength(1);
  expect(analysis.vision).toBeUndefined();
  expect(eyes.requests).toEqual([]);
});
