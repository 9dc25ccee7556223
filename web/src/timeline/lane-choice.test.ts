import { describe, expect, it } from 'vitest';
import { canMove, isShown, type LaneChoice, moveLane, NO_CHOICE, orderLanes } from './lane-choice.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const order = (lanes: { id: string }[], choice: LaneChoice) => orderLanes(lanes, choice).map(({ id }) => id);

describe('rows of the timeline', () => {
  it('keep their order without a choice', () => {
    expect(order(rows('a', 'b', 'c'), NO_CHOICE)).toEqual(['a', 'b', 'c']);
  });

  it('are moved one place, and pinned ones are first', () => {
    const lanes = rows('a', 'b', 'c');
    const moved = moveLane(lanes, NO_CHOICE, 'c', -1);
    expect(order(lanes, moved)).toEqual(['a', 'c', 'b']);
    expect(order(lanes, { ...moved, pinned: ['b'] })).toEqual(['b', 'a', 'c']);
    expect(order(lanes, moveLane(lanes, NO_CHOICE, 'a', -1))).toEqual(['a', 'b', 'c']);
  });

  it('that another recording has as well stay beside rows that are new there', () => {
    const choice = { ...NO_CHOICE, order: ['speed', 'motion', 'gone'] };
    expect(order(rows('person', 'motion', 'car', 'speed', 'coverage'), choice)).toEqual([
      'person',
      'speed',
      'car',
      'motion',
      'coverage',
    ]);
  });

  it('do not cross the border of pinned ones', () => {
    const choice = { ...NO_CHOICE, pinned: ['b', 'c'] };
    const shown = orderLanes(rows('a', 'b', 'c'), choice);
    expect(canMove(shown, choice, 'c', -1)).toBe(true);
    expect(canMove(shown, choice, 'c', 1)).toBe(false);
    expect(canMove(shown, choice, 'a', -1)).toBe(false);
    expect(order(rows('a', 'b', 'c'), moveLane(shown, choice, 'c', -1))).toEqual(['c', 'b', 'a']);
  });

  it('are hidden by default or by hand', () => {
    const choice = { ...NO_CHOICE, shown: { frisbee: true, motion: false } };
    const folded = (id: string) => ({ id, isFolded: true });
    expect([isShown(folded('giraffe'), choice), isShown(folded('frisbee'), choice)]).toEqual([false, true]);
    expect([isShown({ id: 'motion' }, choice), isShown({ id: 'speed' }, choice)]).toEqual([false, true]);
  });
});
