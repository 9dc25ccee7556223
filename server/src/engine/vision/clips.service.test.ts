import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Media } from '#platform/media/index';
import { createTestMedia } from '#test/media/clips';
import { ADVERSARIES, type Adversary } from '#test/servers/vision-adversaries';
import { isControl, kindOf, type Truth } from '#test/servers/vision-oracle';
import { createMemoryLedger } from './calls/index.ts';
import { drawnFramesOf } from './drawn-frames.fixture.ts';
import { estimateVision, type FrameSource, type VisionSearchOptions } from './index.ts';
import type { Eyes } from './oracle.fixture.ts';
import { look, planner, useEyes } from './search.fixture.ts';

const TRUTH: Truth = { pothole: [[3, 6.2]], fountain: [[12, 15]], 'gate opens': [[8, 10]] };
const SECONDS = 20;

let media: Media;
beforeAll(async () => {
  media = await createTestMedia();
});
afterAll(() => media?.close());

const openEyes = useEyes();
const open = (adversary?: Adversary, { profile, ...options }: VisionSearchOptions & { profile?: object } = {}) =>
  openEyes(adversary, { ...options, media, profile: { videoUrl: true, ...profile } });
const ask = (on: Eyes, prompt = 'a pothole', more: object = {}) =>
  look(prompt, SECONDS, TRUTH, on, { source: drawnFramesOf(on.oracle, TRUTH, media), ...more });
const clipsOf = ({ model }: Eyes) => model.requests.filter(({ clipFrames }) => clipFrames > 0);
const framesIn = (texts: readonly string[]) => texts.filter((text) => text.startsWith('Frame ')).length;

describe('frames as clips', () => {
  it.each(['a pothole', 'what happens', 'is there a pothole?', 'a gate opens', 'a unicorn'])(
    'have the same answer as images, with the same frames, for fewer tokens: %s',
    async (prompt) => {
      const withImages = await open(undefined, { profile: { videoUrl: false } });
      const images = await ask(withImages, prompt);
      expect(clipsOf(withImages)).toEqual([]);
      const on = await open();
      const clips = await ask(on, prompt);
      const { calls, inputTokens, cost } = images.usage;
      expect({ ...clips, usage: null }).toEqual({ ...images, usage: null });
      // One more call tries a clip of plain images.
      expect(clips.usage.calls).toBe(calls + 1);
      expect(clips.usage.inputTokens).toBeLessThan(0.85 * inputTokens);
      expect(clips.usage.cost).toBeLessThan(cost);
      // A frame for each label, and images only for plain images and where few frames are shown.
      for (const request of on.model.requests) {
        const shown = request.images.length;
        expect(shown).toBe(framesIn(request.texts));
        expect(request.clipFrames).toBe(shown < 4 || isControl(request) ? 0 : shown);
      }
      expect(clipsOf(on).length).toBeGreaterThan(1);
      expect(on.search.health().clips).toEqual({ state: 'accepted', reason: null });
    },
    60_000,
  );

  it.each(['yes', 'liar', 'random', 'injected', 'last image only'])(
    'show nothing false to an adversary: %s',
    async (name) => {
      const on = await open(ADVERSARIES[name]);
      const { events } = await ask(on, 'a unicorn');
      expect(events).toEqual([]);
    },
  );

  it('are shown reversed to see whether their order matters', async () => {
    const on = await open((request, truth) => {
      const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []);
      expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)));
      return truth;
    });
    const { events } = await ask(on, 'a gate opens');
    expect(events).toMatchObject([{ label: 'gate opens', caveats: [], verification: { status: 'verified' } }]);
    const shown = clipsOf(on).filter((request) => kindOf(request) === 'choice');
    const reversed = shown.filter((a) =>
      shown.some((b) => a !== b && a.images.join() === b.images.toReversed().join()),
    );
    expect(reversed.length).toBeGreaterThan(0);
  });
});

