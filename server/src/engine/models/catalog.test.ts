import { expect, test } from 'vitest';
import { showsPoses } from '../find/index.ts';
import { createPlanner, type PlannedSearch, picturableSearches } from '../plan/index.ts';
import { CATALOG, type ModelTask } from './catalog.ts';

const { planQuery } = createPlanner();

const needs = (kind: PlannedSearch['steps'][number]['what']['kind']) => (question: string) =>
  planQuery(question)
    .searches.flatMap(({ steps }) => steps)
    .some(({ what }) => what.kind === kind);
/** True if the answer to a question needs a model of a task. */
const NEEDS: Record<ModelTask, (question: string) => boolean> = {
  objects: needs('object'),
  sounds: needs('sound'),
  speech: needs('speech'),
  text: needs('text'),
  poses: (question) =>
    planQuery(question)
      .searches.flatMap(({ steps }) => steps)
      .some(({ what }) => what.kind === 'object' && showsPoses(what.action)),
  embeddings: (question) => picturableSearches(planQuery(question)).length > 0,
};

test.each(CATALOG.flatMap(({ name, task, questions }) => questions.map((question) => [name, question, task] as const)))(
  'the answer to the example question of %s, "%s", needs a model for %s',
  (_name, question, task) => {
    expect(NEEDS[task](question)).toBe(true);
    // Only what is for images alone cannot be checked by an observer.
    const blocks = planQuery(question)
      .searches.flatMap(({ steps }) => steps)
      .some(({ unchecked }) => unchecked.some((each) => each.blocks));
    expect(blocks).toBe(task === 'embeddings');
  },
);
