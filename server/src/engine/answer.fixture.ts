import { answer } from './answer.ts';
import type { Observations } from './observe/observations.ts';
import { createPlanner } from './plan/index.ts';
import type { Answer } from './types.ts';

const planner = createPlanner();

/** Plans and answers a prompt, as a user sees it. */
export const answerPrompt = (prompt: string, observations: Observations): Answer =>
  answer(planner.planQuery(prompt), observations);

/** Returns events as [label, start, end] with times to a tenth of a second. */
export const toRows = ({ events: findings }: Answer) =>
  findings.map((f) => [f.label, Math.round(f.startS * 10) / 10, Math.round(f.endS * 10) / 10]);
