// Laws of times relative to events, on generated cuts.
import { describe, expect, test } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { createRandom } from '../../observe/signals/frames.fixture.ts';
import { createPlanner } from '../../plan/index.ts';
import { find } from '../find.ts';
import { objects, observations, signals, still } from '../observations.fixture.ts';
import { createScene } from '../scene.ts';
import { clipToIntervals, momentsOf } from './moments.ts';

const LENGTH_S = 40;
const planner = createPlanner();

describe.each([1, 2, 3, 4])('times relative to generated events (%i)', (seed) => {
  const random = createRandom(seed * 3001);
  const cuts = new Set(Array.from({ length: 6 }, () => 10 + Math.floor(random() * (LENGTH_S * 25 - 20))));
  const tracks = Array.from({ length: 5 }, (_, i) => {
    const from = Math.round(random() * 30);
    return { className: 'car', from, to: from + 4, at: still(0.1 + 0.2 * i, 0.5), size: () => [0.1, 0.1] as const };
  });
  const scene = createScene(
    observations(LENGTH_S, {
      signals: signals(LENGTH_S, (_t, i) => (cuts.has(i) ? { cut: 90 } : {})),
      objects: objects(
        LENGTH_S,
        tracks.map((track) => ({ ...track, size: () => [0.1, 0.1] })),
        5,
      ),
    }),
  );
  const range = { from: 0, to: LENGTH_S };
  const [found] = find(planner.planQuery('cuts'), scene);
  const events = found!.matches;
  const [cars] = find(planner.planQuery('cars'), scene);

  test.each(['before', 'after', 'around'] as const)(
    'lie %s them, inside the video, and are no longer than asked',
    (kind) => {
      const moments = momentsOf({ kind, seconds: 3 }, events, range, scene);
      expect(moments.length).toBeLessThanOrEqual(events.length);
      for (const { start, end, momentOf } of moments) {
        expect(start.timeS).toBeGreaterThanOrEqual(0);
        expect(end.timeS).toBeLessThanOrEqual(LENGTH_S);
        const event = momentOf!;
        const most = kind === 'around' ? 6 + event.end.timeS - event.start.timeS : 3;
        expect(end.timeS - start.timeS).toBeLessThanOrEqual(most + 0.05);
        if (kind === 'before') expect(end.timeS).toBeLessThanOrEqual(event.start.timeS);
        if (kind === 'after') expect(start.timeS).toBeGreaterThanOrEqual(event.end.timeS);
        if (kind === 'around') expect(start.timeS).toBeLessThanOrEqual(event.start.timeS);
      }
    },
  );

  test('between them touch no event', () => {
    const moments = momentsOf({ kind: 'between', seconds: null }, events, range, scene);
    expect(moments.length).toBeLessThan(events.length);
    for (const { start, end } of moments)
      for (const event of events) expect(event.start.timeS >= end.timeS || event.end.timeS <= start.timeS).toBe(true);
  });

  test('of more seconds contain those of fewer', () => {
    const [few, many] = [2, 5].map((seconds) => momentsOf({ kind: 'before', seconds }, events, range, scene));
    for (const { start, end } of few!)
      expect(many!.some((each) => each.start.timeS <= start.timeS && each.end.timeS >= end.timeS)).toBe(true);
  });

  test('limit what is found to them, and everything to nothing less', () => {
    const moments = momentsOf({ kind: 'around', seconds: 2 }, events, range, scene);
    const parts = clipToIntervals(moments, cars!.matches, scene);
    for (const part of parts)
      expect(moments.some(({ start, end }) => start.timeS <= part.end.timeS && end.timeS >= part.start.timeS)).toBe(
        true,
      );
    const [whole] = momentsOf({ kind: 'around', seconds: LENGTH_S }, events, range, scene);
    expect(clipToIntervals([whole!], cars!.matches, scene).map(({ presences }) => presences)).toEqual(
      cars!.matches.map(({ presences }) => presences),
    );
    expect(clipToIntervals([], cars!.matches, scene)).toEqual([]);
  });
});

describe('answers', () => {
  const video = observations(30, {
    signals: signals(30, (_t, i) => (i === 250 || i === 500 ? { cut: 90 } : {})),
    objects: objects(30, [
      { className: 'car', from: 3, to: 6, at: still(0.3, 0.5), size: () => [0.2, 0.2] },
      { className: 'dog', from: 12, to: 15, at: still(0.6, 0.5), size: () => [0.2, 0.2] },
      { className: 'car', from: 22, to: 26, at: still(0.7, 0.5), size: () => [0.2, 0.2] },
    ]),
  });

  test('times are reported instead of their events', () => {
    expect(toRows(answerPrompt('show the 3 seconds before each cut', video))).toEqual([
      ['3 s before cut to another shot', 7, 10],
      ['3 s before cut to another shot', 17, 20],
    ]);
    expect(toRows(answerPrompt('2 s around the first cut', video))).toEqual([
      ['2 s around cut to another shot', 8, 12],
    ]);
  });

  test('a search during events does not report them', () => {
    const reply = answerPrompt('how many dogs between the first and second cut', video);
    expect(reply.answer).toMatch(/^(?:At least )?1 dog/);
    expect(reply.events.map(({ category }) => category)).toEqual(['object']);
    expect(reply.interpretation).toContain('during: cut to another shot (only the first 2, between one and the next)');
  });

  test('what is not known or not found leaves it open', () => {
    const silent = answerPrompt('how many dogs in the 5 seconds after the bang', video);
    expect(silent.answer).toMatch(/^Not known/);
    const never = answerPrompt('is there a dog in the 5 seconds after the first dissolve', video);
    expect(never.answer).toMatch(/^Not certain/);
    expect(never.coverage.some(({ reason }) => reason?.includes('was not found'))).toBe(true);
  });
});
