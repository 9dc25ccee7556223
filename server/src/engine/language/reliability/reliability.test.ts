import { describe, expect, it } from 'vitest';
import { isControlPrompt, readTruly } from '#test/servers/language-oracle';
import { createPlanner, isBlocked } from '../../plan/index.ts';
import type { RewritingResult } from '../client.ts';
import { CONTROL_PROMPTS } from './control-prompts.ts';
import { createControl, judgeControl, planControls } from './controls.ts';
import { createTrust } from './trust.ts';

const planner = createPlanner();

describe('control prompts', () => {
  it.each(Object.entries(CONTROL_PROMPTS))('%s: have a reading, or none', (_language, sentences) => {
    for (const { prompt, to } of sentences) {
      if (to === null) expect([prompt, planner.planQuery(prompt).searches.every(isBlocked)]).toEqual([prompt, true]);
      else expect([to, planner.planEnglish(to).searches.some(isBlocked)]).toEqual([to, false]);
    }
    expect(sentences.filter(({ to }) => to !== null).length).toBeGreaterThanOrEqual(4);
    expect(sentences.filter(({ to }) => to === null).length).toBeGreaterThanOrEqual(2);
  });

  it('are others each time, and the same for a seed', () => {
    expect(planControls('a')).toEqual(planControls('a'));
    const chosen = new Set(Array.from({ length: 20 }, (_, i) => JSON.stringify(planControls(String(i)))));
    expect(chosen.size).toBe(20);
  });

  it('of a check are twelve in four requests, of which four have to be left', () => {
    const sentences = planControls('a').flatMap((control) => control.sentences);
    expect(planControls('a')).toHaveLength(4);
    expect(sentences).toHaveLength(12);
    expect(sentences.filter(({ to }) => to === null)).toHaveLength(4);
    expect(planControls('a').every(({ prompt }) => isControlPrompt(prompt))).toBe(true);
  });
});

describe('an answer to a control', () => {
  const control = createControl([
    { prompt: 'twee honden', to: 'two dogs' },
    { prompt: 'een luchtballon', to: null },
  ]);
  const wrong = (sentences: [string, string][], left: string[] = []) =>
    judgeControl(
      control,
      { language: 'Dutch', sentences: sentences.map(([from, to]) => ({ from, to })), left },
      planner,
    ).map(({ prompt, to }) => [prompt, to]);

  it('is right in other words of the same meaning', () => {
    expect(wrong([['twee honden', '2 dogs']], ['een luchtballon'])).toEqual([]);
  });
  it('is wrong where it says something else, or reads what has no words', () => {
    expect(
      wrong([
        ['twee honden', 'two cats'],
        ['een luchtballon', 'a person'],
      ]),
    ).toEqual([
      ['twee honden', 'two cats'],
      ['een luchtballon', 'a person'],
    ]);
  });
  it('is wrong where it leaves what can be read', () => {
    expect(wrong([], ['twee honden', 'een luchtballon'])).toEqual([['twee honden', null]]);
    expect(judgeControl(control, null, planner)).toHaveLength(1);
  });
  it('is wrong where one part stands for both', () => {
    expect(wrong([['twee honden; een luchtballon', 'two dogs']])).toEqual([['een luchtballon', 'two dogs']]);
  });
});

describe('trust', () => {
  const truth = (prompt: string): RewritingResult => ({ rewritings: readTruly(prompt) });
  const lie = (prompt: string): RewritingResult => ({
    rewritings: { language: 'Dutch', sentences: [{ from: prompt, to: 'a person' }], left: [] },
  });
  function trusting(answer: (prompt: string, n: number) => RewritingResult) {
    const prompts: string[] = [];
    let time = 0;
    let doubts = 0;
    const trust = createTrust(
      async (prompt) => answer(prompt, prompts.push(prompt)),
      planner,
      () => doubts++,
      { seed: 'x', now: () => time },
    );
    const later = async (ms: number) => {
      time += ms;
      await trust.ensure(null);
      // A check that is not waited for.
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    return { trust, prompts, later, doubts: () => doubts };
  }

  it('follows from one check', async () => {
    const { trust, prompts } = trusting(truth);
    expect(trust.verdict()).toBeNull();
    await Promise.all([trust.ensure(null), trust.ensure(null)]);
    await trust.ensure(null);
    expect(trust.verdict()).toEqual({ doubt: null });
    expect(prompts).toHaveLength(4);
  });

  it('is lost at a later check, with other prompts, and comes back', async () => {
    let isLying = false;
    const { trust, prompts, later, doubts } = trusting((prompt) => (isLying ? lie(prompt) : truth(prompt)));
    await trust.ensure(null);
    isLying = true;
    await later(3600_000);
    expect(trust.verdict()).toEqual({ doubt: null });
    await later(6 * 3600_000);
    expect(trust.verdict()).toEqual({
      doubt: expect.stringMatching(/^it read 12 of 12 control prompts wrongly, such as "[^"]+" as "a person"$/),
    });
    expect([prompts.length, new Set(prompts).size, doubts()]).toEqual([8, 8, 1]);
    isLying = false;
    await later(60_000);
    expect(prompts).toHaveLength(8);
    await later(15 * 60_000);
    expect(trust.verdict()).toEqual({ doubt: null });
  });

  it('is checked again after many rewritings', async () => {
    const { trust, prompts, later } = trusting(truth);
    for (let i = 0; i < 201; i++) await trust.ensure(null);
    expect(prompts).toHaveLength(4);
    await later(0);
    expect(prompts).toHaveLength(8);
  });

  it('stays open while the endpoint does not answer', async () => {
    const { trust, prompts } = trusting((_prompt, n) => (n < 3 ? { failure: 'it is down' } : truth(_prompt)));
    await trust.ensure(null);
    await trust.ensure(null);
    expect([trust.verdict(), prompts.length]).toEqual([null, 2]);
    await trust.ensure(null);
    expect(trust.verdict()).toEqual({ doubt: null });
  });

  it('is not given to a model that talks nonsense', async () => {
    const { trust } = trusting(() => ({ failure: 'its answer did not have the requested form', isNonsense: true }));
    await trust.ensure(null);
    expect(trust.verdict()).toEqual({ doubt: 'it could not read 8 of 12 control prompts' });
  });
});
