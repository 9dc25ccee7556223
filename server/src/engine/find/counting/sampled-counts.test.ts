// Counts in sampled frames, where objects cannot be identified from one sample to the next.
import { describe, expect, test } from 'vitest';
import { answerScene } from '../../answer.ts';
import type { Observations, SparsePass } from '../../observe/observations.ts';
import { createPlanner } from '../../plan/index.ts';
import { objects, observations, signals, signalsAt, still, type TrackSpec } from '../observations.fixture.ts';
import { createScene } from '../scene.ts';

const planner = createPlanner();
const LENGTH_S = 120;
const STEP_S = 4;

/** A video of which a frame was sampled every four seconds, with this many people at each time. */
function sampled(countAt: (timeS: number) => number): Observations {
  const times = Array.from({ length: LENGTH_S / STEP_S }, (_, i) => i * STEP_S);
  const specs = times.flatMap((timeS) =>
    Array.from({ length: countAt(timeS) }, (_, i): TrackSpec => {
      return { className: 'person', from: timeS, to: timeS, at: still(0.1 + i * 0.15, 0.5), score: 0.9 };
    }),
  );
  const pass: SparsePass = {
    signals: signalsAt(times),
    objects: objects(LENGTH_S, specs, 1 / STEP_S),
    sound: null,
    quiet: [],
  };
  return { ...observations(LENGTH_S, pass), sparsePass: pass };
}

/** A range of the same video in which every frame was observed. */
function dense(fromS: number, untilS: number, specs: readonly TrackSpec[]): Observations {
  const observed = observations(LENGTH_S, { signals: signals(LENGTH_S), objects: objects(LENGTH_S, specs) });
  return { ...observed, video: { ...observed.video, range: { fromS, untilS } } };
}

const ask = (prompt: string, whole: Observations, ranges: Observations[] = []) =>
  answerScene(planner.planQuery(prompt), createScene(whole, ranges));

/** One person, and five between 40 and 60 s. */
const visited = sampled((t) => (t >= 40 && t < 60 ? 5 : 1));

describe('sampled objects', () => {
  test('are counted once, as many as in the frame with most of them', () => {
    const { answer, events } = ask('how many people?', visited);
    expect(answer).toMatch(/^At least 5 people, at most 5 at the same time \(0:40\.0\), 1\.7 on average\./);
    expect(events).toMatchObject([{ label: 'up to 5 people in view' }]);
  });

  test.each([
    [0, 30, 1],
    [44, 50, 5],
    [70, 110, 1],
  ])('between %i and %i s are those of the samples there', (from, to, count) => {
    const { answer, events } = ask(`how many people between ${from} and ${to} seconds?`, visited);
    const noun = count === 1 ? 'person' : 'people';
    expect(answer).toMatch(new RegExp(`^At least ${count} ${noun}, at most ${count} at the same time`));
    expect(events[0]!.label).toContain(count === 1 ? 'person in view' : `${count} people`);
  });

  test('are those of a range where every frame was observed, and sampled around it', () => {
    const people = [0.2, 0.5].map((x): TrackSpec => ({ className: 'person', from: 30, to: 59, at: still(x, 0.5) }));
    const range = dense(30, 60, people);
    const { events } = ask('people', visited, [range]);
    expect(events[0]!.label).toBe('up to 2 people in view');
    expect(ask('people between 80 and 100 seconds', visited, [range]).events[0]!.label).toMatch(/^person in view/);
    const [busiest] = ask('when are there most people?', visited, [range]).events;
    expect(busiest).toMatchObject({ label: '2 people in view', startS: 30 });
  });

  test('have a mean over both, each where it counts', () => {
    const people = [0.2, 0.5].map((x): TrackSpec => ({ className: 'person', from: 30, to: 57.8, at: still(x, 0.5) }));
    // One person for 90 s, two for 28 s, and five for the last 2 s of the samples before 60 s.
    const { answer } = ask('how many people?', visited, [dense(30, 58, people)]);
    expect(answer).toContain('1.3 on average');
  });
});
