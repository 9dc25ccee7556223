import { describe, expect, test } from 'vitest';
import { addPoint, isDrawn, isFull, movedByKey, movePoint, newDraft, phraseOf, removePoint, turn } from './draft.ts';

describe('a draft', () => {
  test('is a rectangle or a line in the middle without a pointer, and grows between its last side', () => {
    let draft = newDraft('polygon', 'video');
    for (let count = 0; count < 4; count++) draft = addPoint(draft);
    expect(draft.points.map(({ x, y }) => [x, y])).toEqual([
      [0.35, 0.35],
      [0.65, 0.35],
      [0.65, 0.65],
      [0.35, 0.65],
    ]);
    expect(addPoint(draft).points.at(-1)).toEqual({ x: 0.35, y: 0.5 });
    const line = addPoint(addPoint(newDraft('line', 'video')));
    expect([isDrawn(line), isFull(line), addPoint(line).points.length]).toEqual([true, true, 2]);
  });

  test('keeps its points in the frame, and has enough of them or not', () => {
    const two = addPoint(addPoint(newDraft('polygon', 'folder'), { x: -1, y: 0.5 }), { x: 0.123456, y: 2 });
    expect(two.points).toEqual([
      { x: 0, y: 0.5 },
      { x: 0.1235, y: 1 },
    ]);
    expect(isDrawn(two)).toBe(false);
    expect(isDrawn(addPoint(two))).toBe(true);
    expect(movePoint(two, 0, { x: 0.2, y: -3 }).points[0]).toEqual({ x: 0.2, y: 0 });
    expect(removePoint(two, 0).points).toEqual([{ x: 0.1235, y: 1 }]);
    expect(turn(two).points[0]).toEqual({ x: 0.1235, y: 1 });
    let full = newDraft('polygon', 'video');
    for (let count = 0; count < 40; count++) full = addPoint(full, { x: count / 40, y: 0.5 });
    expect(full.points).toHaveLength(32);
  });

  test('starts with a name that no other zone has', () => {
    expect(newDraft('line', 'video').name).toBe('A');
    expect(newDraft('polygon', 'video', [{ name: 'a' }, { name: 'C' }]).name).toBe('B');
  });

  test('moves by arrow keys only', () => {
    const at = { x: 0.5, y: 0.5 };
    expect(movedByKey(at, 'ArrowRight', false)).toEqual({ x: 0.51, y: 0.5 });
    expect(movedByKey(at, 'ArrowUp', true)).toEqual({ x: 0.5, y: 0.498 });
    expect(movedByKey(at, 'a', false)).toBeNull();
  });
});

test.each([
  ['polygon', 'door', 'zone door'],
  ['line', 'A', 'line A'],
  ['line', 'Line 3', 'Line 3'],
] as const)('a %s "%s" is called "%s"', (kind, name, phrase) => {
  expect(phraseOf({ kind, name })).toBe(phrase);
});
