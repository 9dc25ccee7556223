import type { Batch } from '@sightline/sdk';

/** A question that a person asked, or the runs of a saved question, newest first. */
export type QuestionEntry =
  | { kind: 'single'; batch: Batch }
  | { kind: 'runs'; savedQuestionId: string; query: string; batches: Batch[] };

const savedQuestionOf = ({ config }: Batch): string | null => {
  const id = (config as { saved_question_id?: unknown }).saved_question_id;
  return typeof id === 'string' ? id : null;
};

/** Questions in their order, with all runs of a saved question at the place of its newest one. */
export function groupRuns(batches: readonly Batch[]): QuestionEntry[] {
  const runs = Map.groupBy(batches, savedQuestionOf);
  const entries = new Set<QuestionEntry>();
  const groups = new Map<string, QuestionEntry>();
  for (const batch of batches) {
    const id = savedQuestionOf(batch);
    const own = id === null ? [] : runs.get(id)!;
    if (id === null || own.length < 2) {
      entries.add({ kind: 'single', batch });
      continue;
    }
    const group = groups.get(id) ?? { kind: 'runs', savedQuestionId: id, query: batch.query, batches: own };
    groups.set(id, group);
    entries.add(group);
  }
  return [...entries];
}

/** True if a question contains the words. */
export const hasWords = ({ query }: Pick<Batch, 'query'>, words: string): boolean =>
  query.toLowerCase().includes(words.trim().toLowerCase());