describe('an endpoint that does not take clips', () => {
  it.each([400, 413, 415, 422])('gets images instead after status %d, and coverage states it', async (status) => {
    const on = await open((request, truth) => (request.clipFrames > 0 ? { status } : truth));
    const first = await ask(on);
    expect(first.events).toMatchObject([{ label: 'pothole', verification: { status: 'verified' } }]);
    const reason = `its endpoint answered a clip with status ${status}`;
    expect(first.coverage[0]!.reason).toContain(`frames were shown as images instead of clips: ${reason}`);
    expect(on.search.health()).toEqual({ state: 'ok', reason: null, clips: { state: 'refused', reason } });
    expect(clipsOf(on)).toHaveLength(1);
    expect((await ask(on, 'a fountain')).events).toHaveLength(1);
    expect(clipsOf(on)).toHaveLength(1);
  });

  it('is not taken for one that refuses a schema', async () => {
    const on = await open((request, truth) => (request.responseFormat ? { status: 400 } : truth));
    expect((await ask(on)).events).toHaveLength(1);
    expect(on.search.health().clips.state).toBe('accepted');
  });

  it('gets images if it leaves out frames', async () => {
    const on = await open();
    const { watch } = on.oracle;
    on.oracle.watch = async (mp4) => (await watch(mp4)).map((_, i, all) => all[i - (i % 2)]!);
    const resampling = await openEyes(undefined, { profile: { videoUrl: true }, watch: on.oracle.watch });
    const { events, coverage } = await ask(resampling);
    expect(events).toHaveLength(1);
    expect(coverage[0]!.reason).toContain('instead of clips: it names the wrong frames of a clip');
    expect(clipsOf(resampling)).toHaveLength(1);
  });

  it('gets images if a clip cannot be made', async () => {
    const on = await open();
    const clip = () => Promise.reject(new Error('no encoder'));
    const { events } = await ask(on, 'a pothole', { source: { ...drawnFramesOf(on.oracle, TRUTH, media), clip } });
    expect(events).toHaveLength(1);
    expect(clipsOf(on)).toEqual([]);
  });

  it('is tried again some minutes after a failure of the trial', async () => {
    const on = await open((request, truth) => (request.clipFrames === 8 ? { status: 503 } : truth));
    const { events, coverage } = await ask(on);
    expect(events).toHaveLength(1);
    expect(coverage[0]!.reason).toContain('instead of clips: its endpoint answered with status 503');
    expect(on.search.health().clips.state).toBe('untried');
  });
});

describe('the cost of clips', () => {
  it('is cached apart from that of images, by pixels', async () => {
    const ledger = createMemoryLedger();
    const on = await open();
    let encoded = 0;
    const counting = (source: FrameSource): FrameSource => ({
      ...source,
      clip(pictures) {
        encoded++;
        return source.clip!(pictures);
      },
    });
    const source = counting(drawnFramesOf(on.oracle, TRUTH, media));
    const first = await ask(on, 'a pothole', { ledger, source });
    const [calls, clips] = [on.model.requests.length, encoded];
    expect(clips).toBeGreaterThan(0);
    const second = await ask(on, 'a pothole', { ledger, source });
    expect([on.model.requests.length, encoded]).toEqual([calls, clips]);
    expect(second).toMatchObject({ events: first.events, usage: { calls: 0, inputTokens: 0 } });
    const withImages = await openEyes();
    const third = await ask(withImages, 'a pothole', { ledger });
    expect(third.usage.calls).toBeGreaterThan(0);
  });

  it('stays within the limits of a question', async () => {
    const on = await open(undefined, { tokensPerQuestion: 6000 });
    const { usage, coverage } = await ask(on, 'a pothole, a cyclist, a unicorn');
    expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(6000);
    expect(usage.calls).toBeGreaterThan(1);
    expect(coverage[0]!.reason).toContain('the limit of 6000 tokens per question is reached');
  });

  it('is estimated by what the endpoint counts for a frame', async () => {
    const on = await open();
    const plan = planner.planQuery('a pothole');
    const estimate = () =>
      estimateVision(
        plan,
        { durationS: SECONDS },
        { tokensPerQuestion: 300_000, verify: 'auto', frameShare: on.search.frameShare() },
      );
    const before = estimate();
    expect(on.search.frameShare()).toBe(1);
    await ask(on);
    expect(on.search.frameShare()).not.toBe(1);
    expect(estimate().calls).toBe(before.calls);
    expect(estimate().inputTokens).not.toBe(before.inputTokens);
  });
});
