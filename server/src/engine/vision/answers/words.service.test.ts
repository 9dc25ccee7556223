import { afterEach, describe, expect, it } from 'vitest';
import type { Adversary } from '#test/servers/vision-adversaries';
import { liarInWords } from '#test/servers/vision-adversaries';
import { isControl, kindOf, optionsIn, type Truth } from '#test/servers/vision-oracle';
import { answer } from '../../answer.ts';
import { observations, signals } from '../../find/observations.fixture.ts';
import { createPlanner } from '../../plan/index.ts';
import type { VideoEvent } from '../../types.ts';
import { type Eyes, framesOf, openEyes } from '../oracle.fixture.ts';

const planner = createPlanner();
const TRUTH: Truth = { 'a cat jumps': [[4, 5]], 'a dog sleeps': [[7, 9]] };

let eyes: Eyes | null = null;
afterEach(async () => {
  await eyes?.close();
  eyes = null;
});

async function ask(
  adversary: Adversary,
  more: object = {},
  { prompt = 'what happens', seconds = 10, truth = TRUTH } = {},
) {
  eyes = await openEyes(adversary);
  const video = observations(seconds, { signals: signals(seconds) });
  const source = framesOf(eyes.oracle, truth);
  const result = await eyes.search.search({ plan: planner.planQuery(prompt), observations: video, source, ...more });
  return { ...result!, reason: result!.coverage[0]!.reason };
}

/** An oracle that writes these sentences; each cites the first note that contains these words. */
const writing =
  (...sentences: [text: string, cited: string][]): Adversary =>
  (request, truth) => {
    if (kindOf(request) !== 'words') return truth;
    const notes = [...request.texts.at(-1)!.matchAll(/^(\d+)\. <[^>]*> (.*)$/gm)];
    const numberOf = (words: string) => Number(notes.find(([, , note]) => note!.includes(words))![1]);
    return {
      text: JSON.stringify({ sentences: sentences.map(([text, cited]) => ({ text, cites: [numberOf(cited)] })) }),
    };
  };

const choosing =
  (write: Adversary, choose: (text: string) => string | null): Adversary =>
  (request, truth, n) => {
    const options = kindOf(request) === 'choice' ? optionsIn(request) : [];
    const wanted = choose(options.find(({ option }) => option === 'requested')?.text ?? '');
    const chosen = options.find(({ option }) => option === wanted);
    return chosen ? { text: JSON.stringify({ choice: chosen.letter }) } : write(request, truth, n);
  };

const known = { ...answer(planner.planQuery('cuts'), observations(10, { signals: signals(10) })) };
const measured = (label: string, startS: number, endS: number) =>
  ({ ...known, label, startS, endS, startPts: startS * 90_000, endPts: endS * 90_000 }) as unknown as VideoEvent;

