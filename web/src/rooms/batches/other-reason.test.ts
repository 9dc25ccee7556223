import { expect, test } from 'vitest';
import { reasonOf } from './other-reason.ts';
import type { BatchEvent } from './queries.ts';

type Answer = Parameters<typeof reasonOf>[1] extends ReadonlyMap<string, infer Value> ? Value : never;

const event = (changes: Partial<BatchEvent> = {}): BatchEvent =>
  ({
    id: '1',
    videoId: 'v',
    label: 'car',
    startS: 5,
    endS: 6,
    objects: [{ id: 1, className: 'car', path: [] }],
    ...changes,
  }) as BatchEvent;
const asks = (...classes: string[]) =>
  ({
    analysis: {
      status: 'COMPLETED',
      plan: { searches: [{ steps: [{ what: { kind: 'object', subject: { classes }, relation: null } }] }] },
    },
  }) as unknown as Answer;
const failed = { analysis: { status: 'FAILED', plan: null } } as Answer;
const possible = event({ startS: 7, endS: 8, confidence: 0.4 });
const person = event({ label: 'person', startS: 5.5 });

test.each([
  ['it was not asked about the video', [null, null, [], []], { kind: 'not-asked' }],
  ['it failed there', [failed, null, [], []], { kind: 'failed' }],
  [
    'it asks for something else',
    [asks('person'), person, ['v'], [possible]],
    { kind: 'other-class', className: 'car' },
  ],
  ['it is not certain', [asks('car'), person, ['v'], [possible]], { kind: 'candidate', timeS: 7, confidence: 0.4 }],
  ['it found another object', [asks('car'), person, ['v'], []], { kind: 'other-object', label: 'person', timeS: 5.5 }],
  [
    'it asks for any object and found another one',
    [asks(), person, ['v'], []],
    { kind: 'other-object', label: 'person', timeS: 5.5 },
  ],
  ['it found nothing at that time', [asks('car'), null, ['v'], []], { kind: 'nothing-near', withinS: 2 }],
  ['it found nothing in the video', [asks('car'), null, [], []], { kind: 'nothing-in-video' }],
] as [string, [Answer | null, BatchEvent | null, string[], BatchEvent[]], object][])(
  'a question has no such event because %s',
  (_name, [answer, near, found, candidates], reason) => {
    const documents = new Map(answer ? [['v', answer]] : []);
    expect(reasonOf({ event: event(), near }, documents, new Set(found), candidates, 2)).toEqual(reason);
  },
);
