import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../../answer.fixture.ts';
import { line, still, type TrackSpec } from '../../observations.fixture.ts';
import { parkedCar, redCar, video, visitor } from '../tracks.fixture.ts';

describe('counts', () => {
  const crowd = [0.2, 0.4, 0.6].map(
    (x, i): TrackSpec => ({ className: 'person', from: 2 + 2 * i, to: 14, at: still(x, 0.5), size: () => [0.05, 0.2] }),
  );

  it.each([
    ['two or more people', [[4, 14]]],
    ['at least three people', [[6, 14]]],
    ['more than 3 people', []],
    ['exactly two people', [[4, 5.8]]],
    ['a group of people', [[6, 14]]],
  ])('%s', (prompt, expected) => {
    expect(toRows(answerPrompt(prompt, video(20, ...crowd))).map(([, start, end]) => [start, end])).toEqual(expected);
  });

  it('are not interrupted if one object is lost for a moment', () => {
    const [a, b] = crowd;
    const lost = [
      { ...b!, from: 4, to: 8 },
      { ...b!, from: 8.4, to: 14 },
    ];
    expect(toRows(answerPrompt('two people', video(20, a!, ...lost)))).toHaveLength(1);
  });

  it('combine objects that come close in time', () => {
    const two = [redCar, { ...redCar, from: 9, to: 13, at: line(9, [0.05, 0.6], 13, [0.95, 0.6]) }];
    expect(toRows(answerPrompt('two cars enter', video(30, ...two)))[0]![0]).toBe('2 cars enter from the left');
    expect(toRows(answerPrompt('three cars enter', video(30, ...two)))).toEqual([]);
  });

  it('report a crowd as a group', () => {
    const many = Array.from(
      { length: 30 },
      (_, i): TrackSpec => ({
        className: 'person',
        from: i % 7,
        to: 10 + (i % 5),
        at: still((i % 10) / 10 + 0.05, 0.5),
      }),
    );
    const findings = toRows(answerPrompt('people', video(20, ...many)));
    expect(findings).toHaveLength(1);
    expect(findings[0]![0]).toBe('up to 30 people in view');
  });
});

describe('relations', () => {
  const dog: TrackSpec = { className: 'dog', from: 8, to: 14, at: still(0.66, 0.66), size: () => [0.06, 0.08] };

  it.each([
    ['a person near a car', 1],
    ['a person next to a parked car', 1],
    ['a person near a dog', 1],
    ['a person with a dog', 1],
    ['a person with a truck', 0],
    ['a dog with a person', 1],
    ['a person near a truck', 0],
    ['a person right of a car', 1],
    ['a person left of a car', 0],
    ['a dog without a person', 0],
    ['a car without a dog', 2],
  ])('%s: %i', (prompt, count) => {
    expect(toRows(answerPrompt(prompt, video(20, visitor, parkedCar, dog)))).toHaveLength(count);
  });

  it('say when, with both boxes as evidence', () => {
    const [finding] = answerPrompt('a person near a car', video(20, visitor, parkedCar)).events;
    expect(finding!.label).toBe('person near a white car');
    expect(finding!.startS).toBeGreaterThan(6);
    expect(finding!.endS).toBeLessThan(16);
    expect(finding!.evidence.frames.find((f) => f.role === 'best')!.boxes.map((b) => b.label)).toEqual([
      'person 1',
      'white car 2',
    ]);
    expect(finding!.evidence.tracks.map((t) => t.className)).toEqual(['person', 'car']);
  });

  it('do not treat objects far behind as near', () => {
    const far: TrackSpec = { ...parkedCar, at: still(0.6, 0.3), size: () => [0.08, 0.05] };
    expect(toRows(answerPrompt('a person near a car', video(20, visitor, far)))).toEqual([]);
  });

  it('overlap is not nearness', () => {
    const rider: TrackSpec = { className: 'person', from: 2, to: 8, at: still(0.5, 0.45), size: () => [0.06, 0.2] };
    const bicycle: TrackSpec = { className: 'bicycle', from: 2, to: 8, at: still(0.5, 0.52), size: () => [0.08, 0.1] };
    expect(toRows(answerPrompt('a person riding a bicycle', video(12, rider, bicycle)))).toHaveLength(1);
    expect(
      toRows(answerPrompt('a person riding a bicycle', video(12, rider, { ...bicycle, at: still(0.62, 0.52) }))),
    ).toEqual([]);
  });

  it('find passing an object, once, and not turning back before it', () => {
    const walker: TrackSpec = {
      className: 'person',
      from: 2,
      to: 10,
      at: line(2, [0.1, 0.6], 10, [0.9, 0.6]),
      size: () => [0.05, 0.2],
    };
    const [finding, ...more] = answerPrompt('a person walks past a parked car', video(20, walker, parkedCar)).events;
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ label: 'person passes a standing white car', severity: 'medium' });
    expect(finding!.startS).toBeLessThan(6);
    expect(finding!.endS).toBeGreaterThan(6);
    expect(toRows(answerPrompt('a person walks past a car', video(20, visitor, parkedCar)))).toEqual([]);
  });

  it('find approaching, by the one that moves', () => {
    const walker: TrackSpec = {
      className: 'person',
      from: 2,
      to: 8,
      at: line(2, [0.05, 0.6], 8, [0.42, 0.6]),
      size: () => [0.05, 0.2],
    };
    expect(toRows(answerPrompt('a person approaches a car', video(20, walker, parkedCar)))).toHaveLength(1);
    expect(toRows(answerPrompt('a car approaches a person', video(20, walker, parkedCar)))).toEqual([]);
    expect(toRows(answerPrompt('a person approaches a dog', video(20, walker, parkedCar)))).toEqual([]);
  });

  it('find a bag that is left behind, and one that is taken', () => {
    const seconds = 40;
    const owner: TrackSpec = {
      className: 'person',
      from: 0,
      to: 14,
      at: line(8, [0.5, 0.5], 14, [0.98, 0.5]),
      size: () => [0.05, 0.2],
      leftTo: 'right',
    };
    const bag: TrackSpec = {
      className: 'backpack',
      from: 2,
      to: 40,
      at: still(0.54, 0.57),
      size: () => [0.03, 0.05],
      stationary: [[2, 40]],
    };
    const [left] = answerPrompt('a bag left behind', video(seconds, owner, bag)).events;
    expect(left).toMatchObject({ label: 'backpack is left behind', severity: 'high' });
    expect(left!.startS).toBeGreaterThan(8);
    expect(
      toRows(answerPrompt('unattended bag', video(seconds, { ...owner, to: 40, at: still(0.5, 0.5) }, bag))),
    ).toEqual([]);
    const thief: TrackSpec = {
      className: 'person',
      from: 28,
      to: 34,
      at: line(28, [0.02, 0.5], 30, [0.5, 0.5]),
      size: () => [0.05, 0.2],
    };
    const taken = { ...bag, to: 31, stationary: [[2, 30.8]] as [number, number][] };
    expect(toRows(answerPrompt('suitcase or backpack taken away', video(seconds, thief, taken)))).toHaveLength(1);
    expect(toRows(answerPrompt('backpack taken away', video(seconds, taken)))).toEqual([]);
  });
});
