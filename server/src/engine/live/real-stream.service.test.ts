// A recorded stream, segment by segment as it arrives, shown to an oracle and to adversaries on the wire.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Media } from '#platform/media/index';
import { footage, hasFootage } from '#test/footage';
import { createTestMedia } from '#test/media/clips';
import { ADVERSARIES, type Adversary } from '#test/servers/vision-adversaries';
import { startVisionModel, type VisionModel, type VisionModelScript } from '#test/servers/vision-model';
import { createVisionOracle, isControl, kindOf } from '#test/servers/vision-oracle';
import { createPlanner } from '../plan/index.ts';
import { createMemoryLedger } from '../vision/calls/index.ts';
import { createVisionProfiles } from '../vision/index.ts';
import { profileOf } from '../vision/oracle.fixture.ts';
import { createLiveEngine } from './live-engine.ts';
import { createModelLook } from './model-look.ts';
import type { ObservedSegment } from './observed-segment.ts';
import { createStreamWindow } from './stream-window.ts';

const SEGMENT_S = 4;
const SEGMENTS = [0, 1, 2, 3, 4, 5].map((n) => footage(`hls/derived_one_by_one_person/seg00${n}.ts`));
/** A woman in a cardigan comes in, stands still, and leaves, in seconds of the stream; a man without one follows. */
const SEEN = [6, 19.5] as const;
const PLAN = createPlanner().planQuery('a cardigan');

describe.skipIf(!hasFootage)('a recorded stream', () => {
  let media: Media;
  const segments: ObservedSegment[] = [];
  beforeAll(async () => {
    media = await createTestMedia();
    const live = createLiveEngine({ media, weights: null as never, looks: { get: () => null } });
    const signal = AbortSignal.timeout(60_000);
    for (const path of SEGMENTS) {
      const { segment } = await live.observe(path, { detectionIntervalS: null, previous: null, signal });
      segments.push(segment);
    }
  });
  afterAll(() => media?.close());

  const models: VisionModel[] = [];
  afterEach(async () => {
    for (const model of models.splice(0)) await model.close();
  });

  /** Follows the stream. Returns its answer, and the segments of which frames were drawn. */
  async function follow(adversary: Adversary = (_request, truth) => truth, videoUrl = false) {
    const oracle = await createVisionOracle(media);
    const script: VisionModelScript = (request, n) => adversary(request, oracle.script(request, n), n);
    const model = await startVisionModel(script, { watch: oracle.watch });
    models.push(model);
    const looks = createVisionProfiles({
      profiles: { only: profileOf(model.url, { videoUrl }) },
      defaultProfile: 'only',
    });
    const shown = new Set<number>();
    const drawing = {
      pictureClip: media.pictureClip,
      frameImage: async (path: string, options: { timeS: number }) => {
        const jpeg = await media.frameImage(path, options);
        const at = SEGMENTS.indexOf(path) * SEGMENT_S + options.timeS;
        const shows = (text: string) => text === 'cardigan' && at >= SEEN[0] && at <= SEEN[1];
        oracle.learn(jpeg, [{ timeS: at, shows, facts: [] }]);
        shown.add(SEGMENTS.indexOf(path));
        return jpeg;
      },
    };
    const live = createLiveEngine({ media, weights: null as never, looks });
    const { signal } = new AbortController();
    // Each call is waited for: a chunk that comes while one runs is not shown.
    const settleMs = 120_000;
    const look = createModelLook({ media: drawing, looks, ledger: createMemoryLedger(), signal, settleMs });
    const window = createStreamWindow(120);
    for (const [n, segment] of segments.entries()) {
      const startS = n * SEGMENT_S;
      await look.consider(PLAN, segment, SEGMENTS[n]!, startS);
      await look.settle();
      window.add({ segment: { ...segment, sightings: look.collect() }, startS });
    }
    return { ...live.answer(PLAN, window), shown: [...shown] };
  }

  it('asks a cheap question where something changes, and reports what it verified', async () => {
    const { events, coverage, shown } = await follow();
    expect(events).toMatchObject([{ event: { label: 'cardigan', verification: { status: 'verified' } } }]);
    const [{ event }] = events as [(typeof events)[number]];
    expect(event.startS).toBeGreaterThan(SEEN[0] - SEGMENT_S);
    expect(event.startS).toBeLessThan(SEEN[0] + SEGMENT_S);
    expect(event.endS).toBeGreaterThan(SEEN[1] - SEGMENT_S);
    expect(event.endS).toBeLessThan(SEEN[1] + SEGMENT_S);
    expect(coverage).toMatchObject([{ text: 'cardigan', status: 'partly', by: ['look (eyes)'] }]);
    // Nobody moves in the fourth segment: nothing is requested about it.
    expect(shown).toEqual([0, 1, 2, 4, 5]);
    // One control, nine statements of known truth, a gate for each of the five, three more calls where it said yes, and
    // six more until the first yes was distinguished from chance.
    expect(models.at(-1)!.requests.filter(isControl)).toHaveLength(1);
    expect(models.at(-1)!.requests.filter((request) => kindOf(request) === 'choice')).toHaveLength(9 + 5 + 3 * 3 + 6);
  });

  it('reports the same if it is shown clips', async () => {
    const [images, clips] = [await follow(), await follow(undefined, true)];
    expect(clips.events).toEqual(images.events);
    const shown = models.at(-1)!.requests.filter(({ clipFrames }) => clipFrames > 0);
    // One clip of plain images, and each call about the stream that shows more than one frame.
    expect(shown).toHaveLength(models.at(-1)!.requests.length - 1 - 9);
  });

  it.each(['yes', 'liar', 'injected'])('reports nothing from an adversary: %s', async (name) => {
    const { events, coverage } = await follow(ADVERSARIES[name]);
    expect(events).toEqual([]);
    expect(coverage).toMatchObject([{ status: 'not_looked_for', reason: expect.stringContaining('look (eyes)') }]);
  });
});
