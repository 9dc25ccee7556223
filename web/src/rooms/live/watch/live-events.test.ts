import type { LiveSession } from '@sightline/sdk';
import { expect, test } from 'vitest';
import { boxesAt } from '#player/stage/boxes.ts';
import { evidenceTracks, liveEvents } from './live-events.ts';

const box = (x: number, label: string) => ({ x, y: 0.2, width: 0.1, height: 0.3, label });
const event = (id: string, query: string, start_s: number, frames: object[]) => ({
  event_id: id,
  label: `${query} in view`,
  query,
  start_s,
  end_s: start_s + 4,
  confidence: 0.9,
  ongoing: false,
  capture_time: new Date(start_s * 1_000).toISOString(),
  evidence: { frames },
});
const session = {
  events: [
    event('a', 'person', 8, [
      { role: 'best', time_s: 9, boxes: [box(0.5, 'person 0.8')] },
      { role: 'first', time_s: 8, boxes: [box(0.1, 'person 0.7'), box(0.7, 'dog 0.6')] },
    ]),
    event('b', 'car', 2, [{ role: 'best', time_s: 3, boxes: [box(0.3, 'red car')] }]),
  ],
} as unknown as LiveSession;

test('events are listed with the newest first, and with the time of their best frame', () => {
  expect(liveEvents(session).map(({ id, search, bestS }) => [id, search, bestS])).toEqual([
    ['a', 'person', 9],
    ['b', 'car', 3],
  ]);
});

test('boxes of events are shown in the frames of their evidence, in the color of their part of the question', () => {
  const tracks = evidenceTracks(liveEvents(session));
  const shown = (time: number) => boxesAt(tracks, time).map(({ label, color, x }) => [label, color, x]);
  expect(shown(3)).toEqual([['red car', 1, 0.3]]);
  expect(shown(8)).toEqual([
    ['person', 2, 0.1],
    ['dog', 2, 0.7],
  ]);
  expect(shown(9)).toEqual([['person', 2, 0.5]]);
  // Nothing is invented where no frame was examined.
  expect(shown(5)).toEqual([]);
  expect(shown(11)).toEqual([]);
});
