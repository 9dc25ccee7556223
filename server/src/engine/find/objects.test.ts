import { describe, expect, it } from 'vitest';
import { ask, told } from '../ask.fixture.ts';
import { line, objects, observations, signals, still, type TrackSpec } from './observations.fixture.ts';

const video = (seconds: number, ...tracks: TrackSpec[]) =>
  observations(seconds, { signals: signals(seconds), objects: objects(seconds, tracks) });

/** A red car that drives through from left to right between 4 and 8 s. */
const redCar: TrackSpec = {
  className: 'car',
  from: 4,
  to: 8,
  at: line(4, [0.05, 0.6], 8, [0.95, 0.6]),
  colors: [
    ['red', 0.45],
    ['black', 0.3],
  ],
  enteredFrom: 'left',
  leftTo: 'right',
};
const parkedCar: TrackSpec = {
  className: 'car',
  from: 0,
  to: 20,
  at: still(0.5, 0.6),
  size: () => [0.2, 0.15],
  colors: [['white', 0.5]],
  stationary: [[0, 20]],
};
/** A person who comes in on the right, walks to the middle, stands there from 8 to 14 s and walks back. */
const visitor: TrackSpec = {
  className: 'person',
  from: 4,
  to: 18,
  at: (t) => (t < 11 ? line(4, [0.97, 0.6], 8, [0.6, 0.6])(t) : line(14, [0.6, 0.6], 18, [0.97, 0.6])(t)),
  size: () => [0.05, 0.2],
  enteredFrom: 'right',
  leftTo: 'right',
  stationary: [[8, 14]],
};

