// Caveats that decide what was found: the event is a candidate, and states them.
import { describe, expect, test } from 'vitest';
import { answer } from '../answer.ts';
import { createPlanner, type Unchecked } from '../plan/index.ts';
import { line, objects, observations, signals, sound, still } from './observations.fixture.ts';

const planner = createPlanner();

/** People and a car that move through the frame, two people in contact, a bang, light changes and a pan. */
const scene = observations(20, {
  signals: signals(20, (t) => ({ luma: t > 15 ? 20 : 110, globalX: t > 10 && t < 14 ? 0.15 : 0 })),
  sound: sound(
    20,
    (t) => (t > 12 ? -60 : -30),
    (t) => (t > 11.9 && t < 12 ? -1 : -25),
  ),
  objects: objects(20, [
    { className: 'person', from: 1, to: 8, at: line(1, [0.05, 0.5], 8, [0.95, 0.5]), enteredFrom: 'left' },
    { className: 'person', from: 0, to: 19, at: still(0.5, 0.5), stationary: [[0, 19]] },
    { className: 'car', from: 2, to: 9, at: line(2, [0.05, 0.7], 9, [0.9, 0.7]), enteredFrom: 'left' },
  ]),
});
const ask = (prompt: string, minConfidence?: number) => answer(planner.planQuery(prompt), scene, minConfidence);

describe('caveats that decide', () => {
  test.each([
    ['a person runs', 'the pace is not checked'],
    ['a man is jogging', 'the pace is not checked'],
    ['two people hug', 'boxes that overlap'],
    ['a person touches another person', 'boxes that overlap'],
    ['a person is sitting', 'poses were not examined'],
    ['a person crawls', 'any motion'],
    ['a car enters a roundabout', 'places such as this one are not recognized'],
    ['a car leaves the motorway', 'places such as this one are not recognized'],
    ['driving into a tunnel', 'a tunnel is looked for as a change of light'],
    ['a door slam', 'its source is not known'],
    ['hard braking', 'needs telemetry'],
    ['sharp left turn', 'needs telemetry'],
    ['a taxi', 'not what they are for'],
    ['police car', 'not what they are for'],
  ])('%s: candidates only', (prompt, reason) => {
    const { events, candidates, summary, coverage } = ask(prompt);
    expect(events).toEqual([]);
    expect(coverage[0]).toMatchObject({ status: 'partly', findings: 0, reason: expect.stringContaining(reason) });
    for (const { confidence, caveats } of candidates) {
      expect(confidence).toBeLessThan(0.5);
      expect(caveats.join('; ')).toContain(reason);
    }
    if (candidates.length > 0) expect(summary).toMatch(/ and \d+ candidates? below a confidence of 0\.5/);
  });

  test.each(['a person runs', 'a car enters a roundabout', 'two people hug'])('%s: there are candidates', (prompt) => {
    expect(ask(prompt).candidates).not.toEqual([]);
  });

  test.each(['entering a roundabout', 'leaving the motorway', 'entering the intersection'])('%s: refused', (prompt) => {
    const { events, candidates, coverage } = ask(prompt);
    expect([...events, ...candidates]).toEqual([]);
    expect(coverage[0]).toMatchObject({ status: 'not_looked_for', reason: expect.stringContaining('not recognized') });
  });

  test.each([
    ['a person walks', []],
    ['a car enters', []],
    ['a woman walks', [expect.stringContaining('woman')]],
  ])('%s: events', (prompt, caveats) => {
    const { events, candidates } = ask(prompt);
    expect(events.length).toBeGreaterThan(0);
    expect(candidates).toEqual([]);
    for (const event of events) expect(event.caveats).toEqual(caveats);
  });

  test('the light outside is the light of the picture', () => {
    const { answer: text, coverage } = ask('is it dark outside');
    expect(text).toMatch(/^Yes: picture is dark/);
    expect(coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('"outside"') });
    expect(ask('is anyone outside').answer).toMatch(/^Not certain: person/);
  });

  test('a turn between frames that are a second apart is not certain', () => {
    const turning = (fps: number) =>
      observations(60, {
        signals: signals(60, (t) => ({ globalX: t > 20 && t < 30 ? 0.15 : 0 }), fps),
        objects: null,
      });
    const plan = planner.planQuery('the camera turns');
    expect(answer(plan, turning(25))).toMatchObject({ events: [{ caveats: [expect.any(String)] }], candidates: [] });
    const sparse = answer(plan, turning(1));
    expect(sparse.events).toEqual([]);
    expect(sparse.candidates.length).toBeGreaterThan(0);
    for (const { caveats } of sparse.candidates)
      expect(caveats).toContain('frames are 1 s apart, too far to follow a turn or jolt of the camera');
  });
});

describe('what a word that was not checked costs', () => {
  const plan = planner.planQuery('a person walks');
  const confidenceWith = (unchecked: Partial<Unchecked> | null) => {
    const step = plan.searches[0]!.steps[0]!;
    const word: Unchecked = { text: 'word', reason: 'it is not checked', blocks: false, ...unchecked };
    const steps = [{ ...step, unchecked: unchecked ? [word] : [] }];
    const { events, candidates } = answer({ ...plan, searches: [{ ...plan.searches[0]!, steps }] }, scene);
    return [...events, ...candidates].reduce((sum, { confidence }) => sum + confidence, 0);
  };

  test('is most if it decides what was found, and nothing if it is presumed', () => {
    const [sure, presumed, open, decided] = [null, { presumed: 'any' as const }, {}, { decides: true }].map(
      confidenceWith,
    );
    expect(presumed).toBe(sure);
    expect(open! / sure!).toBeCloseTo(0.8, 2);
    expect(decided! / sure!).toBeCloseTo(0.5, 2);
  });
});

describe('min_confidence', () => {
  test('moves the limit between events and candidates and changes nothing else', () => {
    const [all, none] = [ask('a person runs', 0), ask('a person walks', 1)];
    expect(all.candidates).toEqual([]);
    expect(all.events).toEqual(ask('a person runs').candidates.toSorted((a, b) => a.startPts - b.startPts));
    expect(none.events).toEqual([]);
    expect(none.candidates).toEqual(ask('a person walks').events);
    expect(none.summary).toContain('Nothing for "person walks" and 1 candidate below a confidence of 1');
  });

  test('candidates are not counted, picked or answered with, and make an answer uncertain', () => {
    const is = ask('is a person running?');
    expect(is.answer).toMatch(/^Not certain: it was looked for and not found, but \d candidates? (is|are) below/);
    const howMany = ask('how many people run?');
    expect(howMany.answer).toMatch(/^Not certain: it was looked for and not found, but/);
    expect(ask('when is the first time a person runs?')).toMatchObject({
      events: [],
      answer: expect.stringMatching(/^Not certain/),
    });
    expect(ask('how many people walk?', 1).answer).toMatch(/^Not certain/);
  });
});
