import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Media } from '#platform/media/index';
import { createTestMedia } from '#test/media/clips';
import { ADVERSARIES } from '#test/servers/vision-adversaries';
import { startVisionModel, type VisionModel, type VisionModelScript } from '#test/servers/vision-model';
import { createVisionOracle, kindOf } from '#test/servers/vision-oracle';
import { profileOf } from '../oracle.fixture.ts';
import { drawPlainImage } from '../reliability/plain-image.ts';
import { CLIP_STEP_S } from '../session.ts';
import type { VisionProfile } from '../types.ts';
import { probeProfile } from './probe.ts';

let media: Media;
beforeAll(async () => {
  media = await createTestMedia();
});
afterAll(() => media?.close());

let model: VisionModel | null = null;
afterEach(async () => {
  await model?.close();
  model = null;
});

/** An oracle that also answers the questions about a letter and a code; `change` changes its replies. */
async function probe(
  change: (script: VisionModelScript) => VisionModelScript,
  over: Partial<VisionProfile> = {},
  watches = true,
) {
  const oracle = await createVisionOracle(media);
  for (const color of ['red', 'green', 'blue', 'yellow'] as const) {
    const shows = (text: string) => text === `the whole picture is plain ${color}`;
    oracle.learn(await drawPlainImage(color, { width: 768, height: 432 }), [{ timeS: 0, shows, facts: [] }]);
  }
  const truthful: VisionModelScript = (request, n) => {
    const text = request.texts.at(-1)!;
    if (text.startsWith('Answer with the letter')) return { text: '{"choice": "A"}' };
    if (text.startsWith('Which code')) {
      const code = /The code is (\d+)/.exec(request.texts.join('\n'))?.[1];
      const letter = new RegExp(`\\((.)\\) ${code}`).exec(text)?.[1] ?? 'A';
      return { text: JSON.stringify({ choice: letter }) };
    }
    return oracle.script(request, n);
  };
  model = await startVisionModel(change(truthful), watches ? { watch: oracle.watch } : {});
  const encodeClip = (pictures: readonly Buffer[]) => media.pictureClip(pictures, { stepS: CLIP_STEP_S });
  const report = await probeProfile(profileOf(model.url, over), { timeoutMs: 5000, encodeClip });
  const failed = report.checks.filter(({ isPassed }) => !isPassed).map(({ name }) => name);
  const detailOf = (name: string) => report.checks.find((check) => check.name === name)?.detail;
  return { ...report, failed, detailOf };
}

it('finds a model usable that answers truly, with its tokens and speed', async () => {
  const report = await probe((script) => script);
  expect(report).toMatchObject({ model: 'eyes', isUsable: true, failed: [] });
  expect(report.detailOf('structured output')).toBe('json_schema');
  expect(report.detailOf('tokens per image')).toMatch(/^4\d\d for 768 × 432 pixels/);
  expect(report.detailOf('context')).toMatch(/^holds 16 images/);
});

it.each(['yes', 'no', 'liar', 'garbage', 'status 500', 'last image only'])(
  'does not find a model usable: %s',
  async (name) => {
    const report = await probe((script) => (request, n) => {
      const truth = script(request, n);
      return (request.images.length === 0 || request.texts.at(-1)!.startsWith('Which code')) && name !== 'status 500'
        ? truth
        : ADVERSARIES[name]!(request, truth, n);
    });
    expect(report.isUsable, JSON.stringify(report.checks)).toBe(false);
  },
);

it('finds the number of images that an endpoint takes', async () => {
  const report = await probe(
    (script) => (request, n) => (request.images.length > 8 ? { status: 413 } : script(request, n)),
  );
  expect(report).toMatchObject({ isUsable: true, failed: ['images per request'] });
  expect(report.detailOf('images per request')).toContain('SIGHTLINE_VISION_MAX_IMAGES=8');
});

it('finds a context that is too short, thinking, and formats that are refused', async () => {
  const forgets = await probe((script) => (request, n) => {
    const isLong = request.images.length >= 12;
    return script(isLong && kindOf(request) === 'claims' ? { ...request, texts: request.texts.slice(3) } : request, n);
  });
  expect(forgets).toMatchObject({ isUsable: true, failed: ['context'] });
  await model!.close();
  const strict = await probe((script) => (request, n) => {
    if (request.responseFormat !== undefined) return { status: 400 };
    const reply = script(request, n);
    return { ...reply, text: `<think>${'well '.repeat(100)}</think>${reply.text}`, inputTokens: 0 };
  });
  expect(strict).toMatchObject({ isUsable: true, failed: ['thinking'] });
  expect(strict.detailOf('structured output')).toContain('none');
});

it('states whether the endpoint takes clips, which is a fault only if they are configured', async () => {
  const takes = await probe((script) => script);
  expect(takes.detailOf('clips')).toMatch(/^named all frames truly, at \d+ % of the tokens of images/);
  await model!.close();
  const refuses = await probe((script) => script, {}, false);
  expect(refuses).toMatchObject({ isUsable: true, failed: [] });
  expect(refuses.detailOf('clips')).toBe('images are sent instead: its endpoint answered a clip with status 400');
  await model!.close();
  expect(await probe((script) => script, { videoUrl: true }, false)).toMatchObject({
    isUsable: true,
    failed: ['clips'],
  });
});