describe('presence', () => {
  it('is told from first to last sight, with where it came from and went to', () => {
    expect(told(ask('a car', video(20, redCar)))).toEqual([
      ['red car comes in from the left and leaves to the right', 4, 8],
    ]);
  });

  it.each(['a truck', 'a blue car', 'a dog', 'two cars', 'a car on the left of a truck'])(
    '"%s" is not there',
    (prompt) => {
      const answer = ask(prompt, video(20, redCar));
      expect(answer.findings).toEqual([]);
      expect(answer.coverage[0]!.status).toBe('looked_for');
    },
  );

  it.each(['vehicle', 'red vehicle', 'a car or a truck', 'something'])('"%s" is', (prompt) => {
    expect(told(ask(prompt, video(20, redCar)))).toHaveLength(1);
  });

  it('needs more than one sure look', () => {
    expect(told(ask('car', video(20, { ...redCar, from: 4, to: 4 })))).toEqual([]);
    expect(told(ask('car', video(20, { ...redCar, score: 0.2 })))).toEqual([]);
  });

  it('is surer the better and the longer the detector saw it', () => {
    const confidence = (track: Partial<TrackSpec>) =>
      ask('car', video(20, { ...parkedCar, ...track })).findings[0]!.confidence;
    expect(confidence({ score: 0.5, to: 1 })).toBeGreaterThan(confidence({ score: 0.4, to: 1 }));
    expect(confidence({ score: 0.4, to: 2 })).toBeGreaterThan(confidence({ score: 0.4, to: 1 }));
    expect(confidence({ score: 0.99 })).toBeLessThan(1);
  });

  it('takes glass and road in the box into account when colours are asked', () => {
    const dark = {
      ...redCar,
      colors: [
        ['black', 0.5],
        ['gray', 0.3],
        ['red', 0.05],
      ] as [string, number][],
    };
    expect(told(ask('red car', video(20, dark)))).toEqual([]);
    expect(told(ask('black car', video(20, dark)))).toHaveLength(1);
    expect(told(ask('black car', video(20, redCar)))).toEqual([]);
  });

  it('calls a vehicle by its paint, and a person by any large garment', () => {
    const car = (colors: [string, number][]) => video(20, { ...redCar, colors });
    const isCalled = (prompt: string, seen: ReturnType<typeof car>) => told(ask(prompt, seen)).length > 0;
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

  it('is limited to a place', () => {
    expect(told(ask('car on the left', video(20, redCar)))).toEqual([
      [expect.stringContaining('car'), 4, expect.closeTo(5.2, 0)],
    ]);
    expect(told(ask('car at the top', video(20, redCar)))).toEqual([]);
  });
});

describe('coming and going', () => {
  it.each([
    ['car enters', 'red car enters from the left', 4],
    ['car enters from the left', 'red car enters from the left', 4],
    ['car leaves to the right', 'red car leaves to the right', 8],
  ])('%s', (prompt, label, time) => {
    const [finding] = told(ask(prompt, video(20, redCar)));
    expect(finding![0]).toBe(label);
    expect(Math.abs(Number(finding![prompt.includes('leaves') ? 2 : 1]) - time)).toBeLessThan(0.01);
  });

  it.each(['car enters from the right', 'car leaves to the left', 'person enters'])('not: %s', (prompt) => {
    expect(told(ask(prompt, video(20, redCar)))).toEqual([]);
  });

  it('is not said of what was there from the start or to the end', () => {
    for (const prompt of ['car enters', 'car leaves', 'car appears', 'car disappears'])
      expect(told(ask(prompt, video(20, parkedCar)))).toEqual([]);
  });

  it('is said of what touches the edge when the video begins and is soon further in', () => {
    const coming = {
      ...redCar,
      from: 0,
      to: 6,
      at: line(0, [0.03, 0.6], 4, [0.6, 0.6]),
      enteredFrom: undefined,
      leftTo: undefined,
    };
    expect(told(ask('a car enters from the left', video(20, coming)))).toHaveLength(1);
    const waiting = { ...coming, at: still(0.03, 0.6) };
    expect(told(ask('a car enters', video(20, waiting)))).toEqual([]);
  });

  it('is not said of who stands at the edge and is hidden for a while below the waist', () => {
    const behind: TrackSpec = {
      className: 'person',
      from: 0,
      to: 10,
      at: (t) => [0.5, t > 3 && t < 9 ? 0.5 : 0.65],
      size: (t) => [0.15, t > 3 && t < 9 ? 0.4 : 0.7],
    };
    expect(told(ask('a person leaves', video(10, behind)))).toEqual([]);
    const going = { ...behind, at: line(7, [0.5, 0.5], 9.8, [0.5, 0.9]), size: () => [0.15, 0.3] as [number, number] };
    expect(told(ask('a person leaves', video(10, going)))).toHaveLength(1);
  });

  it('begins where the picture moves at that edge, before the detector knows what it is', () => {
    const moves = (t: number) => (t >= 3.2 && t < 8.6 ? [0, 0, 0, 0, 0.3, 0, 0, t > 7 ? 0.3 : 0] : []);
    const seen = observations(20, {
      signals: signals(20, (t) => ({ regions: moves(t) })),
      objects: objects(20, [redCar]),
    });
    expect(told(ask('red car', seen))).toEqual([[expect.any(String), 3.2, expect.closeTo(8.6, 1)]]);
    const panned = observations(20, {
      signals: signals(20, (t) => ({ regions: moves(t), globalX: 0.2 })),
      objects: objects(20, [redCar]),
    });
    expect(told(ask('red car', panned))).toEqual([[expect.any(String), 4, 8]]);
  });

  it('also inside the picture', () => {
    const ghost: TrackSpec = { className: 'person', from: 5, to: 9, at: still(0.5, 0.5) };
    expect(told(ask('a person appears', video(20, ghost)))).toEqual([['person appears', 5, 6]]);
    expect(told(ask('a person disappears', video(20, ghost)))).toEqual([['person disappears', 8, 9]]);
    expect(told(ask('a person enters', video(20, ghost)))).toEqual([]);
  });
});

describe('what the detector does not recognise', () => {
  it('motion that it sees nothing in makes "not found" less sure, and that is said', () => {
    const moving = observations(20, {
      signals: signals(20, (t) => ({ localMotion: t > 5 && t < 9 ? 0.1 : 0 })),
      objects: objects(20, []),
    });
    const quiet = observations(20, { signals: signals(20), objects: objects(20, []) });
    const [unsure, sure] = [ask('no cars', moving), ask('no cars', quiet)];
    expect(unsure.findings[0]!.confidence).toBeLessThan(sure.findings[0]!.confidence);
    expect(unsure.coverage[0]).toMatchObject({
      status: 'partly',
      reason: 'something moved for 4 s while the detector recognised nothing',
    });
    expect(ask('is there a car?', moving).answer).toContain('Mind: something moved for 4 s');
  });
});

describe('moving', () => {
  it.each([
    ['car crosses from left to right', 1],
    ['car crosses from right to left', 0],
    ['car moves right', 1],
    ['car moves left', 0],
    ['a car drives by', 1],
    ['car stops', 0],
    ['car stands still', 0],
  ])('%s: %i', (prompt, count) => {
    expect(told(ask(prompt, video(20, redCar)))).toHaveLength(count);
  });

  it('is meant against the scene: a parked car does not move when the camera pans', () => {
    const seconds = 12;
    const panned = observations(seconds, {
      signals: signals(seconds, (t) => (t >= 3 && t < 9 ? { globalX: -0.1 } : {})),
      objects: objects(seconds, [
        { ...parkedCar, to: seconds, at: line(3, [0.85, 0.6], 9, [0.25, 0.6]), stationary: [[0, seconds]] },
      ]),
    });
    for (const prompt of ['car moves left', 'car moves', 'car crosses']) expect(told(ask(prompt, panned))).toEqual([]);
    expect(told(ask('parked car', panned))).toHaveLength(1);
  });

  it('tells size by the side that the edge of the picture does not cut', () => {
    // It comes in on the left, already past: ever more of its width shows while it grows smaller.
    const passing: TrackSpec = {
      className: 'car',
      from: 0,
      to: 8,
      at: (t) => [Math.min(0.05 + 0.1 * t, 0.45), 0.6],
      size: (t) => [Math.min(0.1 + 0.2 * t, 0.3), 0.4 - 0.04 * t],
    };
    expect(told(ask('a car moves away', video(20, passing)))).toHaveLength(1);
    expect(told(ask('a car comes closer', video(20, passing)))).toEqual([]);
    const driving = observations(20, { signals: signals(20, () => ({ zoom: 0.3 })), objects: objects(20, [passing]) });
    expect(told(ask('a car overtakes', driving))).toHaveLength(1);
    // Nobody overtakes a camera on a pole.
    expect(told(ask('a car overtakes', video(20, passing)))).toEqual([]);
  });

  it('sees things come and go by their size', () => {
    const coming: TrackSpec = {
      className: 'car',
      from: 2,
      to: 8,
      at: still(0.5, 0.5),
      size: (t) => [0.05 + 0.03 * (t - 2), 0.04 + 0.03 * (t - 2)],
    };
    expect(told(ask('a car moves towards the camera', video(12, coming)))[0]![0]).toBe('car moves towards the camera');
    expect(told(ask('a car approaches', video(12, coming)))).toHaveLength(1);
    expect(told(ask('a car drives away', video(12, coming)))).toEqual([]);
  });

  it('finds stopping, standing and starting of one thing', () => {
    const scene = video(20, visitor);
    expect(told(ask('a person stops', scene))).toEqual([['person stops', 8, 14]]);
    expect(told(ask('a person stands still for at least 5 seconds', scene))).toEqual([
      ['person stands still for 6 s', 8, 14],
    ]);
    expect(told(ask('a person stands still for at least 10 seconds', scene))).toEqual([]);
    expect(told(ask('a person starts moving', scene))[0]!.slice(1)).toEqual([14, 16]);
    expect(told(ask('a person stops', video(20, parkedCar)))).toEqual([]);
  });

  it('tells who does not move from nobody moving', () => {
    expect(told(ask('a person who does not move', video(20, visitor)))[0]![0]).toBe('person does not move');
    expect(told(ask('nobody', video(20, visitor))).map(([, start, end]) => [start, end])).toEqual([
      [0, expect.closeTo(3.8, 1)],
      [expect.closeTo(18.2, 1), expect.closeTo(19.8, 1)],
    ]);
    expect(told(ask('nobody enters', video(20, visitor)))).toEqual([]);
    expect(told(ask('no dog enters', video(20, visitor)))).toEqual([['no dog enters', 0, expect.closeTo(19.8, 1)]]);
  });

  it('finds loitering from ten seconds, or as long as asked', () => {
    const seconds = 60;
    const loiterer: TrackSpec = { className: 'person', from: 5, to: 45, at: (t) => [0.5 + 0.1 * Math.sin(t), 0.6] };
    expect(told(ask('someone loiters', video(seconds, loiterer)))).toEqual([
      ['person stays in one place for 40 s', 5, 45],
    ]);
    expect(told(ask('someone loiters for more than a minute', video(seconds, loiterer)))).toEqual([]);
    expect(told(ask('someone loiters', video(seconds, { ...redCar, className: 'person' })))).toEqual([]);
  });
});

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
    expect(told(ask(prompt, video(20, ...crowd))).map(([, start, end]) => [start, end])).toEqual(expected);
  });

  it('does not fall apart when one is lost for a moment', () => {
    const [a, b] = crowd;
    const lost = [
      { ...b!, from: 4, to: 8 },
      { ...b!, from: 8.4, to: 14 },
    ];
    expect(told(ask('two people', video(20, a!, ...lost)))).toHaveLength(1);
  });

  it('takes several that come close in time for together', () => {
    const two = [redCar, { ...redCar, from: 9, to: 13, at: line(9, [0.05, 0.6], 13, [0.95, 0.6]) }];
    expect(told(ask('two cars enter', video(30, ...two)))[0]![0]).toBe('2 cars enter from the left');
    expect(told(ask('three cars enter', video(30, ...two)))).toEqual([]);
  });

  it('tells a crowd as groups', () => {
    const many = Array.from(
      { length: 30 },
      (_, i): TrackSpec => ({
        className: 'person',
        from: i % 7,
        to: 10 + (i % 5),
        at: still((i % 10) / 10 + 0.05, 0.5),
      }),
    );
    const findings = told(ask('people', video(20, ...many)));
    expect(findings).toHaveLength(1);
    expect(findings[0]![0]).toBe('30 people in view');
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
    expect(told(ask(prompt, video(20, visitor, parkedCar, dog)))).toHaveLength(count);
  });

  it('say when, with both boxes as evidence', () => {
    const [finding] = ask('a person near a car', video(20, visitor, parkedCar)).findings;
    expect(finding!.label).toBe('person near a white car');
    expect(finding!.startS).toBeGreaterThan(6);
    expect(finding!.endS).toBeLessThan(16);
    expect(finding!.evidence.frames.find((f) => f.role === 'best')!.boxes.map((b) => b.label)).toEqual([
      'person 1',
      'white car 2',
    ]);
    expect(finding!.evidence.tracks.map((t) => t.className)).toEqual(['person', 'car']);
  });

  it('do not take far behind for near', () => {
    const far: TrackSpec = { ...parkedCar, at: still(0.6, 0.3), size: () => [0.08, 0.05] };
    expect(told(ask('a person near a car', video(20, visitor, far)))).toEqual([]);
  });

  it('overlap is not nearness', () => {
    const rider: TrackSpec = { className: 'person', from: 2, to: 8, at: still(0.5, 0.45), size: () => [0.06, 0.2] };
    const bicycle: TrackSpec = { className: 'bicycle', from: 2, to: 8, at: still(0.5, 0.52), size: () => [0.08, 0.1] };
    expect(told(ask('a person riding a bicycle', video(12, rider, bicycle)))).toHaveLength(1);
    expect(told(ask('a person riding a bicycle', video(12, rider, { ...bicycle, at: still(0.62, 0.52) })))).toEqual([]);
  });

  it('find passing a thing, once, and not turning back before it', () => {
    const walker: TrackSpec = {
      className: 'person',
      from: 2,
      to: 10,
      at: line(2, [0.1, 0.6], 10, [0.9, 0.6]),
      size: () => [0.05, 0.2],
    };
    const [finding, ...more] = ask('a person walks past a parked car', video(20, walker, parkedCar)).findings;
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ label: 'person passes a standing white car', severity: 'medium' });
    expect(finding!.startS).toBeLessThan(6);
    expect(finding!.endS).toBeGreaterThan(6);
    expect(told(ask('a person walks past a car', video(20, visitor, parkedCar)))).toEqual([]);
  });

  it('find approaching, by the one that moves', () => {
    const walker: TrackSpec = {
      className: 'person',
      from: 2,
      to: 8,
      at: line(2, [0.05, 0.6], 8, [0.42, 0.6]),
      size: () => [0.05, 0.2],
    };
    expect(told(ask('a person approaches a car', video(20, walker, parkedCar)))).toHaveLength(1);
    expect(told(ask('a car approaches a person', video(20, walker, parkedCar)))).toEqual([]);
    expect(told(ask('a person approaches a dog', video(20, walker, parkedCar)))).toEqual([]);
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
    const [left] = ask('a bag left behind', video(seconds, owner, bag)).findings;
    expect(left).toMatchObject({ label: 'backpack is left behind', severity: 'high' });
    expect(left!.startS).toBeGreaterThan(8);
    expect(told(ask('unattended bag', video(seconds, { ...owner, to: 40, at: still(0.5, 0.5) }, bag)))).toEqual([]);
    const thief: TrackSpec = {
      className: 'person',
      from: 28,
      to: 34,
      at: line(28, [0.02, 0.5], 30, [0.5, 0.5]),
      size: () => [0.05, 0.2],
    };
    const taken = { ...bag, to: 31, stationary: [[2, 30.8]] as [number, number][] };
    expect(told(ask('suitcase or backpack taken away', video(seconds, thief, taken)))).toHaveLength(1);
    expect(told(ask('backpack taken away', video(seconds, taken)))).toEqual([]);
  });
});

