import { afterEach, describe, expect, it } from 'vitest';
import {
  claimReply,
  isVerification,
  startVisionModel as startModel,
  type VisionModel,
  type VisionModelScript,
  verificationReply,
} from '#test/servers/vision-model';
import { answer } from '../answer.ts';
import { observations, signals } from '../find/observations.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { createVisionSearch, mergeVisionResult } from './index.ts';

const planner = createPlanner();
const video = observations(10, { signals: signals(10) });
const picture = (timeS: number) => Promise.resolve(Buffer.from(`jpeg at ${timeS}`));

let model: VisionModel | null = null;

async function modelThat(script: VisionModelScript): Promise<VisionModel> {
  model = await startModel(script);
  return model;
}

afterEach(async () => {
  await model?.close();
  model = null;
});

const eyes = (url: string, timeoutMs?: number) =>
  createVisionSearch({ url, model: 'eyes', apiKey: 'k-1' }, { timeoutMs })!;
describe('look', () => {
  it('is null without a model', () => {
    expect(createVisionSearch(null)).toBeNull();
  });

  it('queries what no observer can find, verifies each claim, and reports it with frame times', async () => {
    const { url, requests } = await modelThat((request) => ({
      text: isVerification(request)
        ? verificationReply(true)
        : `Sure!\n\`\`\`json\n${requests.length === 1 ? claimReply() : '{"events": []}'}\n\`\`\``,
    }));
    const plan = planner.planQuery('a red car, a pothole');
    const result = await eyes(url).search(plan, video, picture);
    expect(result.events).toHaveLength(1);
    const [finding] = result.events;
    expect(finding).toMatchObject({
      label: 'a pothole in the lane',
      category: 'look',
      confidence: 0.8,
      explanation: expect.stringContaining('look (eyes)'),
    });
    expect([...video.signals!.pts]).toContain(finding!.startPts);
    expect(finding!.startS).toBeCloseTo(finding!.startPts / 90_000, 6);
    expect(result.coverage).toEqual([
      {
        text: 'pothole',
        status: 'partly',
        by: ['look (eyes)'],
        reason: expect.stringContaining('frames were shown'),
        findings: 1,
      },
    ]);
    // Two windows of up to eight frames, then one check of the three frames claimed.
    expect(requests.map((r) => r.images.length)).toEqual([8, 8, 3]);
    expect(requests[0]!.images[0]).toMatch(/^data:image\/jpeg;base64,/);
    expect(requests[0]!.authorization).toBe('Bearer k-1');
    expect(requests[0]!.texts.join(' ')).toContain('"pothole"');
    expect(requests[0]!.texts.join(' ')).not.toContain('red car');
    // Servers that cache by text must not answer about other pictures.
    expect(requests[0]!.texts[0]).not.toBe(requests[1]!.texts[0]);
  });

  it('does not report claims that the second pass rejects', async () => {
    const { url } = await modelThat((request) => ({
      text: isVerification(request) ? verificationReply(false) : claimReply(),
    }));
    const result = await eyes(url).search(planner.planQuery('a pothole'), video, picture);
    expect(result).toMatchObject({ events: [], coverage: [{ status: 'partly', findings: 0 }] });
  });

  it('sends no request if the observers know every word', async () => {
    const { url, requests } = await modelThat(() => ({ text: claimReply() }));
    expect(await eyes(url).search(planner.planQuery('a red car stops'), video, picture)).toEqual({
      events: [],
      candidates: [],
      coverage: [],
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ['words without JSON', { text: 'I see a nice road.' }, 'contained no JSON'],
    ['broken JSON', { text: '{"events": [' + '{]}' }, 'not valid JSON'],
    ['another shape', { text: '{"events": "many"}' }, 'another shape'],
    ['an answer cut off', { text: claimReply(), finish: 'length' }, 'cut off'],
    ['a refusal', { status: 401 }, 'status 401'],
    ['silence', { delayMs: 3000, text: claimReply() }, 'did not answer within'],
  ])('reports %s as an outcome with a reason', async (_name, reply, reason) => {
    const { url } = await modelThat(() => reply);
    const result = await eyes(url, 500).search(planner.planQuery('a pothole'), video, picture);
    expect(result.events).toEqual([]);
    expect(result.coverage).toEqual([
      { text: 'pothole', status: 'not_looked_for', by: [], reason: expect.stringContaining(reason), findings: 0 },
    ]);
    expect(JSON.stringify(result)).not.toContain('secret words');
  });

  it('reports an unreachable endpoint as an outcome', async () => {
    const result = await eyes('http://127.0.0.1:9/v1', 5000).search(
      planner.planQuery('a pothole'),
      observations(4),
      picture,
    );
    expect(result.coverage[0]).toMatchObject({
      status: 'not_looked_for',
      reason: expect.stringContaining('could not be reached'),
    });
  });

  it.each([
    ['questions', { question: 7 }],
    ['frames', { first_frame: 3, last_frame: 90 }],
    ['orders', { first_frame: 5, last_frame: 2 }],
    ['doubts', { confidence: 0.2 }],
  ])('drops claims with invalid %s', async (_name, over) => {
    const { url, requests } = await modelThat(() => ({ text: claimReply(over) }));
    const result = await eyes(url).search(planner.planQuery('a pothole'), video, picture);
    expect(result.events).toEqual([]);
    expect(requests.some(isVerification)).toBe(false);
  });

  it('shows a bounded number of frames of a long video, from the parts with the most motion', async () => {
    const long = observations(600, {
      signals: signals(600, (t) => ({ localMotion: t > 300 && t < 340 ? 0.2 : 0.01 }), 5),
    });
    const { url, requests } = await modelThat(() => ({ text: '{"events": []}' }));
    const times: number[] = [];
    const watched = (t: number) => {
      times.push(t);
      return picture(t);
    };
    await eyes(url).search(planner.planQuery('a pothole'), long, watched);
    expect(requests).toHaveLength(6);
    expect(times).toHaveLength(48);
    expect(times.filter((t) => t > 295 && t < 345).length).toBeGreaterThan(35);
  });

  it('leaves out frames that cannot be decoded, and reports a failure if none can', async () => {
    const { url, requests } = await modelThat((request) => ({
      text: isVerification(request) ? verificationReply(true) : claimReply(),
    }));
    const plan = planner.planQuery('a pothole');
    const fromFive = (timeS: number) =>
      timeS < 5.5 ? Promise.reject(new Error('the video is damaged there')) : picture(timeS);
    const result = await eyes(url).search(plan, video, fromFive);
    expect(requests.map((r) => r.images.length)).toEqual([7, 3]);
    expect(result.events).toHaveLength(1);
    // Frame 2 of those shown, not of those chosen.
    expect(result.events[0]!.startS).toBeGreaterThan(6);
    expect(result.coverage[0]!.reason).toContain('7 frames were shown');
    const none = await eyes(url).search(plan, video, () => Promise.reject(new Error('the video is damaged')));
    expect(none).toMatchObject({
      events: [],
      coverage: [{ status: 'not_looked_for', reason: expect.stringContaining('could not be decoded') }],
    });
  });

  it('sends no more requests after the time limit', async () => {
    const { url, requests } = await modelThat(() => ({ text: claimReply(), delayMs: 200 }));
    const vision = { url, model: 'eyes', apiKey: null };
    const result = await createVisionSearch(vision, { maxTotalMs: 100 })!.search(
      planner.planQuery('a pothole'),
      video,
      picture,
    );
    expect(requests).toHaveLength(1);
    expect(result).toMatchObject({
      events: [],
      coverage: [{ status: 'not_looked_for', reason: expect.stringContaining('too slow') }],
    });
  });

  it('reports progress, but not if there is nothing to search for', async () => {
    const { url } = await modelThat((request) => ({
      text: isVerification(request) ? verificationReply(true) : claimReply(),
    }));
    const fractions: number[] = [];
    const onProgress = (fraction: number) => void fractions.push(fraction);
    await eyes(url).search(planner.planQuery('a red car'), video, picture, { onProgress });
    expect(fractions).toEqual([]);
    await eyes(url).search(planner.planQuery('a pothole'), video, picture, { onProgress });
    expect(fractions).toEqual([0, 0.3, 0.6, 0.8, 1]);
  });

  it('stops when aborted', async () => {
    const { url } = await modelThat(() => ({ delayMs: 5000 }));
    const controller = new AbortController();
    const looking = eyes(url).search(planner.planQuery('a pothole'), video, picture, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('stopped')), 100);
    await expect(looking).rejects.toThrow('stopped');
  });

  it('adds to the answer of the observers', async () => {
    const { url } = await modelThat((request) => ({
      text: isVerification(request) ? verificationReply(true) : claimReply(),
    }));
    const plan = planner.planQuery('cuts, a pothole');
    const before = answer(plan, video);
    const after = mergeVisionResult(plan, before, await eyes(url).search(plan, video, picture));
    expect(after.coverage.map((row) => [row.text, row.status])).toEqual([
      ['cuts', 'looked_for'],
      ['pothole', 'partly'],
    ]);
    expect(after.events.length).toBe(2);
    expect(after.summary).toContain('A vision-language model also searched: 2 for "pothole".');
    expect(after.summary).not.toContain('Not looked for');
  });

  it('comes before the parts that were not searched', async () => {
    const { url } = await modelThat(() => ({ text: '{"events": []}' }));
    const plan = planner.planQuery('is there a pothole, and faster than 80 km/h?');
    const before = answer(plan, video);
    const { summary } = mergeVisionResult(plan, before, await eyes(url).search(plan, video, picture));
    expect(summary.indexOf('A vision-language model')).toBeGreaterThanOrEqual(0);
    expect(summary.indexOf('A vision-language model')).toBeLessThan(summary.indexOf('Not looked for'));
  });

  it.each([
    ['finds it', claimReply(), '2 for "pothole"'],
    ['finds nothing', '{"events": []}', 'nothing for "pothole"'],
    ['talks nonsense', 'A lovely road.', 'no answer for "pothole"'],
  ])('reports in the answer to a question that the model %s', async (_name, text, expected) => {
    const { url } = await modelThat((request) => ({ text: isVerification(request) ? verificationReply(true) : text }));
    const plan = planner.planQuery('is there a pothole?');
    const after = mergeVisionResult(plan, answer(plan, video), await eyes(url).search(plan, video, picture));
    for (const words of [after.answer, after.summary])
      expect(words).toContain(`A vision-language model also searched: ${expected}.`);
  });
});
