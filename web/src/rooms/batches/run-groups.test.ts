import type { Batch } from '@sightline/sdk';
import { expect, test } from 'vitest';
import { groupRuns, hasWords } from './run-groups.ts';

const batch = (batch_id: string, saved?: string) =>
  ({ batch_id, query: `question ${batch_id}`, config: saved ? { saved_question_id: saved } : {} }) as unknown as Batch;

test('runs of a saved question are one entry, at the place of the newest one', () => {
  const entries = groupRuns([
    batch('1'),
    batch('2', 's'),
    batch('3'),
    batch('4', 's'),
    batch('5', 'once'),
    batch('6', 's'),
  ]);
  expect(
    entries.map((entry) =>
      entry.kind === 'single' ? entry.batch.batch_id : entry.batches.map(({ batch_id }) => batch_id).join('+'),
    ),
  ).toEqual(['1', '2+4+6', '3', '5']);
});

test('each question is in one entry', () => {
  for (let seed = 0; seed < 50; seed++) {
    const all = Array.from({ length: seed }, (_, index) =>
      batch(`${index}`, ['a', 'b', undefined][(index * 7 + seed) % 3]),
    );
    const ids = groupRuns(all).flatMap((entry) => (entry.kind === 'single' ? [entry.batch] : entry.batches));
    expect(ids.map(({ batch_id }) => batch_id).toSorted()).toEqual(all.map(({ batch_id }) => batch_id).toSorted());
  }
});

test('words are found in any case', () => {
  expect([hasWords({ query: 'A red Car' }, ' red car'), hasWords({ query: 'A red Car' }, 'bus')]).toEqual([
    true,
    false,
  ]);
});
