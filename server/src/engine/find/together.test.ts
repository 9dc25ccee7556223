import { describe, expect, it } from 'vitest';
import { ask, told } from '../ask.fixture.ts';
import { type Frame, line, objects, observations, signals, still, type TrackSpec } from './observations.fixture.ts';

const video = (seconds: number, tracks: TrackSpec[], frame: Frame = {}) =>
  observations(seconds, { signals: signals(seconds, () => frame), objects: objects(seconds, tracks) });

describe('following', () => {
  const behind = (gap: number, className = 'car'): TrackSpec => ({
    className,
    from: 2,
    to: 8,
    at: line(2, [0.3 - gap, 0.6], 8, [0.9 - gap, 0.6]),
  });

  it('is going the same way, close behind', () => {
    const findings = told(ask('a car follows a truck', video(10, [behind(0, 'truck'), behind(0.2)])));
    expect(findings.map(([label]) => label)).toEqual(['car follows a truck']);
    expect(told(ask('a truck follows a car', video(10, [behind(0, 'truck'), behind(0.2)])))).toEqual([]);
  });

  it('is not meeting, standing behind or being far behind', () => {
    const meeting: TrackSpec = { className: 'car', from: 2, to: 8, at: line(2, [0.9, 0.6], 8, [0.3, 0.6]) };
    expect(told(ask('a car follows a truck', video(10, [behind(0, 'truck'), meeting])))).toEqual([]);
    expect(
      told(ask('a car follows a truck', video(10, [behind(0, 'truck'), { ...meeting, at: still(0.2, 0.6) }]))),
    ).toEqual([]);
    expect(told(ask('a car follows a truck', video(10, [behind(-0.2, 'truck'), behind(0.25)])))).toEqual([]);
  });
});

describe('a vehicle close ahead', () => {
  const ahead: TrackSpec = { className: 'car', from: 1, to: 9, at: still(0.5, 0.7), size: () => [0.3, 0.3] };
  const driving: Frame = { zoom: 0.2 };

  it('is large in the middle of the picture while the camera goes forward', () => {
    const answer = ask('tailgating', video(10, [ahead], driving));
    expect(told(answer).map(([label]) => label)).toEqual(['car is close ahead']);
    expect(answer.coverage[0]!.reason).toContain('distances are not measured');
  });

  it.each([
    ['small', { ...ahead, size: () => [0.1, 0.1] as [number, number] }, driving],
    ['in another lane', { ...ahead, at: still(0.2, 0.7) }, driving],
    ['ahead of a camera that stands', ahead, {}],
  ] as const)('is not one that is %s', (_which, track, frame) => {
    expect(ask('tailgating', video(10, [track], frame)).findings).toEqual([]);
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
    expect(told(ask('a cyclist', video(10, [bike, rider])))).toEqual([['cyclist in view', 0, 9.8]]);
    expect(told(ask('a motorcyclist', video(10, [{ ...bike, className: 'motorcycle' }, rider])))).toHaveLength(1);
  });

  it('are not bicycles alone, nor beside somebody', () => {
    expect(ask('a cyclist', video(10, [bike])).findings).toEqual([]);
    expect(
      ask('a cyclist', video(10, [bike, { ...rider, at: line(0, [0.3, 0.62], 10, [0.9, 0.62]) }])).findings,
    ).toEqual([]);
    expect(told(ask('a bicycle', video(10, [bike])))).toHaveLength(1);
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
    const close = ask('a person too close to another person', video(10, [person(0.4), person(0.46)]));
    expect(told(close).map(([label]) => label)).toContain('person too close to a person');
    expect(ask('a person too close to another person', video(10, [person(0.4), person(0.55)])).findings).toEqual([]);
    expect(ask('a person too close to another person', video(10, [person(0.4), person(0.44, 0.7)])).findings).toEqual(
      [],
    );
  });
});

