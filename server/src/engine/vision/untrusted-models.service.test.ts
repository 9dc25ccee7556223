import { describe, expect, it } from 'vitest';
import { ADVERSARIES } from '#test/servers/vision-adversaries';
import { isControl, kindOf, optionsIn, questionsIn } from '#test/servers/vision-oracle';
import { look, useEyes } from './search.fixture.ts';

const open = useEyes();

describe('a model that cannot be believed', () => {
  const truth = { pothole: [[3, 6]] } as const;
  it.each(Object.entries(ADVERSARIES))(
    '%s: reports no false event, and the coverage says why',
    async (name, adversary) => {
      const on = await open(adversary, name === 'slow' ? { timeoutMs: 300 } : {});
      for (const prompt of ['a pothole', 'an unicorn'] as const) {
        const { events, coverage } = await look(prompt, 30, truth, on);
        for (const { startS, endS } of events) {
          expect(prompt).toBe('a pothole');
          expect([Math.abs(startS - 3) < 1, Math.abs(endS - 6) < 1]).toEqual([true, true]);
        }
        expect(coverage).toMatchObject([
          { status: 'not_looked_for', by: [], reason: expect.stringContaining('look (eyes)') },
        ]);
        expect(events).toEqual([]);
      }
    },
  );

  it.each([
    ['yes', 'images do not show'],
    ['no', 'does not recognize'],
    ['liar', 'images do not show'],
    ['injected', 'cannot be there'],
    ['off by one', 'wrong image'],
    ['status 500', 'status 500'],
    ['truncated', 'cut off'],
  ])('%s is reported as "%s"', async (name, reason) => {
    const { coverage } = await look('a pothole', 30, truth, await open(ADVERSARIES[name]));
    expect(coverage[0]!.reason).toContain(reason);
    expect(JSON.stringify(coverage)).not.toContain('secret words');
  });

  it.each(['yes', 'liar', 'garbage', 'status 500'])(
    '%s is reported if only words or verdicts are requested',
    async (name) => {
      const on = await open(ADVERSARIES[name]);
      const words = await look('what happens', 10, truth, on);
      const row = { status: 'not_looked_for', reason: expect.stringContaining('look (eyes)') };
      expect([words.answer, words.coverage]).toMatchObject([null, [{ text: 'answer in words', ...row }]]);
      const frames = [{ timeS: 4, pts: 360_000 }];
      const review = [{ key: 'one', text: 'a red car', isOrdered: false, confidence: 0.6, frames }];
      const verified = await look('a red car', 10, truth, on, { review });
      expect(verified.verdicts.size).toBe(0);
      expect(verified.coverage).toMatchObject([{ text: 'verification', ...row }]);
    },
  );

  it('alternates between frames that it reported and others, under other letters, with frames without it between them', async () => {
    const on = await open();
    await look('a pothole', 10, truth, on);
    const choices = on.model.requests.flatMap((request) => {
      const options = kindOf(request) === 'choice' ? optionsIn(request) : [];
      if (!options.some(({ text }) => text === 'pothole')) return [];
      const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
      return [{ times, letter: options.find(({ option }) => option === 'requested')!.letter }];
    });
    const [inside, outside] = [true, false].map((isInside) =>
      choices.filter(({ times }) => (times[0]! >= 3 && times.at(-1)! <= 6) === isInside),
    ) as [typeof choices, typeof choices];
    expect([inside.length, outside.length]).toEqual([5, 4]);
    expect(new Set(inside.map(({ times }) => times.join())).size).toBe(2);
    expect(new Set(outside.map(({ times }) => times.join())).size).toBeGreaterThan(1);
    expect(new Set(choices.map(({ letter }) => letter)).size).toBe(4);
    expect(choices.slice(0, 5)).not.toEqual(inside);
  });

  it('is not believed about one question if it says yes to it about plain images', async () => {
    const on = await open((request, reply) => {
      if (!isControl(request)) return reply;
      const claims = JSON.parse(reply.text!);
      const question = questionsIn(request).indexOf('pothole') + 1;
      claims.events.push({ question, first_frame: 1, last_frame: 4, label: 'pothole', confidence: 1 });
      return { text: JSON.stringify(claims) };
    });
    const { events, coverage } = await look('a pothole', 10, truth, on);
    expect(events).toEqual([]);
    expect(coverage).toMatchObject([{ status: 'not_looked_for', reason: expect.stringContaining('plain colored') }]);
  });

  it('keeps a claim that it does not confirm as a candidate, and drops one that it denies', async () => {
    const choosing = (options: string[]) => {
      let n = 0;
      return open((request, reply) => {
        const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
        // Of the calls about other frames it answers truly.
        if (kindOf(request) !== 'choice' || times[0]! < truth.pothole[0][0]) return reply;
        const wanted = options[n++ % options.length]!;
        const line = request.texts
          .at(-1)!
          .split('\n')
          .find((each) => each.includes(`) the frames ${wanted}`))!;
        return { text: `{"choice": "${line[1]}"}` };
      });
    };
    const unsure = await look('a pothole', 10, truth, await choosing(['do not suffice']));
    expect(unsure.events).toEqual([]);
    expect(unsure.candidates).toMatchObject([{ verification: { status: 'unverified' } }]);
    expect(unsure.candidates[0]!.confidence).toBeLessThanOrEqual(0.45);
    const denied = await look('a pothole', 10, truth, await choosing(['do not show']));
    expect(denied).toMatchObject({ events: [], candidates: [] });
    expect(denied.coverage[0]!.reason).toContain('1 of its claims were not confirmed');
  });

  it('looks again if a look denies what others confirm, and lets most of them decide', async () => {
    const denying = (n: number) => {
      let looks = 0;
      return open((request, reply) => {
        const [option] = optionsIn(request).filter((each) => each.option === 'neither' && each.text === 'pothole');
        const isAbout = kindOf(request) === 'choice' && option;
        const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
        const isInside = times[0]! >= 3 && times.at(-1)! <= 6;
        return isAbout && isInside && looks++ < n ? { text: `{"choice": "${option.letter}"}` } : reply;
      });
    };
    const [event] = (await look('a pothole', 10, truth, await denying(1))).events;
    expect(event).toMatchObject({ verification: { status: 'verified' } });
    expect(event!.explanation).toContain('confirmed it in 9 of 10 looks');
    const denied = await look('a pothole', 10, truth, await denying(4));
    expect(denied.events).toEqual([]);
  });

  it.each([
    ['reversed frames of what has an order', /reversed/, 0.02],
    ['some of the frames for which it had not reported it', /other frames/, 0],
  ])('states a doubt if it confirms %s', async (_what, caveat, less) => {
    const truth = { 'gate opens': [[3, 6]] } as const;
    const [sure] = (await look('a gate opens', 10, truth, await open())).events;
    const on = await open((request, reply) => {
      if (kindOf(request) !== 'choice') return reply;
      const option = optionsIn(request).find((each) => each.option === 'requested')!;
      const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
      const isElsewhere = times.at(-1)! > 9;
      const isYes =
        option.text === 'gate opens' &&
        (caveat.source === 'other frames' ? isElsewhere : times[0]! >= 3 && times[0]! < 6);
      return isYes ? { text: `{"choice": "${option.letter}"}` } : reply;
    });
    const { events } = await look('a gate opens', 10, truth, on);
    expect(events).toMatchObject([{ caveats: [expect.stringMatching(caveat)] }]);
    expect(events[0]!.confidence).toBeLessThanOrEqual(sure!.confidence - less);
  });

  it('takes no claim for verified in whose frames it also confirms what cannot be there', async () => {
    const on = await open((request, reply) => {
      const option = optionsIn(request).find((each) => each.option === 'requested');
      return kindOf(request) === 'choice' ? { text: `{"choice": "${option!.letter}"}` } : reply;
    });
    const { events, candidates } = await look('a pothole', 10, truth, on);
    expect(events).toEqual([]);
    expect(candidates).toMatchObject([
      {
        verification: { status: 'unverified' },
        caveats: [/cannot be there/, /other frames/].map((part) => expect.stringMatching(part)),
      },
    ]);
  });

  it('loses only the events that are malformed', async () => {
    const on = await open((request, reply) => {
      if (kindOf(request) !== 'claims' || isControl(request)) return reply;
      const claims = JSON.parse(reply.text!);
      claims.events.unshift({ question: 99, first_frame: 1, last_frame: 2 }, 'nonsense', {
        question: 1,
        first_frame: 3,
        last_frame: 900,
      });
      return { text: `<think>{"events": []}</think>\n\`\`\`json\n${JSON.stringify(claims)}\n\`\`\`` };
    });
    const { events, coverage } = await look('a pothole', 8, truth, on);
    expect(events).toHaveLength(1);
    expect(coverage[0]!.reason).toContain('3 of its claims named no frame or question that exists');
  });
});
