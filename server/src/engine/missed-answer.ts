import { interpretPlan } from './describe/index.ts';
import type { Plan } from './plan/index.ts';
import type { Answer, Coverage } from './types.ts';

/** The answer where no part of a video is what its plan asks for. */
export function answerMissed(plan: Plan): Answer {
  const remarkOf = (search: Plan['searches'][number]) => (search.window ?? plan.window)?.remark ?? null;
  const coverage = plan.searches.flatMap((search) =>
    search.steps.map(
      ({ text }): Coverage => ({ text, status: 'not_looked_for', by: [], reason: remarkOf(search), findings: 0 }),
    ),
  );
  const remarks = [...new Set(plan.searches.flatMap((search) => remarkOf(search) ?? []))];
  return {
    interpretation: interpretPlan(plan),
    events: [],
    candidates: [],
    answer: plan.question === null || plan.question === 'describe' ? null : `Not known: ${remarks.join('; ')}.`,
    summary: `Not looked for: ${remarks.join('; ')}.`,
    coverage,
  };
}
