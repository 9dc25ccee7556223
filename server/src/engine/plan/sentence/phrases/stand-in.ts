import { isBlocked } from '../../blocked-search.ts';
import type { Plan, PlannedSearch, Step, Target, Unchecked } from '../../schema.ts';

/** Words of a prompt that are looked for on their own. */
export type Phrase = {
  start: number;
  end: number;
  what: Target;
  unchecked?: readonly Unchecked[];
  /** Start of the words that ask for it, and what they are read as before a noun: "is there a ". */
  asks?: { start: number; as: string };
};

/**
 * The prompt is read with one of these words in place of each phrase: like a sound, a phrase holds or not, and it is
 * looked for on its own, so that the grammar refuses any other condition on it.
 */
const STAND_INS = ['siren', 'thunder', 'applause'] as const;
export const MAX_PHRASES = STAND_INS.length;

/** Longer prompts are read without phrases; limits the cost of a crafted prompt. */
const MAX_LENGTH = 500;

/** True if phrases are looked for in a prompt. */
export const allowsPhrases = (query: string): boolean =>
  query.length <= MAX_LENGTH && !new RegExp(`${STAND_INS.join('|')}|\n`, 'i').test(query);

/**
 * The plan of a prompt with such phrases, in order; null if anything but the phrases is not understood. `planOther`
 * reads the rest of the prompt.
 */
export function planWithStandIns(
  query: string,
  phrases: readonly Phrase[],
  planOther: (query: string) => Plan,
): Plan | null {
  const uses = phrases.map((phrase, at) => ({ phrase, standIn: STAND_INS[at]! }));
  let text = '';
  let from = 0;
  for (const { phrase, standIn } of uses) {
    const { start, asks = { start, as: '' }, end } = phrase;
    text += `${query.slice(from, asks.start)}${asks.as}${standIn}`;
    from = end;
  }
  const plan = planOther(text + query.slice(from));
  const isOf = ({ standIn }: (typeof uses)[number], { what }: Step) => what.kind === 'sound' && what.sound === standIn;
  const steps = plan.searches.flatMap((search) => search.steps);
  if (plan.searches.some(isBlocked) || uses.some((use) => steps.filter((step) => isOf(use, step)).length !== 1))
    return null;
  const restore = (part: string) =>
    uses.reduce(
      (restored, { phrase: { start, end, asks }, standIn }) =>
        restored
          .replaceAll(`${asks?.as}${standIn}`, () => query.slice(asks!.start, end))
          .replaceAll(standIn, () => query.slice(start, end)),
      part,
    );
  const searches = plan.searches.map(
    (search): PlannedSearch => ({
      ...search,
      text: restore(search.text),
      steps: search.steps.map((step) => {
        const phrase = uses.find((use) => isOf(use, step))?.phrase;
        return {
          ...{ ...step, text: restore(step.text) },
          ...(phrase ? { what: phrase.what, unchecked: [...step.unchecked, ...(phrase.unchecked ?? [])] } : {}),
        };
      }),
    }),
  );
  return { ...plan, query, searches };
}
