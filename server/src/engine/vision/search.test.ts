import { afterEach, describe, expect, it } from 'vitest';
import { ADVERSARIES, type Adversary } from '#test/servers/vision-adversaries';
import { isControl, kindOf, optionsIn, questionsIn, type Truth } from '#test/servers/vision-oracle';
import { answer } from '../answer.ts';
import { observations, signals } from '../find/observations.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { createMemoryLedger } from './calls/index.ts';
import { mergeVisionResult, type VisionSearchOptions } from './index.ts';
import { type Eyes, framesOf, openEyes } from './oracle.fixture.ts';

const planner = createPlanner();
const clip = (seconds: number) => observations(seconds, { signals: signals(seconds) });

let eyes: Eyes | null = null;
afterEach(async () => {
  await eyes?.close();
  eyes = null;
});

async function open(adversary?: Adversary, options?: VisionSearchOptions & { profile?: object }): Promise<Eyes> {
  eyes = await openEyes(adversary, options);
  return eyes;
}

async function look(prompt: string, seconds: number, truth: Truth, on: Eyes, more: object = {}) {
  const plan = planner.planQuery(prompt);
  const result = await on.search.search({
    plan,
    observations: clip(seconds),
    source: framesOf(on.oracle, truth),
    ...more,
  });
  return result!;
}