describe('sequences', () => {
  const scene = video(20, { ...redCar, from: 1, to: 3, at: line(1, [0.05, 0.6], 3, [0.95, 0.6]) }, visitor);

  it.each([
    ['a car enters, then a person enters', 1],
    ['a person enters, then a car enters', 0],
    ['a person enters after a car leaves', 1],
    ['a person enters after a dog leaves', 0],
    ['a car leaves before a person enters', 1],
    ['a person enters within 3 seconds after a car leaves', 1],
    ['a person enters within 0.5 seconds after a car leaves', 0],
    ['a person enters at least 0.5 seconds after a car leaves', 1],
    ['a person enters at least 3 seconds after a car leaves', 0],
    ['a person enters and leaves', 1],
    ['a person enters, leaves at least 2 seconds later', 1],
    ['a person enters, stops and leaves', 1],
    ['a car enters and stops', 0],
    ['a person stands still while there is no car', 1],
    ['a person stands still while a car is visible', 0],
  ])('%s: %i', (prompt, count) => {
    expect(told(ask(prompt, scene))).toHaveLength(count);
  });

  it('are told from the first step to the last, as one sentence', () => {
    expect(told(ask('a person enters, stops and leaves', scene))).toEqual([
      ['person enters from the right, then stops, then leaves to the right', 4, 18],
    ]);
  });

  it('hold things and signals together', () => {
    const lights = observations(20, {
      signals: signals(20, (t) => (t > 10 ? { luma: 30 } : {})),
      objects: objects(20, [visitor]),
    });
    expect(told(ask('the light goes off while a person stands still', lights))).toHaveLength(1);
    expect(told(ask('a person enters while it is dark', lights))).toEqual([]);
  });

  it('look for nothing when one step cannot be looked for', () => {
    const answer = ask('a car enters, then a person falls', scene);
    expect(answer.findings).toEqual([]);
    expect(answer.coverage.map((c) => [c.text, c.status])).toEqual([
      ['car enters', 'looked_for'],
      ['person falls', 'not_looked_for'],
      ['falls', 'not_looked_for'],
    ]);
  });
});

describe('a part of the video', () => {
  it('cuts findings to it', () => {
    expect(told(ask('a person in the first 10 seconds', video(20, visitor)))[0]!.slice(1)).toEqual([4, 10]);
    expect(told(ask('a person in the last 5 seconds', video(20, visitor)))[0]!.slice(1)).toEqual([15, 18]);
    expect(told(ask('a car between 10 and 15 s', video(20, redCar)))).toEqual([]);
  });
});

describe('without a detector', () => {
  it('things are not looked for, and that is said', () => {
    const answer = ask('a person', observations(10, { signals: signals(10) }));
    expect(answer).toMatchObject({
      findings: [],
      coverage: [{ status: 'not_looked_for', by: [], reason: expect.stringContaining('no detector') }],
    });
  });

  it('nor are things that the detector does not know', () => {
    const answer = ask('an elephant', video(10, redCar));
    expect(answer.coverage[0]).toMatchObject({
      status: 'not_looked_for',
      reason: 'the detector in use does not know elephant',
    });
    expect(ask('an animal', video(10, redCar)).coverage[0]).toMatchObject({
      status: 'partly',
      reason: expect.stringContaining('does not know bird'),
    });
  });
});
