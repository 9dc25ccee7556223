import { blockedSearch } from './blocked-search.ts';
import type { Plan, PlannedSearch, Unchecked } from './schema.ts';

/**
 * A part of a prompt, and the controlled English that it was rewritten to. `remarks` go to its searches: what about the
 * rewriting is not certain.
 */
export type Rewriting = { from: string; to: string; remarks?: readonly Unchecked[] };
/** A part of a prompt that is not read. `words` are those that prevent it. */
export type LeftPart = { from: string; words: string; reason: string };

/** The parts of a prompt in their order. */
export type RewrittenPrompt = {
  query: string;
  /** English name of its language. */
  language: string;
  reader: NonNullable<Plan['reader']>;
  parts: readonly (Rewriting | LeftPart)[];
};

/** Makes one plan of a rewritten prompt. Its texts are the words of the prompt wherever a part is one search. */
export function planRewritten(
  { query, language, reader, parts }: RewrittenPrompt,
  planEnglish: (text: string) => Plan,
): Plan {
  const rewritings = parts.filter((part): part is Rewriting => 'to' in part);
  const plan = planEnglish(rewritings.map(({ to }) => to).join('. '));
  // Without rewritings it is the plan of an empty prompt, which asks for everything.
  const whole = rewritings.length > 0 ? plan : { ...plan, question: null, searches: [] };
  const separate = rewritings.map(({ to }) => planEnglish(to).searches.length);
  const isAligned = separate.reduce((sum, count) => sum + count, 0) === whole.searches.length;
  const searches: PlannedSearch[] = [];
  // Places of searches that the plan refers to stay what they are.
  const left: PlannedSearch[] = [];
  const isReferred = whole.calculation !== undefined || whole.searches.some(({ during }) => during !== undefined);
  let next = 0;
  let part = 0;
  for (const each of parts) {
    if (!('to' in each)) {
      (isReferred ? left : searches).push(leftSearch(each));
      continue;
    }
    if (!isAligned) continue;
    const count = separate[part++]!;
    const own = whole.searches.slice(next, next + count);
    searches.push(
      ...own.map((search) => remarked(count === 1 ? named(search, each.from) : search, each.remarks ?? [])),
    );
    next += count;
  }
  // Which search belongs to which part is not known.
  const remarks = rewritings.flatMap((each) => each.remarks ?? []);
  if (!isAligned) searches.unshift(...whole.searches.map((search) => remarked(search, remarks)));
  return {
    ...whole,
    query: query.slice(0, 200_000),
    searches: [...searches, ...left].slice(0, 200),
    corrected: [],
    language,
    reader,
    rewritten: rewritings.map(({ from, to }) => ({ from: from.slice(0, 2000), to: to.slice(0, 2000) })),
  };
}

/** The search with the words of the prompt. */
function named(search: PlannedSearch, from: string): PlannedSearch {
  const text = from.slice(0, 2000);
  const [step, ...more] = search.steps;
  return { ...search, text, steps: more.length > 0 ? search.steps : [{ ...step!, text }] };
}

/** The search with remarks on its first step: they are about all of it. */
function remarked(search: PlannedSearch, remarks: readonly Unchecked[]): PlannedSearch {
  const [first, ...more] = search.steps;
  if (remarks.length === 0) return search;
  return { ...search, steps: [{ ...first!, unchecked: [...first!.unchecked, ...remarks].slice(0, 200) }, ...more] };
}

const leftSearch = ({ from, words, reason }: LeftPart): PlannedSearch =>
  blockedSearch(from.slice(0, 2000), words.slice(0, 500), reason.slice(0, 1000));
