import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../answer.fixture.ts';
import { redCar, video, visitor } from './actions/tracks.fixture.ts';
import { line, objects, observations, signals, still, type TrackSpec } from './observations.fixture.ts';

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
    expect(toRows(answerPrompt(prompt, scene))).toHaveLength(count);
  });

  it('are reported from the first step to the last, with one label', () => {
    expect(toRows(answerPrompt('a person enters, stops and leaves', scene))).toEqual([
      ['person enters from the right, then stops, then leaves to the right', 4, 18],
    ]);
  });

  it('combine objects and signals', () => {
    const lights = observations(20, {
      signals: signals(20, (t) => (t > 10 ? { luma: 30 } : {})),
      objects: objects(20, [visitor]),
    });
    expect(toRows(answerPrompt('the light goes off while a person stands still', lights))).toHaveLength(1);
    expect(toRows(answerPrompt('a person enters while it is dark', lights))).toEqual([]);
  });

  it('are not searched if one step cannot be searched', () => {
    const answer = answerPrompt('a car enters, then a person jumps', scene);
    expect(answer.events).toEqual([]);
    expect(answer.coverage.map((c) => [c.text, c.status])).toEqual([
      ['car enters', 'looked_for'],
      ['person jumps', 'not_looked_for'],
      ['jumps', 'not_looked_for'],
    ]);
  });
});

describe('a step of a sequence that has to last', () => {
  const walks = (from: number, to: number, more: Partial<TrackSpec> = {}): TrackSpec => ({
    className: 'person',
    from,
    to,
    at: (t) =>
      t < from + 2 ? line(from, [0.03, 0.6], from + 2, [0.5, 0.6])(t) : line(to - 2, [0.5, 0.6], to, [0.97, 0.6])(t),
    size: () => [0.05, 0.2],
    enteredFrom: 'left',
    leftTo: 'right',
    ...more,
  });
  /** People who stay for 12 and for 5 s, and a car that leaves at 44 s, before another person comes in at 52 s. */
  const yard = video(
    70,
    walks(4, 16),
    walks(30, 35),
    { ...redCar, from: 40, to: 44, at: line(40, [0.05, 0.6], 44, [0.95, 0.6]) },
    walks(52, 60),
  );
  const startsOf = (prompt: string) => toRows(answerPrompt(prompt, yard)).map(([, start]) => Math.round(Number(start)));

  it.each([
    ['a person enters and stays for 10 seconds', [4]],
    ['a person enters and stays for 4 seconds', [4, 30, 52]],
    ['a person enters and stays for 20 seconds', []],
    ['a person enters, stays for 10 seconds and leaves', [4]],
    ['a car leaves, then nobody enters for 5 seconds', [42]],
    ['a car leaves, then nobody enters for 10 seconds', []],
    ['a person leaves, then nobody enters for 10 seconds', [14, 33]],
    ['a person leaves, then nobody enters for 16 seconds', [33]],
  ])('%s: %j', (prompt, starts) => {
    expect(startsOf(prompt).map((start) => starts.find((each) => Math.abs(each - start) <= 2) ?? start)).toEqual(
      starts,
    );
  });

  it('has the time that counts in its label', () => {
    expect(toRows(answerPrompt('a person enters and stays for 10 seconds', yard))[0]![0]).toBe(
      'person enters from the left, then stays for 12 s',
    );
  });
});

describe('steps at the same time', () => {
  const stands = (from: number, to: number, x: number): TrackSpec => ({
    className: 'person',
    from,
    to,
    at: still(x, 0.6),
    size: () => [0.05, 0.2],
    stationary: [[from, to]],
    score: 0.9,
  });
  const together = video(30, stands(2, 12, 0.3), stands(8, 20, 0.7));
  const alone = video(30, stands(2, 12, 0.3));

  it('are of different objects unless the prompt says the same', () => {
    for (const prompt of ['a man is there while a woman is there', 'a person stands still while a person is there'])
      expect(toRows(answerPrompt(prompt, alone)), prompt).toEqual([]);
    expect(
      toRows(answerPrompt('a man is there while a woman is there', together)).map(([, ...span]) => span),
    ).toContainEqual([8, 12]);
  });

  it('are without anybody else where nobody is to be there', () => {
    const prompt = 'a person stands still while nobody is there';
    expect(toRows(answerPrompt(prompt, alone)).map(([, ...span]) => span)).toEqual([[2, 12]]);
    expect(toRows(answerPrompt(prompt, together)).map(([, ...span]) => span)).toEqual([
      [2, expect.closeTo(7.8, 1)],
      [expect.closeTo(12.2, 1), 20],
    ]);
  });
});

describe('every occurrence before or after another event', () => {
  const passes = (from: number, more: Partial<TrackSpec> = {}): TrackSpec => ({
    className: 'person',
    from,
    to: from + 4,
    at: line(from, [0.03, 0.6], from + 4, [0.97, 0.6]),
    size: () => [0.05, 0.2],
    enteredFrom: 'left',
    leftTo: 'right',
    ...more,
  });
  const truck = passes(40, { className: 'car', size: () => [0.2, 0.15] });
  /** Two people before a car passes, and three after it: one of them long after it. */
  const starts = [10, 20, 50, 60, 120];
  const street = video(140, truck, ...starts.map((from) => passes(from)));
  const answerOf = (prompt: string) => answerPrompt(prompt, street).answer!;
  const startsOf = (prompt: string) =>
    toRows(answerPrompt(prompt, street))
      .map(([, start]) => Math.round(Number(start)))
      .toSorted((a, b) => a - b);

  it('is a match by itself, however much later or earlier', () => {
    expect(startsOf('who comes in after the car leaves')).toEqual([50, 60, 120]);
    expect(startsOf('who comes in before the car leaves')).toEqual([10, 20]);
  });

  it('is either before the event or after it', () => {
    const sides = ['after', 'before'].flatMap((order) => startsOf(`who comes in ${order} the car comes in`));
    expect(sides.toSorted((a, b) => a - b)).toEqual(starts);
  });

  it('is counted, and the event that states when is not', () => {
    expect(answerOf('how many people come in after the car leaves')).toMatch(/^(?:At least )?3 people: /);
    expect(answerOf('how many people come in before the car leaves')).toMatch(/^(?:At least )?2 people: /);
  });

  it('is limited by a time', () => {
    expect(startsOf('within 10 seconds after the car leaves, who comes in')).toEqual([50]);
  });

  it('is named before the event', () => {
    expect(toRows(answerPrompt('who comes in after the car leaves', street)).map(([label]) => label)[0]).toMatch(
      /^person enters from the left after .*car leaves/,
    );
  });

  it('is the part of a state from then on', () => {
    const [row] = toRows(
      answerPrompt('is a person there after the car leaves', video(140, truck, passes(30, { to: 60 }))),
    );
    expect(row![1]).toBeGreaterThanOrEqual(43);
  });

  it('is answered with "no" where it only happens at another time', () => {
    const early = video(140, truck, passes(10));
    expect(answerPrompt('after the car leaves, does anyone come in?', early).answer).not.toMatch(/^Yes/);
  });
});