describe('an oracle', () => {
  it.each([
    [10, [3, 6.2]],
    [10, [0, 9.96]],
    [60, [20.2, 21.4]],
    [140, [100, 130]],
  ] as const)('finds an event of a clip of %d s and its edges', async (seconds, [from, to]) => {
    const result = await look('a pothole', seconds, { pothole: [[from, to]] }, await open());
    expect(result.events).toMatchObject([
      { label: 'pothole', category: 'look', verification: { status: 'verified', by: 'look (eyes)' } },
    ]);
    expect(result.events[0]!.confidence).toBeGreaterThan(0.85);
    const [event] = result.events;
    expect(Math.abs(event!.startS - from)).toBeLessThanOrEqual(0.25);
    expect(Math.abs(event!.endS - to)).toBeLessThanOrEqual(0.25);
    expect(event!.startPts).toBe(Math.round(event!.startS * 90_000));
    expect(result.coverage).toMatchObject([{ text: 'pothole', status: 'partly', by: ['look (eyes)'], findings: 1 }]);
    expect(result.usage.shownShare).toBe(1);
  });

  it('finds the edges of an event of a short clip to the frame', async () => {
    const { events } = await look('a pothole', 8, { pothole: [[2.5, 4.7]] }, await open());
    const frameS = 1 / 25;
    expect(events).toHaveLength(1);
    expect(events[0]!.startS - 2.5).toBeGreaterThan(-1e-6);
    expect(events[0]!.startS - 2.5).toBeLessThanOrEqual(frameS + 1e-6);
    expect(4.7 - events[0]!.endS).toBeGreaterThan(-1e-6);
    expect(4.7 - events[0]!.endS).toBeLessThanOrEqual(frameS + 1e-6);
  });

  it('finds two events, and one that continues from window to window', async () => {
    const truth = {
      pothole: [
        [2, 4],
        [20, 50],
      ],
    } as const;
    const { events } = await look('a pothole', 60, truth, await open());
    expect(events.map(({ startS, endS }) => [Math.round(startS), Math.round(endS)])).toEqual([
      [2, 4],
      [20, 50],
    ]);
  });

  it('finds a short event in an hour, of which every minute is surveyed', async () => {
    const on = await open();
    const result = await look('a pothole', 3600, { pothole: [[2000, 2006]] }, on);
    expect(result.events).toHaveLength(1);
    expect(Math.abs(result.events[0]!.startS - 2000)).toBeLessThanOrEqual(1);
    expect(Math.abs(result.events[0]!.endS - 2006)).toBeLessThanOrEqual(1);
    expect(result.coverage[0]!.reason).toMatch(/small frames of all of it were surveyed, one every 2 s/);
    expect(result.usage.shownShare).toBeLessThan(0.1);
    expect(result.usage.inputTokens).toBeLessThan(320_000);
  });

  it('reports nothing where nothing is, and says what was shown', async () => {
    const on = await open();
    const result = await look('a pothole', 30, {}, on);
    expect(result).toMatchObject({ events: [], candidates: [], coverage: [{ status: 'partly', findings: 0 }] });
    expect(result.coverage[0]!.reason).toMatch(
      /0:00.0 to 0:30.0 \(100 % of what was searched, one frame every 0\.\d s\)/,
    );
  });

  it('sends times with each frame, and the key', async () => {
    const on = await open();
    await look('a pothole', 10, {}, on);
    const window = on.model.requests.find((request) => !isControl(request))!;
    expect(window.texts.filter((text) => /^Frame \d+ <\d+\.\d\d seconds>:$/.test(text))).toHaveLength(12);
    expect(window.authorization).toBe('Bearer k-1');
    expect(window.responseFormat).toMatchObject({ type: 'json_schema' });
  });

  it('answers a question in words, each sentence with its times', async () => {
    const truth = { 'the worker wears a white helmet': [[2, 9]], 'a forklift passes': [[5, 6]] } as const;
    const result = await look('is he wearing a helmet?', 10, truth, await open());
    expect(result.answer!.text).toMatch(/the worker wears a white helmet \(0:0[23]\.\d, 0:0\d\.\d\)\./);
    const texts = result.answer!.citations[0]!.sources.map(({ text }) => text);
    expect(new Set(texts)).toEqual(new Set(['the worker wears a white helmet']));
  });

  it('describes a video that observers would only list events of', async () => {
    const result = await look('summarize in three sentences', 10, { 'a cat jumps': [[4, 5]] }, await open());
    expect(result.answer!.text).toMatch(/a cat jumps/);
    expect(result.coverage).toMatchObject([{ text: 'answer in words', status: 'partly', findings: 1 }]);
    const words = eyes!.model.requests.find((request) => kindOf(request) === 'words')!;
    expect(words.texts.join()).toContain('"summarize in three sentences"');
  });

  it('shows every minute of an hour to describe it, and says how little that is', async () => {
    const on = await open();
    const result = await look('what happens', 3600, { 'a cat jumps': [[1800, 1860]] }, on);
    const labels = on.model.requests.filter((request) => !isControl(request)).flatMap(({ texts }) => texts);
    const times = labels.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
    for (let minute = 0; minute < 60; minute++)
      expect(times.some((timeS) => timeS >= 60 * minute && timeS < 60 * minute + 60)).toBe(true);
    expect(result.answer!.text).toContain('a cat jumps');
    expect(result.usage.shownShare).toBeCloseTo(480 / 3600, 2);
    expect(result.coverage[0]!.reason).toContain('(13 % of what was searched');
  });

  it('cites events by what identifies them', async () => {
    const known = { ...answer(planner.planQuery('cuts'), clip(10)), label: 'a cut' };
    const event = { ...known, startS: 2, endS: 3, startPts: 180_000, endPts: 270_000 } as never;
    const on = await open();
    const result = await look('what happens', 10, { 'a cat jumps': [[4, 5]] }, on, { events: [event] });
    expect(result.answer!.citations.flatMap(({ sources }) => sources)).toEqual([
      { timeS: 2, text: 'a cut', event: { startPts: 180_000, endPts: 270_000, label: 'a cut' } },
      { timeS: expect.any(Number), text: 'a cat jumps' },
    ]);
  });
});

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
    ['yes', 'pictures do not show'],
    ['no', 'does not recognize'],
    ['liar', 'pictures do not show'],
    ['injected', 'cannot be there'],
    ['off by one', 'wrong picture'],
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
      const review = [{ key: 'one', text: 'a red car', isOrdered: false, frames }];
      const verified = await look('a red car', 10, truth, on, { review });
      expect(verified.verdicts.size).toBe(0);
      expect(verified.coverage).toMatchObject([{ text: 'verification', ...row }]);
    },
  );

  it('shows it other frames for the second look', async () => {
    const on = await open();
    await look('a pothole', 10, truth, on);
    const choices = on.model.requests.filter(
      (request) => kindOf(request) === 'choice' && optionsIn(request).some(({ text }) => text === 'pothole'),
    );
    const framesShown = choices.map(({ texts }) => texts.filter((text) => text.startsWith('Frame ')).join());
    expect(new Set(framesShown).size).toBe(choices.length);
  });

  it('is not believed about one question if it says yes to it about plain pictures', async () => {
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
    await eyes!.close();
    const denied = await look('a pothole', 10, truth, await choosing(['do not show']));
    expect(denied).toMatchObject({ events: [], candidates: [] });
    expect(denied.coverage[0]!.reason).toContain('1 of its claims were not confirmed');
  });

  it('looks a third time if two looks do not agree, and lets it decide', async () => {
    const denying = (n: number) => {
      let looks = 0;
      return open((request, reply) => {
        const [option] = optionsIn(request).filter((each) => each.option === 'neither' && each.text === 'pothole');
        const isAbout = kindOf(request) === 'choice' && option && request.images.length <= 6;
        const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
        // Frames elsewhere begin before the event.
        return isAbout && times[0]! >= 3 && looks++ < n ? { text: `{"choice": "${option.letter}"}` } : reply;
      });
    };
    const [event] = (await look('a pothole', 10, truth, await denying(1))).events;
    expect(event).toMatchObject({ verification: { status: 'verified' } });
    expect(event!.explanation).toContain('confirmed it in 2 of 3 looks');
    await eyes!.close();
    const denied = await look('a pothole', 10, truth, await denying(2));
    expect(denied).toMatchObject({ events: [], candidates: [] });
  });

  it.each([
    ['reversed frames of what has an order', /reversed/],
    ['frames for which it had not reported it', /other frames/],
  ])('lowers the confidence if it confirms %s', async (_what, caveat) => {
    const truth = { 'gate opens': [[3, 6]] } as const;
    const [sure] = (await look('a gate opens', 10, truth, await open())).events;
    await eyes!.close();
    const on = await open((request, reply) => {
      if (kindOf(request) !== 'choice') return reply;
      const option = optionsIn(request).find((each) => each.option === 'requested')!;
      const times = request.texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
      const isElsewhere = times[0]! < 3 || times.at(-1)! > 6;
      const isYes = option.text === 'gate opens' && isElsewhere === (caveat.source === 'other frames');
      return isYes ? { text: `{"choice": "${option.letter}"}` } : reply;
    });
    const { events } = await look('a gate opens', 10, truth, on);
    expect(events).toMatchObject([{ caveats: [expect.stringMatching(caveat)] }]);
    expect(events[0]!.confidence).toBeLessThan(sure!.confidence - 0.02);
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

describe('cost', () => {
  const truth = { pothole: [[3, 6]] } as const;
  it('asks an equal question only once', async () => {
    const ledger = createMemoryLedger();
    const on = await open();
    const first = await look('a pothole', 30, truth, on, { ledger });
    const calls = on.model.requests.length;
    expect(first.usage).toMatchObject({ calls, cachedCalls: 0 });
    const second = await look('a pothole', 30, truth, on, { ledger });
    expect(on.model.requests).toHaveLength(calls);
    expect(second.usage).toMatchObject({ calls: 0, cachedCalls: calls, inputTokens: 0, cost: 0 });
    expect(second.events).toEqual(first.events);
  });

  it('answers an equal question about a known video without drawing a frame', async () => {
    const on = await open();
    const ledger = { ...createMemoryLedger(), videoId: 'v-1' };
    const frames = [{ timeS: 4, pts: 360_000 }];
    const review = [{ key: 'one', text: 'a red car', isOrdered: false, frames }];
    const ask = (more: object = {}) => look('what happens, a pothole', 30, truth, on, { ledger, review, ...more });
    const first = await ask();
    const source = { frame: () => Promise.reject(new Error('drawn')), sheet: () => Promise.reject(new Error('drawn')) };
    const second = await ask({ source });
    expect(second).toEqual({
      ...first,
      usage: { ...first.usage, calls: 0, cachedCalls: first.usage.calls, inputTokens: 0, outputTokens: 0, cost: 0 },
    });
    for (const other of [{ ledger: { ...ledger, videoId: 'v-2' } }, { review: [] }, { minConfidence: 0.9 }])
      expect((await ask({ source, ...other })).coverage[0]).toMatchObject({ status: 'not_looked_for' });
  });

  it('does not cache a result that a failure or a limit cut short', async () => {
    const ledger = { ...createMemoryLedger(), videoId: 'v-1' };
    let isBroken = true;
    const on = await open((request, reply) => (isBroken && !isControl(request) ? { status: 500 } : reply));
    expect((await look('a pothole', 30, truth, on, { ledger })).events).toEqual([]);
    isBroken = false;
    const fresh = await openEyes();
    const again = await look('a pothole', 30, truth, fresh, { ledger });
    await fresh.close();
    expect(again.events).toHaveLength(1);
  });

  it('does not answer about other pixels, another question or another model from the cache', async () => {
    const ledger = createMemoryLedger();
    const on = await open();
    await look('a pothole', 10, truth, on, { ledger });
    const other = await look('a pothole', 10, { pothole: [[1, 2]] }, on, { ledger });
    expect(other.events[0]!.endS).toBeCloseTo(2, 1);
    expect((await look('a unicorn', 10, truth, on, { ledger })).events).toEqual([]);
    const before = on.model.requests.length;
    const { createVisionSearch } = await import('./index.ts');
    const search = createVisionSearch({ ...on.profile, model: 'other eyes' });
    await search.search({
      plan: planner.planQuery('a pothole'),
      observations: clip(10),
      source: framesOf(on.oracle, truth),
      ledger,
    });
    expect(on.model.requests.length).toBeGreaterThan(before);
  });

  it('does not pay again for what was answered before a crash', async () => {
    const ledger = createMemoryLedger();
    const on = await open(undefined, { profile: { concurrency: 1 } });
    const controller = new AbortController();
    const recorded: unknown[] = [];
    const crashing = {
      ...ledger,
      record: async (...args: Parameters<typeof ledger.record>) => {
        await ledger.record(...args);
        if (recorded.push(args) === 3) controller.abort(new Error('the worker died'));
      },
    };
    const dying = look('a pothole', 30, truth, on, { ledger: crashing, signal: controller.signal });
    await expect(dying).rejects.toThrow('the worker died');
    const { usage, events } = await look('a pothole', 30, truth, on, { ledger });
    expect(events).toHaveLength(1);
    expect(usage.cachedCalls).toBe(3);
    expect(on.model.requests).toHaveLength(3 + usage.calls);
  });

  it('stops at the limit of tokens with a partial result', async () => {
    const on = await open(undefined, { tokensPerQuestion: 20_000 });
    const { usage, coverage } = await look('a pothole', 140, { pothole: [[100, 130]] }, on);
    expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(20_000);
    expect(coverage[0]!.reason).toContain('the limit of 20000 tokens per question is reached');
  });

  it('stops at a limit of money per question with a partial result', async () => {
    // At 0.80 per million tokens, the higher one of the prices.
    const on = await open(undefined, { moneyPerQuestion: 0.016 });
    const { usage, coverage } = await look('a pothole', 140, { pothole: [[100, 130]] }, on);
    expect(usage.calls).toBeGreaterThan(0);
    expect(usage.cost).toBeLessThanOrEqual(0.016);
    expect(coverage[0]!.reason).toContain('the limit of 0.016 in money per question is reached');
  });

  it('stops at a limit that analyses share', async () => {
    const ledger = {
      ...createMemoryLedger(),
      allowance: async () => ({ tokens: 0, limit: 'the limit of 5 per month' }),
    };
    const on = await open();
    const { coverage } = await look('a pothole', 10, truth, on, { ledger });
    expect(on.model.requests).toEqual([]);
    expect(coverage).toMatchObject([
      { status: 'not_looked_for', reason: expect.stringContaining('the limit of 5 per month') },
    ]);
  });

  it('waits as long as the endpoint says, and sends fewer requests at a time after that', async () => {
    let active = 0;
    let refused = 0;
    const on = await open(
      (_request, reply) => {
        active++;
        setTimeout(() => active--, 20);
        if (active > 2) {
          refused++;
          return { status: 429, headers: { 'retry-after': '0.05' }, delayMs: 20 };
        }
        return { ...reply, delayMs: 20 };
      },
      { profile: { concurrency: 3 } },
    );
    const { events } = await look('a pothole', 60, { pothole: [[20, 40]] }, on);
    expect(events).toHaveLength(1);
    expect(refused).toBeGreaterThan(0);
  });

  it('repeats a call whose connection was closed', async () => {
    const on = await open((_request, reply, n) => (n % 3 === 1 ? { isDropped: true } : reply), {
      profile: { concurrency: 1 },
    });
    const { events, coverage } = await look('a pothole', 10, truth, on);
    expect(events).toHaveLength(1);
    expect(coverage[0]!.reason).not.toContain('failed');
  });

  it('does without a schema if the endpoint refuses it', async () => {
    const on = await open((request, reply) => (request.responseFormat ? { status: 400 } : reply));
    expect((await look('a pothole', 10, truth, on)).events).toHaveLength(1);
    expect(on.search.health()).toEqual({ state: 'ok', reason: null });
  });
});

it('asks nothing if observers can find everything, and reports progress otherwise', async () => {
  const on = await open();
  const plan = planner.planQuery('a red car stops');
  const source = framesOf(on.oracle, {});
  const fractions: number[] = [];
  const onProgress = (fraction: number) => void fractions.push(fraction);
  expect(await on.search.search({ plan, observations: clip(4), source, onProgress })).toBeNull();
  expect([on.model.requests.length, fractions.length]).toEqual([0, 0]);
  await look('a pothole', 4, {}, on, { onProgress });
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect([fractions[0], fractions.at(-1)]).toEqual([0, 1]);
});

it('verifies what observers found', async () => {
  const on = await open();
  const item = (key: string, text: string, timeS: number) => ({
    key,
    text,
    isOrdered: false,
    frames: [{ timeS, pts: timeS * 90_000 }],
  });
  const review = [item('right', 'a red car', 4), item('wrong', 'a red car', 8)];
  const plan = planner.planQuery('a red car');
  const source = framesOf(on.oracle, { 'a red car': [[3, 6]] });
  const result = await on.search.search({ plan, observations: clip(10), source, review });
  expect([...result!.verdicts].map(([key, { status }]) => [key, status])).toEqual([
    ['right', 'verified'],
    ['wrong', 'refuted'],
  ]);
});

it('stops when aborted', async () => {
  const on = await open((_request, reply) => ({ ...reply, delayMs: 5000 }));
  const controller = new AbortController();
  const looking = look('a pothole', 10, {}, on, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('stopped')), 100);
  await expect(looking).rejects.toThrow('stopped');
});

it('replaces the rows and words of what observers could not answer', async () => {
  const on = await open();
  const plan = planner.planQuery('cuts, a pothole');
  const before = answer(plan, clip(10));
  const result = await look('cuts, a pothole', 10, { pothole: [[3, 6]] }, on);
  const after = mergeVisionResult(plan, before, result);
  expect(after.coverage.map((row) => [row.text, row.status])).toEqual([
    ['cuts', 'looked_for'],
    ['pothole', 'partly'],
  ]);
  expect(after.summary).toContain('A vision-language model also searched: 1 for "pothole".');
  expect(after.summary).not.toContain('Not looked for');
  const question = planner.planQuery('is there a pothole?');
  const words = mergeVisionResult(
    question,
    answer(question, clip(10)),
    await look('is there a pothole?', 10, { pothole: [[3, 6]] }, on),
  );
  expect(words.answer).toMatch(/^pothole \(0:03\.\d/);
  expect(words.answer).not.toContain('Not known');
});
