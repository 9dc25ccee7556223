import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { type Frame, line, objects, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';

const video = (seconds: number, tracks: TrackSpec[], frame: Frame = {}) =>
  observations(seconds, { signals: signals(seconds, () => frame), objects: objects(seconds, tracks) });

describe('following', () => {
  const behind = (gap: number, className = 'car'): TrackSpec => ({
    className,
    from: 2,
    to: 8,
    at: line(2, [0.3 - gap, 0.6], 8, [0.9 - gap, 0.6]),
  });

  it('is moving in the same direction, close behind', () => {
    const findings = toRows(answerPrompt('a car follows a truck', video(10, [behind(0, 'truck'), behind(0.2)])));
    expect(findings.map(([label]) => label)).toEqual(['car follows a truck']);
    expect(toRows(answerPrompt('a truck follows a car', video(10, [behind(0, 'truck'), behind(0.2)])))).toEqual([]);
  });

  it('is not meeting, standing behind or being far behind', () => {
    const meeting: TrackSpec = { className: 'car', from: 2, to: 8, at: line(2, [0.9, 0.6], 8, [0.3, 0.6]) };
    expect(toRows(answerPrompt('a car follows a truck', video(10, [behind(0, 'truck'), meeting])))).toEqual([]);
    expect(
      toRows(
        answerPrompt('a car follows a truck', video(10, [behind(0, 'truck'), { ...meeting, at: still(0.2, 0.6) }])),
      ),
    ).toEqual([]);
    expect(toRows(answerPrompt('a car follows a truck', video(10, [behind(-0.2, 'truck'), behind(0.25)])))).toEqual([]);
  });
});

describe('a vehicle close ahead', () => {
  const ahead: TrackSpec = { className: 'car', from: 1, to: 9, at: still(0.5, 0.7), size: () => [0.3, 0.3] };
  const driving: Frame = { zoom: 0.2 };

  it('is large in the middle of the frame while the camera moves forward', () => {
    const answer = answerPrompt('tailgating', video(10, [ahead], driving));
    expect(toRows(answer).map(([label]) => label)).toEqual(['car is close ahead']);
    expect(answer.coverage[0]!.reason).toContain('distances are not measured');
  });

  it.each([
    ['small', { ...ahead, size: () => [0.1, 0.1] as [number, number] }, driving],
    ['in another lane', { ...ahead, at: still(0.2, 0.7) }, driving],
    ['ahead of a camera that stands', ahead, {}],
  ] as const)('is not one that is %s', (_which, track, frame) => {
    expect(answerPrompt('tailgating', video(10, [track], frame)).events).toEqual([]);
  });
});

describe('cyclists', () => {
  const bike: TrackSpec = { className: 'bicycle', from: 0, to: 10, at: line(0, [0.2, 0.7], 10, [0.8, 0.7]) };
  const rider: TrackSpec = {
    className: 'person',
    from: 0,
    to: 10,
    at: line(0, [0.2, 0.62], 10, [0.8, 0.62]),
    size: () => [0.05, 0.2],
  };

  it('are bicycles that somebody rides', () => {
    expect(toRows(answerPrompt('a cyclist', video(10, [bike, rider])))).toEqual([['cyclist in view', 0, 9.8]]);
    expect(
      toRows(answerPrompt('a motorcyclist', video(10, [{ ...bike, className: 'motorcycle' }, rider]))),
    ).toHaveLength(1);
  });

  it('are not bicycles alone, nor beside somebody', () => {
    expect(answerPrompt('a cyclist', video(10, [bike])).events).toEqual([]);
    expect(
      answerPrompt('a cyclist', video(10, [bike, { ...rider, at: line(0, [0.3, 0.62], 10, [0.9, 0.62]) }])).events,
    ).toEqual([]);
    expect(toRows(answerPrompt('a bicycle', video(10, [bike])))).toHaveLength(1);
  });
});

describe('people on foot', () => {
  const bike: TrackSpec = { className: 'bicycle', from: 0, to: 10, at: line(0, [0.2, 0.7], 10, [0.8, 0.7]) };
  const rider: TrackSpec = {
    className: 'person',
    from: 0,
    to: 10,
    at: line(0, [0.2, 0.62], 10, [0.8, 0.62]),
    size: () => [0.05, 0.2],
  };
  const walker: TrackSpec = { ...rider, from: 4, at: line(4, [0.1, 0.3], 10, [0.6, 0.3]) };
  const rows = (prompt: string, ...tracks: TrackSpec[]) => toRows(answerPrompt(prompt, video(10, tracks)));

  it.each(['bicycle', 'motorcycle'])('are not those who ride a %s, who are people all the same', (className) => {
    const ridden = { ...bike, className };
    expect(rows('a pedestrian', ridden, rider)).toEqual([]);
    expect(rows('a pedestrian', ridden, rider, walker)).toEqual([['pedestrian in view', 4, 9.8]]);
    expect(rows('how long is the walker visible', ridden, rider, walker).map(([, from]) => from)).toEqual([4]);
    expect(rows('a person', ridden, rider, walker)).toHaveLength(2);
    expect(answerPrompt('how many people on foot are there', video(10, [ridden, rider, walker])).answer).toMatch(
      /^(?:At least )?1 pedestrian,.*a rider whose bicycle or motorcycle was not detected counts as a person on foot/,
    );
  });

  it('may ride for a part of the time, and walk past a parked bike', () => {
    const mounted = { ...bike, from: 7, at: line(7, [0.62, 0.7], 10, [0.8, 0.7]) };
    expect(rows('a pedestrian', mounted, rider)).toEqual([['pedestrian in view', 0, 6.8]]);
    const parked: TrackSpec = {
      ...bike,
      at: still(0.5, 0.7),
      size: () => [0.3, 0.15],
      stationary: [[0, 10]],
    };
    expect(rows('a pedestrian', parked, rider)).toEqual([['pedestrian in view', 0, 9.8]]);
    expect(rows('a cyclist', parked, rider)).toEqual([]);
  });

  it.each([
    'a cyclist and a person at the same time',
    'a person while a cyclist is in view',
    'a cyclist and a pedestrian at the same time',
    'a person near a cyclist',
    'a cyclist appears, then a person appears',
  ])('are others than the cyclist: %s', (prompt) => {
    const seen = { ...bike, from: 1, at: line(1, [0.26, 0.7], 10, [0.8, 0.7]) };
    const late = { ...rider, from: 2, at: line(2, [0.32, 0.62], 10, [0.8, 0.62]) };
    expect(rows(prompt, seen, late)).toEqual([]);
    const beside = { ...walker, from: 3, at: line(3, [0.46, 0.62], 10, [0.9, 0.62]) };
    expect(rows(prompt, seen, late, beside)).toHaveLength(1);
  });
});

describe('too close', () => {
  const person = (x: number, y = 0.6): TrackSpec => ({
    className: 'person',
    from: 0,
    to: 9,
    at: still(x, y),
    size: () => [0.05, 0.2],
  });

  it('is almost touching, at the same depth', () => {
    const close = answerPrompt('a person too close to another person', video(10, [person(0.4), person(0.46)]));
    expect(toRows(close).map(([label]) => label)).toContain('person too close to a person');
    expect(answerPrompt('a person too close to another person', video(10, [person(0.4), person(0.55)])).events).toEqual(
      [],
    );
    expect(
      answerPrompt('a person too close to another person', video(10, [person(0.4), person(0.44, 0.7)])).events,
    ).toEqual([]);
  });
});

describe('objects next to each other', () => {
  const parked = (x: number, from = 0): TrackSpec => ({
    className: 'car',
    from,
    to: 10,
    at: still(x, 0.6),
    size: () => [0.1, 0.1],
    stationary: [[from, 10]],
  });
  const row = [parked(0.2), parked(0.32, 2), parked(0.44, 4), parked(0.9)];

  it('are one event for both, and counted as two', () => {
    expect(toRows(answerPrompt('two cars next to each other', video(10, row)))).toEqual([
      ['car near a car', 2, 9.8],
      ['car near a car', 4, 9.8],
    ]);
    expect(answerPrompt('how many cars are next to each other?', video(10, row)).answer).toContain('3 cars');
    expect(toRows(answerPrompt('cars parked together', video(10, row))).map(([, from]) => from)).toEqual([2, 4]);
  });

  it('have the requested count, each with another one beside it', () => {
    expect(toRows(answerPrompt('three cars next to each other', video(10, row)))).toEqual([
      ['3 cars near a car', 4, 9.8],
    ]);
    expect(toRows(answerPrompt('three cars next to each other', video(10, [row[0]!, row[1]!, row[3]!])))).toEqual([]);
  });

  it('count once if near several others', () => {
    const person: TrackSpec = { className: 'person', from: 0, to: 10, at: still(0.26, 0.6), size: () => [0.03, 0.1] };
    expect(toRows(answerPrompt('two people near a car', video(10, [...row, person])))).toEqual([]);
    expect(toRows(answerPrompt('a person near a car', video(10, [...row, person]))).length).toBeGreaterThan(0);
  });
});

describe('counts over time', () => {
  const passing = (from: number): TrackSpec => ({
    className: 'car',
    from,
    to: from + 4,
    at: line(from, [0.1, 0.6], from + 4, [0.9, 0.6]),
  });

  it('are reported per period, by first detection', () => {
    const { answer } = answerPrompt('how many cars per minute?', video(150, [5, 20, 70, 130, 135, 140].map(passing)));
    expect(answer).toContain('6 cars');
    expect(answer).toContain(
      'That is 2.4 per minute on average: 2 from 0:00.0, 1 from 1:00.0 and 3 from 2:00.0 (of 30 s).',
    );
  });

  it('have no period for a short remainder', () => {
    const { answer } = answerPrompt('how many cars per minute?', video(123, [5, 70, 118].map(passing)));
    expect(answer).toContain('on average: 1 from 0:00.0 and 2 from 1:00.0.');
  });

  it('are extrapolated if the video is shorter', () => {
    expect(answerPrompt('how many cars per hour?', video(60, [5, 20].map(passing))).answer).toContain(
      'That is 120 per hour, extrapolated from 60 s.',
    );
  });

  it('report the time with the most objects', () => {
    const answer = answerPrompt('when are there most cars?', video(30, [2, 5, 20].map(passing)));
    expect(toRows(answer)).toEqual([['2 cars in view', 5, 6]]);
    expect(answer.answer).toBe('0:05.0 to 0:06.0, 2 at the same time.');
  });
});

describe('a verb without a subject', () => {
  it('refers to any object, or to the camera', () => {
    const car: TrackSpec = {
      className: 'car',
      from: 0,
      to: 60,
      at: line(0, [0.1, 0.6], 5, [0.6, 0.6]),
      stationary: [[5, 60]],
    };
    const parked: TrackSpec = { className: 'car', from: 0, to: 60, at: still(0.8, 0.8), stationary: [[0, 60]] };
    const answer = answerPrompt('stopped for over 30 seconds', video(60, [car, parked]));
    expect(toRows(answer).map(([label, from]) => [label, from])).toEqual([['car stops', 5]]);
    expect(answer.coverage.map(({ by }) => by.join())).toEqual([
      expect.stringContaining('objects'),
      expect.stringContaining('motion of the whole'),
    ]);
    const drive = observations(60, {
      signals: signals(60, (t) => (t < 10 ? { zoom: 0.3 } : {})),
      objects: objects(60, []),
    });
    expect(toRows(answerPrompt('stopped for over 30 seconds', drive)).map(([label]) => label)).toEqual([
      'camera stops',
    ]);
  });
});