describe('a sentence', () => {
  it('is verified if the frames that it cites show it, and cites times of frames that were shown', async () => {
    const { answer, usage, reason } = await ask((_request, truth) => truth);
    expect(answer!.text).toMatch(/^a cat jumps \(0:0[45]\.\d.*\)\. a dog sleeps \(0:0[6789]\.\d.*\)\.$/);
    expect(answer!.citations.map(({ status }) => status)).toEqual(['verified', 'verified']);
    for (const { timeS } of answer!.citations.flatMap(({ sources }) => sources))
      expect(usage.shown.some(([from, to]) => timeS >= from && timeS <= to)).toBe(true);
    expect(reason).not.toContain('sentences');
  });

  it('that no frame supports is dropped, and counted', async () => {
    const { answer, reason, coverage } = await ask(
      writing(['a cat jumps', 'a cat jumps'], ['A house burns down.', 'a dog sleeps']),
    );
    expect(answer!.citations).toMatchObject([{ sentence: 'a cat jumps', status: 'verified' }]);
    expect(answer!.text).not.toContain('house');
    expect(reason).toContain('1 of 2 sentences were dropped, which the frames that they cite do not show');
    expect(coverage).toMatchObject([{ text: 'answer in words', findings: 1 }]);
  });

  it('that is true of other frames than it cites is dropped', async () => {
    const { answer, reason } = await ask(writing(['a dog sleeps', 'a cat jumps']));
    expect(answer).toBeNull();
    expect(reason).toContain('1 of 1 sentences were dropped, which the frames');
  });

  it.each(['a cat jumps at 0:09.', 'a cat jumps at 9 seconds.', 'a cat jumps in second 9.', 'a cat jumps (1:00:04).'])(
    'that states a time of nothing that it cites is dropped: %s',
    async (text) => {
      const { answer, reason } = await ask(choosing(writing([text, 'a cat jumps']), () => 'requested'));
      expect(answer).toBeNull();
      expect(reason).toContain('1 of 1 sentences were dropped, which state other times');
    },
  );

  it.each(['a cat jumps at 0:04.', 'a cat jumps at 4.5 seconds.', 'a cat jumps for 9 seconds.'])(
    'that states a time of what it cites, or a duration, counts: %s',
    async (text) => {
      const confirming = choosing(writing([text, 'a cat jumps']), (stated) => (stated === text ? 'requested' : null));
      expect((await ask(confirming)).answer!.citations).toMatchObject([{ sentence: text, status: 'verified' }]);
    },
  );

  it('about which the model cannot tell is marked, and counted', async () => {
    const written = writing(['a cat jumps', 'a cat jumps'], ['a dog sleeps', 'a dog sleeps']);
    const unsure = choosing(written, (text) => (text === 'a cat jumps' ? 'unsure' : null));
    const { answer, reason } = await ask(unsure);
    expect(answer!.text).toMatch(/^a cat jumps \(0:0[45]\.\d; not verified\)\. a dog sleeps \(/);
    expect(answer!.citations).toMatchObject([{ status: 'unverified' }, { status: 'verified' }]);
    expect(reason).toContain('1 of 2 sentences could not be verified in frames');
  });

  it('counts only if the looks at all of them are distinguished from chance', async () => {
    const { answer, reason } = await ask(choosing(writing(['a cat jumps', 'a cat jumps']), () => 'unsure'));
    expect(answer).toBeNull();
    expect(reason).toContain('1 of 1 sentences were dropped, because chance explains the answers about them as well');
  });

  it('without a source is dropped, and counted', async () => {
    const uncited: Adversary = (request, truth) =>
      kindOf(request) === 'words' ? { text: '{"sentences": [{"text": "All is well.", "cites": [99]}]}' } : truth;
    const { answer, reason } = await ask(uncited);
    expect(answer).toBeNull();
    expect(reason).toContain('1 of 1 sentences were dropped, which cite nothing that was found');
  });

  it('that repeats what observers measured is shown no frames; of other sentences about it frames decide', async () => {
    const events = [measured('a siren', 2, 3)];
    const { answer } = await ask(writing(['A siren is heard.', 'a siren'], ['The siren stops a car.', 'a siren']), {
      events,
    });
    expect(answer!.citations.map(({ sentence, status }) => [sentence, status])).toEqual([
      ['A siren is heard.', 'verified'],
      ['The siren stops a car.', 'unverified'],
    ]);
    const shown = eyes!.model.requests.filter((request) => kindOf(request) === 'choice');
    expect(shown.some((request) => optionsIn(request).some(({ text }) => text === 'A siren is heard.'))).toBe(false);
  });

  it('about a claim that was refuted is dropped; about others it cites the event', async () => {
    const truth: Truth = { pothole: [[3, 6]] };
    const prompt = 'is there a pothole?';
    const truthful = await ask((_request, reply) => reply, {}, { prompt, truth });
    const cited = truthful.answer!.citations.flatMap(({ sources }) => sources.flatMap(({ event }) => event ?? []));
    expect(cited).toMatchObject([{ startPts: truthful.events[0]!.startPts, endPts: truthful.events[0]!.endPts }]);
    await eyes!.close();
    const inventing: Adversary = (request, reply, n) => {
      if (kindOf(request) !== 'claims' || isControl(request)) return writing(['A hole.', 'a hole'])(request, reply, n);
      const question = request.texts
        .at(-1)!
        .split('\n')
        .find((line) => line.includes('"pothole"'))![0];
      const event = { question: Number(question), first_frame: 1, last_frame: 3, label: 'a hole' };
      return { text: JSON.stringify({ seen: [], events: [event] }) };
    };
    const confirming = choosing(inventing, (stated) => (stated === 'A hole.' ? 'requested' : null));
    const { answer, events, reason } = await ask(confirming, {}, { prompt, truth: {} });
    expect([answer, events]).toEqual([null, []]);
    expect(reason).toContain('1 of 1 sentences were dropped, which cite nothing that was found');
  });
});

describe('a model that invents only words', () => {
  it.each(['what happens', 'is there a pothole?', 'summarize in three sentences'])(
    'has no answer to "%s"',
    async (prompt) => {
      const { answer, reason, events } = await ask(liarInWords, {}, { prompt, truth: { ...TRUTH, pothole: [[3, 6]] } });
      expect(answer).toBeNull();
      expect(reason).toMatch(/\d of \d sentences were dropped/);
      // It is believed about events, of which it says the truth.
      expect(events.length).toBe(prompt.includes('pothole') ? 1 : 0);
    },
  );

  it('and confirms its lies has none either, if it confirms what cannot be there', async () => {
    const { answer, reason } = await ask(choosing(liarInWords, () => 'requested'));
    expect(answer).toBeNull();
    expect(reason).toContain('no sentence is used: it confirmed a scene that cannot be there');
  });
});
