import { describe, expect, it, test } from 'vitest';
import { contradicted, followDecisions, type IncidentDecision } from './decisions.ts';
import { type GroupedEvent, groupIncidents } from './rule.ts';

const decide = (a: string, b: string, same: boolean): IncidentDecision => ({ a, b, same });

/** An event of an analysis of its own: by the rule, those of one subject are one incident. */
function event(name: string, more: Partial<GroupedEvent> = {}): GroupedEvent {
  return {
    eventId: name,
    analysisId: name,
    subject: 'car',
    storedAt: name.charCodeAt(0),
    incidentId: null,
    label: 'car in view',
    approval: 'pending',
    startS: 0,
    endS: 10,
    footprint: { tracks: [], boxes: [], width: null },
    ...more,
  };
}

/** The incidents, as the names of their events. */
function grouped(events: readonly GroupedEvent[], ...decisions: IncidentDecision[]): string[] {
  const ids = groupIncidents(events, new Set(), followDecisions(decisions));
  return [...Map.groupBy(ids, ([, id]) => id).values()]
    .map((each) =>
      each
        .map(([name]) => name)
        .sort()
        .join(''),
    )
    .sort();
}

describe('the rule respects', () => {
  const [a, b, c] = [event('a'), event('b'), event('c')];
  const truck = event('t', { subject: 'truck' });
  const later = event('l', { startS: 100, endS: 110 });

  it.each<[string, GroupedEvent[], IncidentDecision[], string[]]>([
    ['nothing without decisions', [a, b, truck, later], [], ['ab', 'l', 't']],
    ['that two are not the same', [a, b, c], [decide('a', 'b', false)], ['ac', 'b']],
    [
      'that one is not the same as any other',
      [a, b, c],
      [decide('a', 'b', false), decide('c', 'a', false)],
      ['a', 'bc'],
    ],
    ['that another subject is the same', [a, b, truck], [decide('t', 'a', true)], ['abt']],
    ['that another time is the same', [a, later], [decide('l', 'a', true)], ['al']],
    ['what follows from both', [a, b, truck], [decide('t', 'a', true), decide('t', 'b', false)], ['at', 'b']],
    [
      'that a member of the other group stays behind',
      [a, event('b', { subject: 'truck' }), truck],
      [decide('a', 't', true), decide('a', 'b', false)],
      ['at', 'b'],
    ],
    ['decisions about events that are gone', [a, b], [decide('a', 'x', true), decide('x', 'b', false)], ['a', 'b']],
    ['that two of one answer are one', [a, event('b', { analysisId: 'a' })], [decide('a', 'b', true)], ['ab']],
  ])('%s', (_, events, decisions, expected) => {
    expect(grouped(events, ...decisions)).toEqual(expected);
    expect(grouped(events.toReversed(), ...decisions)).toEqual(expected);
  });

  it('ids: the earliest keeps that of what is merged, and its own after a split', () => {
    const own = [a, b, truck].map((each) => ({ ...each, incidentId: each.eventId }));
    const merged = groupIncidents(own, new Set(), followDecisions([decide('t', 'a', true)]));
    expect(new Set(merged.values())).toEqual(new Set(['a']));
    const after = own.map((each) => ({ ...each, incidentId: 'a' }));
    expect([...groupIncidents(after, new Set(), followDecisions([decide('t', 'a', false)]))].sort()).toEqual([
      ['a', 'a'],
      ['b', 'a'],
      ['t', 't'],
    ]);
  });
});

test('a new decision removes what it contradicts, and nothing else', () => {
  const before = [decide('a', 'b', true), decide('b', 'c', true), decide('c', 'd', false), decide('x', 'y', false)];
  // It is no longer the same as what connects it with the other one.
  expect(contradicted(before, decide('a', 'c', false))).toEqual([decide('a', 'b', true)]);
  expect(contradicted(before, decide('a', 'd', true))).toEqual([decide('c', 'd', false)]);
  expect(contradicted(before, decide('x', 'd', true))).toEqual([]);
  expect(contradicted(before, decide('x', 'd', false))).toEqual([]);
});