describe('things next to each other', () => {
  const parked = (x: number, from = 0): TrackSpec => ({
    className: 'car',
    from,
    to: 10,
    at: still(x, 0.6),
    size: () => [0.1, 0.1],
    stationary: [[from, 10]],
  });
  const row = [parked(0.2), parked(0.32, 2), parked(0.44, 4), parked(0.9)];

  it('are told once for the two, and counted as two', () => {
    expect(told(ask('two cars next to each other', video(10, row)))).toEqual([
      ['car near a car', 2, 9.8],
      ['car near a car', 4, 9.8],
    ]);
    expect(ask('how many cars are next to each other?', video(10, row)).answer).toContain('3 cars');
    expect(told(ask('cars parked together', video(10, row))).map(([, from]) => from)).toEqual([2, 4]);
  });

  it('are as many as asked, each with one beside it', () => {
    expect(told(ask('three cars next to each other', video(10, row)))).toEqual([['3 cars near a car', 4, 9.8]]);
    expect(told(ask('three cars next to each other', video(10, [row[0]!, row[1]!, row[3]!])))).toEqual([]);
  });

  it('are not more for standing near several', () => {
    const person: TrackSpec = { className: 'person', from: 0, to: 10, at: still(0.26, 0.6), size: () => [0.03, 0.1] };
    expect(told(ask('two people near a car', video(10, [...row, person])))).toEqual([]);
    expect(told(ask('a person near a car', video(10, [...row, person]))).length).toBeGreaterThan(0);
  });
});

describe('counts over time', () => {
  const passing = (from: number): TrackSpec => ({
    className: 'car',
    from,
    to: from + 4,
    at: line(from, [0.1, 0.6], from + 4, [0.9, 0.6]),
  });

  it('are told for each stretch, by when each was first seen', () => {
    const { answer } = ask('how many cars per minute?', video(150, [5, 20, 70, 130, 135, 140].map(passing)));
    expect(answer).toContain('6 cars');
    expect(answer).toContain(
      'That is 2.4 per minute on average: 2 from 0:00.0, 1 from 1:00.0 and 3 from 2:00.0 (of 30 s).',
    );
  });

  it('have no stretch for the moment that is left over', () => {
    const { answer } = ask('how many cars per minute?', video(123, [5, 70, 118].map(passing)));
    expect(answer).toContain('on average: 1 from 0:00.0 and 2 from 1:00.0.');
  });

  it('are reckoned where the video is shorter', () => {
    expect(ask('how many cars per hour?', video(60, [5, 20].map(passing))).answer).toContain(
      'That is 120 per hour, reckoned from 60 s.',
    );
  });

  it('tell when there were most', () => {
    const answer = ask('when are there most cars?', video(30, [2, 5, 20].map(passing)));
    expect(told(answer)).toEqual([['2 cars in view', 5, 6]]);
    expect(answer.answer).toBe('0:05.0 to 0:06.0, 2 at the same time.');
  });
});

describe('a verb of nobody', () => {
  it('means whatever does it, or the camera', () => {
    const car: TrackSpec = {
      className: 'car',
      from: 0,
      to: 60,
      at: line(0, [0.1, 0.6], 5, [0.6, 0.6]),
      stationary: [[5, 60]],
    };
    const parked: TrackSpec = { className: 'car', from: 0, to: 60, at: still(0.8, 0.8), stationary: [[0, 60]] };
    const answer = ask('stopped for over 30 seconds', video(60, [car, parked]));
    expect(told(answer).map(([label, from]) => [label, from])).toEqual([['car stops', 5]]);
    expect(answer.coverage.map(({ by }) => by.join())).toEqual([
      expect.stringContaining('objects'),
      expect.stringContaining('motion of the whole'),
    ]);
    const drive = observations(60, {
      signals: signals(60, (t) => (t < 10 ? { zoom: 0.3 } : {})),
      objects: objects(60, []),
    });
    expect(told(ask('stopped for over 30 seconds', drive)).map(([label]) => label)).toEqual(['camera stops']);
  });
});
