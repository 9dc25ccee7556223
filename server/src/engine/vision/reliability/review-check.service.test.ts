import { describe, expect, it } from 'vitest';
import { kindOf, optionsIn } from '#test/servers/vision-oracle';
import { type Eyes, framesOf } from '../oracle.fixture.ts';
import { clip, planner, useEyes } from '../search.fixture.ts';
import type { ReviewItem } from '../types.ts';
import { brierScoreOf, calibrationErrorOf } from './calibration.fixture.ts';
import { verifyWithNoise } from './review-calibration.fixture.ts';

const open = useEyes();

describe('verification of what observers found', () => {
  const item = (key: string, text: string, timeS: number, confidence = 0.6, isOrdered = false) => ({
    key,
    text,
    isOrdered,
    confidence,
    frames: [0, 0.4, 0.8].map((later) => ({ timeS: timeS + later, pts: (timeS + later) * 90_000 })),
  });
  const verify = async (on: Eyes, review: readonly ReviewItem[]) => {
    const plan = planner.planQuery('a red car');
    const source = framesOf(on.oracle, { 'a red car': [[3, 6]], 'a red car stops': [[3, 6]] });
    const { verdicts } = (await on.search.search({ plan, observations: clip(10), source, review }))!;
    return (key: string) => verdicts.get(key)!;
  };

  it('confirms or denies, and states with how much confidence', async () => {
    const of = await verify(await open(), [item('right', 'a red car', 4), item('wrong', 'a red car', 8)]);
    expect(of('right')).toMatchObject({ verification: { status: 'verified' }, caveats: [] });
    expect(of('wrong')).toMatchObject({ verification: { status: 'refuted' } });
    expect(of('right').confidence).toBeGreaterThan(0.9);
    expect(of('wrong').confidence).toBeLessThan(0.2);
  });

  it('depends on how sure the observer was, and on the errors of the model in the same analysis', async () => {
    const on = await open();
    const of = await verify(on, [item('sure', 'a red car', 4, 0.7), item('unsure', 'a red car', 3.5, 0.03)]);
    expect(of('sure').confidence).toBeGreaterThan(of('unsure').confidence);
    // It confirms a scene that cannot be there beside another event.
    const confused = await open((request, truth) => {
      const requested = kindOf(request) === 'choice' && optionsIn(request).find(({ option }) => option === 'requested');
      const isFooled = requested && !requested.text.startsWith('a red car') && request.texts.join().includes('<5.');
      return isFooled ? { text: JSON.stringify({ choice: requested.letter }) } : truth;
    });
    const review = [item('one', 'a red car', 3.5, 0.03), item('decoyed', 'a red car', 5)];
    const doubted = await verify(confused, review);
    const honest = await verify(await open(), review);
    expect(doubted('one').verification.status).toBe('verified');
    expect(doubted('one').confidence).toBeLessThan(honest('one').confidence);
    expect(doubted('decoyed')).toMatchObject({ verification: { status: 'unverified' }, confidence: 0.6 });
  });

  it('leaves the confidence where reversed frames are confirmed too, or the model cannot tell', async () => {
    const on = await open((request, truth) => {
      const requested = kindOf(request) === 'choice' && optionsIn(request).find(({ option }) => option === 'requested');
      return requested && requested.text === 'a red car stops' ? { text: `{"choice": "${requested.letter}"}` } : truth;
    });
    const of = await verify(on, [item('state', 'a red car stops', 4, 0.6, true)]);
    expect(of('state')).toEqual({
      confidence: 0.6,
      caveats: ['the model confirmed the frames in reversed order too'],
      isProven: true,
      verification: { status: 'verified', by: 'look (eyes)', framesS: [4, 4.4, 4.8] },
    });
    const unsure = await open((request, truth) => {
      const cannotTell = kindOf(request) === 'choice' && optionsIn(request).find(({ option }) => option === 'unsure');
      return cannotTell ? { text: `{"choice": "${cannotTell.letter}"}` } : truth;
    });
    const unknown = await verify(unsure, [item('one', 'a red car', 4)]);
    expect(unknown('one').verification.status).toBe('unverified');
    expect(unknown('one').confidence).toBeCloseTo(0.6, 10);
  });
});

describe('against an oracle that errs', () => {
  it.each([
    ['any', 0],
    ['footage', 0.05],
    ['footage', 0.1],
  ] as const)(
    'confidence of verified events fits the share that is right: errors in %s answers, at a rate of %d',
    async (noise, rate) => {
      const { events, before } = await verifyWithNoise(noise, rate, 60);
      expect(events.length).toBeGreaterThan(150);
      expect(calibrationErrorOf(events)).toBeLessThanOrEqual(0.1);
      expect(brierScoreOf(events)).toBeLessThan(0.5 * brierScoreOf(before));
    },
    180_000,
  );
});
