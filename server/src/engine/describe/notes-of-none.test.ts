import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../answer.fixture.ts';
import { line, objects, observations, signals, still } from '../find/observations.fixture.ts';

const size = () => [0.3, 0.5] as [number, number];
const video = observations(20, {
  signals: signals(20),
  objects: objects(20, [
    { className: 'car', from: 2, to: 8, at: line(2, [0.1, 0.5], 8, [0.9, 0.5]), size },
    { className: 'person', from: 2, to: 18, at: line(2, [0.3, 0.5], 18, [0.6, 0.5]), size },
  ]),
});
const crowd = observations(20, {
  signals: signals(20),
  objects: objects(20, [
    { className: 'car', from: 0, to: 20, at: still(0.8, 0.5), size },
    ...[0.1, 0.4, 0.7].map((x) => ({ className: 'person', from: 0, to: 20, at: still(x, 0.5), size })),
  ]),
});
const textOf = (prompt: string) => answerPrompt(prompt, video).answer;

describe('an answer that nothing was found', () => {
  it.each(['does a worker leave the frame', 'does anybody else enter'])(
    'has no note on words that only narrow it: %s',
    (prompt) => {
      expect(textOf(prompt)).toMatch(/^No: /);
      expect(textOf(prompt)).not.toContain('"');
    },
  );

  it.each([
    'is exactly one worker in view',
    'is a worker alone',
    'is a worker in view for less than 5 seconds',
    'is a car without a driver',
  ])('keeps the notes where too much was found: %s', (prompt) => {
    const { answer } = answerPrompt(prompt, crowd);
    expect(answer).toMatch(/^No: .*any person counts/);
  });

  it('keeps the notes on words that stand for others', () => {
    expect(textOf('is there a person in a light blue jacket')).toContain('they count as white or gray');
  });

  it('is not given where something else was found instead', () => {
    expect(textOf('is a child in view')).toMatch(/^Not certain: .*any person counts/);
  });

  it('keeps the notes on what is absent', () => {
    expect(textOf('is there no worker')).toContain('any person counts');
  });
});
