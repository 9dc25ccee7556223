import { blockedSearch } from './blocked-search.ts';
import { buildSearches } from './build/build-searches.ts';
import { REASONS } from './reasons.ts';
import type { Plan, PlannedSearch } from './schema.ts';
import { withoutAnswerLength } from './sentence/answer-length.ts';
import { disambiguate } from './sentence/disambiguate.ts';
import { blockMisplaced, MISPLACED } from './sentence/misplaced/index.ts';
import { ADAPT_SEARCHES, isYesNo, takeQuestion } from './sentence/question.ts';
import { isAuxiliary } from './sentence/rule.ts';
import { takeClock, takeWindow } from './sentence/time-window.ts';
import { findUnattached, reportAll } from './sentence/unattached.ts';
import { singleSearch } from './single-search.ts';
import { joinAmounts } from './tokens/amounts.ts';
import {
  type Item,
  isMark,
  isUnknown,
  matchItems,
  readWords,
  sense,
  type Words,
  withoutWords,
} from './tokens/lexer.ts';
import type { Lexicon } from './tokens/lexicon.ts';

/** Parses a prompt with the lexicon. Never throws: the plan reports words that are not understood. */
export function planQuery(query: string, lexicon: Lexicon): Plan {
  const words = withoutAnswerLength(readWords(query, lexicon));
  const items = matchItems(words);
  const plan = planItems(items, words);
  const unattached = findUnattached(items, plan, ({ start, end }) => {
    const others = withoutWords(words, start, end);
    return planItems(matchItems(others), others);
  });
  if (unattached.size === 0) return plan;
  const strict = planItems(
    items.map((item) => unattached.get(item) ?? item),
    words,
  );
  return reportAll(strict, unattached.keys());
}

function planItems(raw: readonly Item[], { query, corrected, end }: Words): Plan {
  const read = blockMisplaced(disambiguate(raw, query));
  const { items: counted, per } = takePer(joinAmounts(read, query));
  const { items: placed, window } = takeWindow(takeClock(counted));
  const { question, items } = takeQuestion(placed);
  const built = buildSearches(items, query);
  const searches = ADAPT_SEARCHES[question ?? 'describe']?.(built) ?? built;
  // Polite words alone, or an empty prompt, are an open prompt; punctuation alone is not, nor is "a screen".
  const words = read.filter((item) => !isMark(item));
  const isOpen =
    query.trim() === '' ||
    (words.length > 0 &&
      words.every(isOpenWord(window)) &&
      !words.some(({ text }) => / for$/.test(text)) &&
      !isAlone(words) &&
      !words.every((word) => isAuxiliary(word) || sense(word, 'pronoun')));
  if (searches.length === 0)
    searches.push(
      isOpen && (question === null || question === 'describe' || question === 'yes_no')
        ? notable(query)
        : unread(query, 'there is nothing in this to look for'),
    );
  const rest = query.slice(end).trim();
  if (rest !== '')
    searches.push(unread(rest, `the prompt is too long: it was read up to here, ${rest.length} characters were not`));
  noteWindow(window, searches);
  if (per !== null) searches.forEach(oneEach);
  if (question === 'count' && per === null) noteAverage(read, searches);
  if (question !== null ? question !== 'yes_no' : !isYesNo(read)) noteWhole(read, searches);
  const open = searches.some((s) => s.steps.some((step) => step.what.kind === 'notable'));
  const plan: Plan = {
    version: 1,
    query: query.slice(0, 200_000),
    question: open ? 'describe' : (question ?? (per ? 'count' : isYesNo(read) ? 'yes_no' : null)),
    ...(per && !open ? { per } : {}),
    window,
    searches,
    corrected: corrected.slice(0, 500).map((c) => ({ from: c.from.slice(0, 200), to: c.to.slice(0, 200) })),
  };
  return reportAll(plan, read.filter(isMisplaced));
}

const isMisplaced = ({ senses }: Item) =>
  senses.length === 1 && senses[0]!.type === 'beyond' && senses[0]!.reason === MISPLACED;

