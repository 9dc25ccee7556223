import { answer } from './answer.ts';
import type { Answer } from './index.ts';
import type { Observations } from './observe/observations.ts';
import { createPlanner } from './plan/index.ts';

const planner = createPlanner();

/** Plans a prompt and answers it: what a user sees. */
export const ask = (prompt: string, observations: Observations): Answer =>
  answer(planner.planQuery(prompt), observations);

/** Findings as [label, start, end] with times to a tenth of a second. */
export const told = ({ findings }: Answer) =>
  findings.map((f) => [f.label, Math.round(f.startS * 10) / 10, Math.round(f.endS * 10) / 10]);
