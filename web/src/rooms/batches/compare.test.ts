import { describe, expect, test } from 'vitest';
import { compareEvents, type EventPair, relate } from './compare.ts';
import type { BatchEvent, EventObject } from './queries.ts';

const object = (id: number, className: string, x: number, [from, to]: [number, number]): EventObject => ({
  id,
  className,
  path: Array.from({ length: Math.round((to - from) * 10) + 1 }, (_, step) => [from + step / 10, x, 0.5] as const),
});
const event = (id: string, changes: Partial<BatchEvent> = {}): BatchEvent =>
  ({ id, videoId: 'v', label: 'car', type: 'object', startS: 0, endS: 1, objects: [], ...changes }) as BatchEvent;
const ids = (events: readonly { event: BatchEvent }[]) => events.map(({ event: { id } }) => id).join('');
const pairs = (both: readonly EventPair[]) => both.map(({ a, b, relation }) => `${a.id}${b.id} ${relation.how}`);

const car = event('1', { label: 'black car', objects: [object(4, 'car', 0.2, [0, 1])] });
const cyclist = event('2', { label: 'cyclist', objects: [object(9, 'bicycle', 0.2, [0, 1])] });

describe('two events', () => {
  test.each<[string, Partial<BatchEvent>, Partial<BatchEvent>, string | null]>([
    ['of a car and a cyclist at the same time', car, cyclist, 'other'],
    ['of the same track', car, { objects: [object(4, 'car', 0.2, [0.5, 3])], startS: 0.5, endS: 3 }, 'track'],
    ['of another car', car, { objects: [object(5, 'car', 0.8, [0, 1])] }, 'other'],
    ['of the same number in another pass', car, { objects: [object(4, 'car', 0.8, [0, 1])] }, 'other'],
    ['of the same car in another pass', car, { objects: [object(7, 'car', 0.23, [0, 1])] }, 'place'],
    ['that are far apart in time', car, { objects: [object(4, 'car', 0.2, [9, 10])], startS: 9, endS: 10 }, null],
    [
      'of the frame with the same label',
      { label: 'Blackout', type: 'light' },
      { label: 'blackout', type: 'light' },
      'label',
    ],
    ['of the frame with another label', { label: 'siren', type: 'sound' }, { label: 'bark', type: 'sound' }, 'other'],
    ['of an object and of the frame', car, { label: 'blackout', type: 'light' }, 'other'],
  ])('%s', (_name, a, b, how) => {
    expect(relate(event('a', a), event('b', b))?.how ?? null).toBe(how);
    expect(relate(event('b', b), event('a', a))?.how ?? null).toBe(how);
  });

  test('of a single frame overlap whole', () => {
    expect(relate(event('a', { endS: 0 }), event('b', { endS: 0 }))).toMatchObject({ overlap: 1, gapS: 0 });
  });
});

describe('two questions', () => {
  test('share incidents, and say what the other one found at the time of the rest', () => {
    const { both, onlyA, onlyB } = compareEvents([car], [cyclist]);
    expect([pairs(both), ids(onlyA), ids(onlyB)]).toEqual([[], '1', '2']);
    expect([onlyA[0]!.near?.id, onlyB[0]!.near?.id]).toEqual(['2', '1']);
  });

  test('pair an event once, with the best one', () => {
    const later = event('3', { ...car, id: '3', startS: 0.8, endS: 4, objects: [object(4, 'car', 0.2, [0.8, 4])] });
    const { both, onlyA, onlyB } = compareEvents(
      [car, { ...car, id: '5', videoId: 'w' }],
      [later, { ...car, id: '4' }],
    );
    expect([pairs(both), ids(onlyA), ids(onlyB)]).toEqual([['14 track'], '5', '3']);
  });

  test('have one incident less for each pair that a person splits', () => {
    const other = { ...car, id: '4' };
    const { both, onlyA, onlyB } = compareEvents([car], [other], { isSplit: ({ a }) => a === car });
    expect([pairs(both), ids(onlyA), ids(onlyB)]).toEqual([[], '1', '4']);
  });

  test('have numbers that add up, whatever the events are', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = (index: number, most: number) => (seed * 7_919 + index * 104_729) % most;
      const make = (side: number) =>
        Array.from({ length: random(side, 12) }, (_, index) => {
          const startS = random(side + index, 20) / 2;
          const endS = startS + random(index, 5);
          const kind = ['car', 'person'][random(index + side, 2)]!;
          const objects = [object(random(index, 4), kind, random(index, 10) / 10, [startS, endS])];
          return event(`${side}${index}`, { videoId: 'vw'[random(index, 2)]!, startS, endS, objects });
        });
      const [a, b] = [make(1), make(2)];
      const { both, onlyA, onlyB } = compareEvents(a, b);
      expect([both.length + onlyA.length, both.length + onlyB.length]).toEqual([a.length, b.length]);
      const swapped = compareEvents(b, a);
      expect([swapped.both.length, swapped.onlyA.length]).toEqual([both.length, onlyB.length]);
    }
  });
});
