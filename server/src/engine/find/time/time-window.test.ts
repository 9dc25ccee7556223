// An answer about a part of the video holds in that part.
import { describe, expect, test } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { createPlanner } from '../../plan/index.ts';
import { redCar, video } from '../actions/tracks.fixture.ts';
import { line, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';
import { dependsOnLength } from './time-window.ts';

/** A person who walks in, stands from 6 to 16 s, and walks out. */
const visitor: TrackSpec = {
  className: 'person',
  from: 2,
  to: 18,
  at: (t) => (t < 11 ? line(2, [0.03, 0.6], 6, [0.5, 0.6])(t) : line(16, [0.5, 0.6], 18, [0.97, 0.6])(t)),
  size: () => [0.05, 0.2],
  enteredFrom: 'left',
  leftTo: 'right',
  stationary: [[6, 16]],
};
const scene = video(20, visitor);
const labels = (prompt: string) => answerPrompt(prompt, scene).events.map(({ label }) => label);

describe('the label of an event that is cut', () => {
  test.each([
    ['a person', ['person comes in from the left and leaves to the right']],
    ['a person between 8 and 12 s', ['person in view (began before, continues after)']],
    ['a person between 0 and 12 s', ['person comes in from the left (continues after)']],
    ['a person between 8 and 20 s', ['person leaves to the right (began before)']],
    ['a person stands still between 0:08 and 0:12', ['person stands still for 4 s (began before, continues after)']],
    ['a person stands still', ['person stands still for 10 s']],
  ])('%s: %j', (prompt, expected) => {
    expect(labels(prompt)).toEqual(expected);
  });

  test('has no entry over an edge that was crossed before', () => {
    const { events } = answerPrompt('a car between 6 and 7 s', video(20, redCar));
    expect(events).toMatchObject([{ label: 'red car in view (began before, continues after)', startS: 6, endS: 7 }]);
    expect(events[0]!.evidence.frames.every(({ timeS }) => timeS >= 6 && timeS <= 7)).toBe(true);
  });

  test('marks the cut for a state of the image and for each step of a sequence', () => {
    const dark = observations(20, { signals: signals(20, (t) => ({ luma: t > 5 && t < 15 ? 20 : 110 })) });
    expect(toRows(answerPrompt('dark between 8 and 10 s', dark))[0]![0]).toBe(
      'picture is dark (began before, continues after)',
    );
    expect(labels('a person enters, then stands still in the first 10 seconds')[0]).toBe(
      'person enters from the left, then stands still for 4 s (continues after)',
    );
  });
});

describe('an action of one moment', () => {
  const ghost: TrackSpec = { className: 'person', from: 5, to: 9, at: still(0.5, 0.5) };

  test.each([
    ['a person stops between 0:05 and 0:08', 1],
    ['a person stops between 0:08 and 0:12', 0],
    ['when does a person stop in the last 10 seconds?', 0],
  ])('%s: %i', (prompt, count) => {
    expect(answerPrompt(prompt, scene).events).toHaveLength(count);
  });

  test.each([
    ['a person appears between 4 and 5.5 s', 1],
    ['a person appears between 5.5 and 8 s', 0],
    ['a person disappears between 8.5 and 10 s', 1],
    ['a person disappears between 6 and 8.5 s', 0],
  ])('%s: %i', (prompt, count) => {
    expect(answerPrompt(prompt, video(20, ghost)).events).toHaveLength(count);
  });

  test('of the camera is in the window, not the standstill that follows', () => {
    const drive = observations(30, { signals: signals(30, (t) => (t < 10 ? { zoom: 0.3 } : {})) });
    expect(answerPrompt('the camera stops between 0:05 and 0:15', drive).events).toHaveLength(1);
    expect(answerPrompt('the camera stops between 0:15 and 0:25', drive).events).toEqual([]);
  });
});

test.each([
  ['a car', false],
  ['a car between 0:10 and 0:20', false],
  ['a car after 0:10', false],
  ['a car in the last ten seconds', true],
  ['a car in the second half', true],
  ['a car at the beginning', true],
])('%s: depends on the length of the video: %s', (prompt, expected) => {
  expect(dependsOnLength(createPlanner().planQuery(prompt))).toBe(expected);
});
