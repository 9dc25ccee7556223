import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPlanner } from './plan/index.ts';
import { PROMPT_EXAMPLES } from './prompts-guide.examples.ts';
import { renderPromptsGuide } from './prompts-guide.ts';
import { COMPARISONS_OF_VALUES, GROUPS, TIMES_OF_EVENTS, VALUES } from './prompts-guide.values.ts';

const planner = createPlanner();
const page = new URL('../../../docs/prompts.md', import.meta.url);

describe('the guide to prompts', () => {
  it.each(Object.values(PROMPT_EXAMPLES).flat())('shows only what is understood to the last word: %s', (prompt) => {
    const plan = planner.planQuery(prompt);
    const steps = plan.searches.flatMap((search) => search.steps);
    expect(plan.corrected).toEqual([]);
    expect(steps.flatMap((step) => step.unchecked.filter((u) => u.blocks))).toEqual([]);
    expect(steps.every((step) => step.what.kind !== 'unknown')).toBe(true);
  });

  const rows = [
    ...Object.entries(VALUES).map(([kind, row]) => ({ kind, row })),
    ...Object.entries(COMPARISONS_OF_VALUES).map(([kind, row]) => ({ kind, row })),
  ];
  it.each(rows.flatMap(({ kind, row }) => row.examples.map((prompt) => [kind, prompt] as const)))(
    'calculates %s: %s',
    (kind, prompt) => {
      const { calculation, searches } = planner.planQuery(prompt);
      expect([calculation!.compare, calculation!.values[0]!.measure]).toContain(kind);
      expect(searches.flatMap(({ steps }) => steps.flatMap((step) => step.unchecked.filter((u) => u.blocks)))).toEqual(
        [],
      );
    },
  );

  it.each(Object.entries(GROUPS).flatMap(([by, { examples }]) => examples.map((prompt) => [by, prompt] as const)))(
    'groups by %s: %s',
    (by, prompt) => {
      const made = planner.planQuery(prompt);
      expect(made.calculation).toMatchObject({ by });
      expect(planner.checkPlan(made)).toBe(made);
    },
  );

  it.each(
    Object.entries(TIMES_OF_EVENTS).flatMap(([kind, { examples }]) =>
      examples.map((prompt) => [kind, prompt] as const),
    ),
  )('relates times to events, %s: %s', (kind, prompt) => {
    const made = planner.planQuery(prompt);
    expect(made.searches.map(({ moments }) => moments?.kind)).toContain(kind);
    expect(planner.checkPlan(made)).toBe(made);
  });

  it('shows every example', () => {
    const guide = renderPromptsGuide();
    for (const example of Object.values(PROMPT_EXAMPLES).flat()) expect(guide).toContain(`\`${example}\``);
  });

  it('is the page in docs', () => {
    expect(existsSync(page)).toBe(true);
    expect(readFileSync(page, 'utf8')).toBe(renderPromptsGuide());
  });
});