/** "More than 5 cars per minute": a rate is reported, and is no limit on the number at the same time. */
function oneEach({ steps }: PlannedSearch) {
  for (const { what, unchecked } of steps) {
    if (what.kind !== 'object' || (what.subject.count.min === 1 && what.subject.count.max === null)) continue;
    what.subject.count = { min: 1, max: null };
    const reason = REASONS.rate;
    unchecked.push({ text: what.subject.text.slice(0, 200), reason, blocks: false });
  }
}

/** "Parks and leaves after 5 minutes" may mean five minutes later: the reading is reported. */
function noteWindow(window: Plan['window'], searches: readonly PlannedSearch[]) {
  if (window === null || window.from <= 0 || window.to !== null) return;
  const reason = 'read as a part of the video, from its start; for what comes later than something else say "then"';
  for (const { steps } of searches)
    if (steps.some(({ join }) => join === 'then'))
      steps[0]!.unchecked.push({ text: `after ${window.from} s`, reason, blocks: false });
}

/** "How many cars are always there": only a question for yes or no asks whether it holds the whole time. */
function noteWhole(items: readonly Item[], searches: readonly PlannedSearch[]) {
  const reason = REASONS.onlyYesNo;
  const text = items.find((item) => sense(item, 'throughout'))?.text ?? '';
  for (const step of searches.flatMap(({ steps }) => steps)) {
    if (!step.throughout) continue;
    delete step.throughout;
    step.unchecked.push({ text, reason, blocks: false });
  }
}

/** "How many cars enter on average": only states have an average number at the same time; events have a rate. */
function noteAverage(items: readonly Item[], searches: readonly PlannedSearch[]) {
  const average = items.find((item) => sense(item, 'average'));
  const reason = REASONS.averages;
  for (const { steps } of average ? searches : []) {
    const { what } = steps[0]!;
    const isThere =
      steps.length === 1 && what.kind === 'object' && (what.action === 'present' || what.action === 'stands');
    if (!isThere) steps[0]!.unchecked.push({ text: average!.text, reason, blocks: false });
  }
}

/** "How many cars per minute", "per 10 seconds", "every 5 s": the length of the period, and the items without it. */
function takePer(items: readonly Item[]): { items: readonly Item[]; per: number | null } {
  for (const [at, item] of items.entries()) {
    const per = sense(item, 'per');
    if (per === null) continue;
    if (per.seconds !== null) return { items: items.toSpliced(at, 1), per: per.seconds };
    const number = sense(items[at + 1], 'number');
    const unit = sense(items[at + (number ? 2 : 1)], 'unit');
    if (unit?.dimension === 'time' && (number || unit.counted))
      return { items: items.toSpliced(at, number ? 3 : 2), per: Math.max(1, (number?.value ?? 1) * unit.factor) };
  }
  return { items, per: null };
}

/** "Watch", "monitor": without another noun, the word may be the object of that name; "every" has no noun. */
const isAlone = ([word, ...others]: readonly Item[]) =>
  others.length === 0 && (sense(word, 'filler')?.noun === true || sense(word, 'preposition') !== null || isEach(word));
const isEach = (word: Item | undefined) => sense(word, 'per') !== null && sense(word, 'filler') !== null;

/** Words without content of their own: polite phrases, and names of a part of the video. */
const isOpenWord = (window: Plan['window']) => (item: Item) =>
  (sense(item, 'pick') === null || (window !== null && sense(item, 'window') !== null)) &&
  sense(item, 'filler')?.article !== 'indefinite' &&
  (sense(item, 'beyond') === null || sense(item, 'question') !== null) &&
  (window !== null ||
    isUnknown(item) ||
    item.senses.some((s) => s.type === 'filler' || s.type === 'question' || s.type === 'pronoun'));

/** An empty or open prompt ("what happens here?") asks for everything notable. */
function notable(query: string): PlannedSearch {
  return singleSearch(query.trim().slice(0, 2000), { kind: 'notable' });
}

function unread(part: string, reason: string): PlannedSearch {
  const text = part.trim().slice(0, 100);
  return blockedSearch(text, text, reason);
}
