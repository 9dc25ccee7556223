import { isBlocked } from '../blocked-search.ts';
import type { Plan } from '../schema.ts';
import { type Item, isMark } from '../tokens/lexer.ts';
import { isAttached } from './attachment/index.ts';

/** Longest prompt that is checked word by word; of longer ones, each clause is (`clause/unused-words.ts`). */
const MAX_ITEMS = 80;
/** Longest in characters: the prompt is planned once more for each word. */
const MAX_LENGTH = 1000;
const UNATTACHED = 'this word does not fit into the rest; without it the rest would answer another question';

/**
 * Words that belong to no construction of the sentence: without them the plan would be the same, and where they stand
 * no construction requires them ("does for the person leave"). Returns each with the item that blocks its part.
 *
 * @param planWithout plans the prompt without the words of an item.
 */
export function findUnattached(
  items: readonly Item[],
  plan: Plan,
  planWithout: (item: Item) => Plan,
): ReadonlyMap<Item, Item> {
  if (items.length < 2 || items.length > MAX_ITEMS || items.at(-1)!.end > MAX_LENGTH || plan.searches.every(isBlocked))
    return new Map();
  const whole = meaningOf(plan);
  const unattached = items.filter(
    (item, i) =>
      hasContent(item) && !isReported(plan, item) && !isAttached(items, i) && meaningOf(planWithout(item)) === whole,
  );
  return new Map(unattached.map((item) => [item, { ...item, senses: [{ type: 'beyond', reason: UNATTACHED }] }]));
}

/** The plan, with a remark that blocks every search for each word that no remark of the plan quotes. */
export function reportAll(plan: Plan, unattached: Iterable<Item>): Plan {
  for (const item of unattached) {
    if (isReported(plan, item)) continue;
    for (const { steps } of plan.searches)
      steps[0]!.unchecked.push({ text: item.text.slice(0, 200), reason: UNATTACHED, blocks: true });
  }
  return plan;
}

const hasContent = (item: Item) => !isMark(item) && item.senses.some(({ type }) => type !== 'filler');

/** True if a remark quotes the word, or if its part is blocked anyway. */
function isReported({ searches }: Plan, item: Item): boolean {
  return searches.some(
    (search) =>
      (isBlocked(search) && quotes(search.text, item.text)) ||
      search.steps.some(({ unchecked }) => unchecked.some(({ text }) => quotes(text, item.text))),
  );
}

/** True if a text contains a word or phrase as a whole: "customers" does not quote "to". */
function quotes(text: string, phrase: string): boolean {
  const [whole, part] = [text.toLowerCase(), phrase.toLowerCase()];
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1))
    if (!isLetter(whole[at - 1]) && !isLetter(whole[at + part.length])) return true;
  return false;
}
const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** The searches and remarks of a plan, without the words that it quotes. */
const meaningOf = ({ question, per, window, searches }: Plan): string =>
  JSON.stringify([
    [question, per, window],
    searches.map(({ pick, steps }) => [
      pick,
      steps.map(({ text: _text, unchecked, ...step }) => [
        JSON.stringify(step, (key, value: unknown) => (key === 'text' ? undefined : value)),
        unchecked.map(({ text, blocks }) => `${text.toLowerCase()} ${blocks}`).sort(),
      ]),
    ]),
  ]);
