// Terms that no observer covers, sent to a vision-language model on the wire, through the whole way of an analysis.
import { afterEach, expect, test } from 'vitest';
import { sceneClip } from '#test/media/clips';
import {
  claimReply,
  isVerification,
  startVisionModel,
  type VisionModel,
  type VisionModelScript,
  verificationReply,
} from '#test/servers/vision-model';
import { askAndFollow, completion, createWorld, last } from './world.fixture.ts';

const world = createWorld();

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.reverse()) await each.close();
  opened = [];
});

/** A node whose engine asks this model, and a question about the scene put to it. */
async function askWith({ url }: Pick<VisionModel, 'url'>, query: string) {
  const on = await world.realNode({
    SIGHTLINE_VISION_URL: url,
    SIGHTLINE_VISION_MODEL: 'eyes',
    SIGHTLINE_VISION_API_KEY: 'k-1',
    // Nothing listens there: rewritten prompts have tests of their own, and would be requests to the model.
    SIGHTLINE_LANGUAGE_URL: 'http://127.0.0.1:1',
    SIGHTLINE_LANGUAGE_MODEL: 'none',
  });
  const videoId = await world.video({ path: await sceneClip() });
  const { events } = await askAndFollow(on, { query, video_id: videoId });
  expect(last(events)).toMatchObject({ event: 'done', status: 'completed' });
  const path = `/api/videos/${videoId}/analyses/${completion(events).analysis_id}`;
  const { json } = await on.api.call('GET', path, { key: 'alice' });
  return { on, events, analysis: json.analysis as Analysis };
}

type Analysis = {
  answer: string;
  summary: string;
  events: { description: string; type: string; data: { annotated_thumbnail_url: string; evidence: Evidence } }[];
  coverage: { text: string; status: string; by: string[]; reason: string; findings: number }[];
};
type Evidence = { signals: { name: string }[]; frames: { url: string }[] };

async function model(script: VisionModelScript): Promise<VisionModel> {
  const started = await startVisionModel(script);
  opened.push(started);
  return started;
}

test('a verified finding of the model is an event with evidence; terms of the observers are not sent to it', async () => {
  const eyes = await model((request, n) => ({
    text: isVerification(request) ? verificationReply(true) : n === 1 ? claimReply() : '{"events": []}',
    delayMs: 300,
  }));
  const { on, events, analysis } = await askWith(eyes, 'a cut, a pothole');
  expect(analysis.coverage).toMatchObject([
    { text: 'cut', status: 'looked_for', by: ['signals'] },
    { text: 'pothole', status: 'partly', by: ['look (eyes)'], findings: 1 },
  ]);
  const found = analysis.events.filter(({ type }) => type === 'look');
  expect(found).toMatchObject([
    {
      description: 'a pothole in the lane',
      data: { evidence: { signals: [{ name: 'look (eyes)' }], frames: [{}, {}, {}] } },
    },
  ]);
  expect(analysis.events.length).toBeGreaterThan(1);
  expect(events.filter((e) => e.event === 'finding')).toHaveLength(analysis.events.length);
  expect(events.some((e) => e.event === 'progress' && e.data.stage === 'looking')).toBe(true);
  const url = new URL(found[0]!.data.annotated_thumbnail_url);
  const picture = await fetch(on.api.base + url.pathname + url.search);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  // Real pictures of the video, with the key, about the pothole alone.
  expect(eyes.requests[0]!.images[0]).toMatch(/^data:image\/jpeg;base64,\/9j\//);
  expect(eyes.requests[0]!.authorization).toBe('Bearer k-1');
  expect(eyes.requests[0]!.texts.join(' ')).toMatch(/"pothole"/);
  expect(eyes.requests[0]!.texts.join(' ')).not.toMatch(/"cut"/);
});

test('a finding that the model does not confirm is dropped', async () => {
  const eyes = await model((request) => ({ text: isVerification(request) ? verificationReply(false) : claimReply() }));
  const { analysis } = await askWith(eyes, 'is there a pothole?');
  expect(eyes.requests.some(isVerification)).toBe(true);
  expect(analysis).toMatchObject({
    events: [],
    coverage: [{ text: 'pothole', status: 'partly', by: ['look (eyes)'], findings: 0 }],
    answer: expect.stringContaining('nothing for "pothole"'),
  });
});

test('an unavailable model is a reason in coverage, not a failed analysis', async () => {
  const stopped = await startVisionModel(() => ({}));
  await stopped.close();
  const { analysis } = await askWith(stopped, 'a pothole');
  expect(analysis).toMatchObject({
    events: [],
    coverage: [{ text: 'pothole', status: 'not_looked_for', by: [], reason: expect.stringContaining('look (eyes)') }],
    summary: expect.stringContaining('no answer for "pothole"'),
  });
  expect(analysis.coverage[0]!.reason).toContain('could not be reached');
});

test('the model is not queried if the observers cover the whole prompt', async () => {
  const eyes = await model(() => ({ text: claimReply() }));
  const { analysis } = await askWith(eyes, 'the picture is dark');
  expect(analysis.events).toHaveLength(1);
  expect(eyes.requests).toEqual([]);
});
