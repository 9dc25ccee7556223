import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';
import { parkedCar, redCar, video, visitor } from './tracks.fixture.ts';

describe('presence', () => {
  it('is reported from the first to the last detection, with the edges of entry and exit', () => {
    expect(toRows(answerPrompt('a car', video(20, redCar)))).toEqual([
      ['red car comes in from the left and leaves to the right', 4, 8],
    ]);
  });

  it.each(['a bus', 'a blue car', 'a person', 'two cars', 'a car on the left of a bus'])(
    '"%s" is not found',
    (prompt) => {
      const answer = answerPrompt(prompt, video(20, redCar));
      expect(answer.events).toEqual([]);
      expect(answer.coverage[0]!.status).toBe('looked_for');
    },
  );

  it.each(['vehicle', 'red vehicle', 'a car or a truck', 'something'])('"%s" is found', (prompt) => {
    expect(toRows(answerPrompt(prompt, video(20, redCar)))).toHaveLength(1);
  });

  it('needs more than one confident detection', () => {
    expect(toRows(answerPrompt('car', video(20, { ...redCar, from: 4, to: 4 })))).toEqual([]);
    expect(toRows(answerPrompt('car', video(20, { ...redCar, score: 0.2 })))).toEqual([]);
  });

  it('takes a single detection where no other frame could confirm it, but not what it does', () => {
    const passing = { ...redCar, from: 4, to: 4, score: 0.7 };
    const sparse = observations(20, { signals: signals(20, () => ({}), 1), objects: objects(20, [passing], 1) });
    expect(toRows(answerPrompt('car', sparse))).toEqual([[expect.stringContaining('red car'), 4, 4]]);
    for (const prompt of ['a car appears', 'a car moves', 'a car enters', 'a parked car'])
      expect(toRows(answerPrompt(prompt, sparse)), prompt).toEqual([]);
  });

  it('has a confidence that grows with score and duration', () => {
    const confidence = (track: Partial<TrackSpec>) =>
      answerPrompt('car', video(20, { ...parkedCar, ...track })).events[0]!.confidence;
    expect(confidence({ score: 0.5, to: 1 })).toBeGreaterThan(confidence({ score: 0.4, to: 1 }));
    expect(confidence({ score: 0.4, to: 2 })).toBeGreaterThan(confidence({ score: 0.4, to: 1 }));
    expect(confidence({ score: 0.99 })).toBeLessThan(1);
  });

  it('takes glass and road in the box into account for colors', () => {
    const dark = {
      ...redCar,
      colors: [
        ['black', 0.5],
        ['gray', 0.3],
        ['red', 0.05],
      ] as [string, number][],
    };
    expect(toRows(answerPrompt('red car', video(20, dark)))).toEqual([]);
    expect(toRows(answerPrompt('black car', video(20, dark)))).toHaveLength(1);
    expect(toRows(answerPrompt('black car', video(20, redCar)))).toEqual([]);
  });

  it('names a vehicle by its paint, and a person by any large garment', () => {
    const car = (colors: [string, number][]) => video(20, { ...redCar, colors });
    const isCalled = (prompt: string, seen: ReturnType<typeof car>) => toRows(answerPrompt(prompt, seen)).length > 0;
    const shaded = car([
      ['gray', 0.45],
      ['black', 0.3],
      ['white', 0.22],
    ]);
    expect(['white car', 'gray car', 'black car'].map((prompt) => isCalled(prompt, shaded))).toEqual([
      true,
      true,
      false,
    ]);
    const glassy = car([
      ['black', 0.45],
      ['gray', 0.51],
    ]);
    expect(['white car', 'gray car', 'black car'].map((prompt) => isCalled(prompt, glassy))).toEqual([
      false,
      true,
      false,
    ]);
    const worker = video(20, {
      ...visitor,
      colors: [
        ['blue', 0.4],
        ['orange', 0.25],
        ['red', 0.1],
      ],
    });
    expect(['person in blue', 'person in orange', 'person in red'].map((prompt) => isCalled(prompt, worker))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('finds a person by the color of one garment', () => {
    const worker = {
      ...visitor,
      colors: [['gray', 0.6]] as [string, number][],
      clothes: {
        upper: [
          ['orange', 0.5],
          ['black', 0.3],
        ] as [string, number][],
        lower: [
          ['blue', 0.5],
          ['black', 0.3],
        ] as [string, number][],
      },
    };
    const isCalled = (prompt: string) => toRows(answerPrompt(prompt, video(20, worker))).length > 0;
    const called = ['orange shirt', 'person in orange', 'a person in blue trousers', 'person in blue'];
    expect(called.filter((prompt) => !isCalled(prompt))).toEqual([]);
    const others = [
      'blue shirt',
      'orange trousers',
      'a person in gray',
      'person in black',
      'a person in a black shirt',
    ];
    expect(others.filter(isCalled)).toEqual([]);
    expect(toRows(answerPrompt('an orange shirt', video(20, worker)))[0]![0]).toContain('person in orange');
    const { interpretation } = answerPrompt('is anyone in blue trousers?', video(20, worker));
    expect(interpretation).toBe('Understood as: a person in blue on the legs in view; whether it happens.');
    // Other clothes may have the colors of a safety vest.
    const vest = answerPrompt('hi vis vest?', video(20, worker));
    expect([vest.events, vest.candidates.length]).toEqual([[], 1]);
  });

  it('is limited to a place', () => {
    expect(toRows(answerPrompt('car on the left', video(20, redCar)))).toEqual([
      [expect.stringContaining('car'), 4, expect.closeTo(5.2, 0)],
    ]);
    expect(toRows(answerPrompt('car at the top', video(20, redCar)))).toEqual([]);
  });
});

describe('coming and going', () => {
  it.each([
    ['car enters', 'red car enters from the left', 4],
    ['car enters from the left', 'red car enters from the left', 4],
    ['car leaves to the right', 'red car leaves to the right', 8],
  ])('%s', (prompt, label, time) => {
    const [finding] = toRows(answerPrompt(prompt, video(20, redCar)));
    expect(finding![0]).toBe(label);
    expect(Math.abs(Number(finding![prompt.includes('leaves') ? 2 : 1]) - time)).toBeLessThan(0.01);
  });

  it.each(['car enters from the right', 'car leaves to the left', 'person enters'])('not: %s', (prompt) => {
    expect(toRows(answerPrompt(prompt, video(20, redCar)))).toEqual([]);
  });

  it('does not apply to objects there from the start or until the end', () => {
    for (const prompt of ['car enters', 'car leaves', 'car appears', 'car disappears'])
      expect(toRows(answerPrompt(prompt, video(20, parkedCar)))).toEqual([]);
  });

  it('applies to an object that touches the edge at the start and soon moves in', () => {
    const coming = {
      ...redCar,
      from: 0,
      to: 6,
      at: line(0, [0.03, 0.6], 4, [0.6, 0.6]),
      enteredFrom: undefined,
      leftTo: undefined,
    };
    expect(toRows(answerPrompt('a car enters from the left', video(20, coming)))).toHaveLength(1);
    const waiting = { ...coming, at: still(0.03, 0.6) };
    expect(toRows(answerPrompt('a car enters', video(20, waiting)))).toEqual([]);
  });

  it('does not apply to a person at the edge who is hidden below the waist for a while', () => {
    const behind: TrackSpec = {
      className: 'person',
      from: 0,
      to: 10,
      at: (t) => [0.5, t > 3 && t < 9 ? 0.5 : 0.65],
      size: (t) => [0.15, t > 3 && t < 9 ? 0.4 : 0.7],
    };
    expect(toRows(answerPrompt('a person leaves', video(10, behind)))).toEqual([]);
    const going = { ...behind, at: line(7, [0.5, 0.5], 9.8, [0.5, 0.9]), size: () => [0.15, 0.3] as [number, number] };
    expect(toRows(answerPrompt('a person leaves', video(10, going)))).toHaveLength(1);
  });

  it('ends when the object is over the edge at its speed, though something else still moves there', () => {
    const shadow = [0, 0, 0, 0.5, 0, 0, 0, 0.5];
    const scene = observations(20, {
      signals: signals(20, (t) => (t > 7.5 && t < 12 ? { regions: shadow } : {})),
      objects: objects(20, [redCar]),
    });
    const [, , end] = toRows(answerPrompt('car leaves to the right', scene))[0]!;
    expect(end).toBeGreaterThan(8.1);
    expect(end).toBeLessThan(9.2);
  });

  it('starts with the motion at that edge, before the first detection', () => {
    const moves = (t: number) => (t >= 3.6 && t < 8.4 ? [0, 0, 0, 0, 0.3, 0, 0, t > 7 ? 0.3 : 0] : []);
    const seen = observations(20, {
      signals: signals(20, (t) => ({ regions: moves(t) })),
      objects: objects(20, [redCar]),
    });
    expect(toRows(answerPrompt('red car', seen))).toEqual([[expect.any(String), 3.6, expect.closeTo(8.4, 1)]]);
    const panned = observations(20, {
      signals: signals(20, (t) => ({ regions: moves(t), globalX: 0.2 })),
      objects: objects(20, [redCar]),
    });
    expect(toRows(answerPrompt('red car', panned))).toEqual([[expect.any(String), 4, 8]]);
  });

  it('includes appearing and disappearing inside the frame', () => {
    const ghost: TrackSpec = { className: 'person', from: 5, to: 9, at: still(0.5, 0.5) };
    expect(toRows(answerPrompt('a person appears', video(20, ghost)))).toEqual([['person appears', 5, 6]]);
    expect(toRows(answerPrompt('a person disappears', video(20, ghost)))).toEqual([['person disappears', 8, 9]]);
    expect(toRows(answerPrompt('a person enters', video(20, ghost)))).toEqual([]);
  });
});

describe('motion that the detector does not recognize', () => {
  it('lowers the confidence of "not found", and is reported', () => {
    const moving = observations(20, {
      signals: signals(20, (t) => ({ localMotion: t > 5 && t < 9 ? 0.1 : 0 })),
      objects: objects(20, []),
    });
    const quiet = observations(20, { signals: signals(20), objects: objects(20, []) });
    const [unsure, sure] = [answerPrompt('no cars', moving), answerPrompt('no cars', quiet)];
    expect(unsure.events[0]!.confidence).toBeLessThan(sure.events[0]!.confidence);
    expect(unsure.coverage[0]).toMatchObject({
      status: 'partly',
      reason: 'something moved for 4 s while the detector recognized nothing',
    });
    expect(answerPrompt('is there a car?', moving).answer).toContain('Note: something moved for 4 s');
  });
});

describe('a part of the video', () => {
  it('cuts events to its range', () => {
    expect(toRows(answerPrompt('a person in the first 10 seconds', video(20, visitor)))[0]!.slice(1)).toEqual([4, 10]);
    expect(toRows(answerPrompt('a person in the last 5 seconds', video(20, visitor)))[0]!.slice(1)).toEqual([15, 18]);
    expect(toRows(answerPrompt('a car between 10 and 15 s', video(20, redCar)))).toEqual([]);
  });
});

describe('without a detector', () => {
  it('reports that objects are not searched', () => {
    const answer = answerPrompt('a person', observations(10, { signals: signals(10) }));
    expect(answer).toMatchObject({
      events: [],
      coverage: [{ status: 'not_looked_for', by: [], reason: expect.stringContaining('not available') }],
    });
  });

  it('reports classes that the detector does not know', () => {
    const answer = answerPrompt('an elephant', video(10, redCar));
    expect(answer.coverage[0]).toMatchObject({
      status: 'not_looked_for',
      reason: 'the object detector does not know the class elephant',
    });
    expect(answerPrompt('an animal', video(10, redCar)).coverage[0]).toMatchObject({
      status: 'partly',
      reason: expect.stringContaining('does not know the class bird'),
    });
  });
});
