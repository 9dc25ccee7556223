import { blockedSearch, isBlocked } from './blocked-search.ts';
import { type GroundedQuery, groundQuery, type PromptText } from './ground/index.ts';
import { findDropped, quotedIn } from './ground/partition.ts';
import type { ReadLanguage } from './language/english/index.ts';
import type { Leaf, Query } from './meaning/types.ts';
import type { Budget, ChartItem } from './parse/chart.ts';
import { wordsOf } from './parse/forest.ts';
import { BUDGET, type Fragment, type Fragments, findParts, readFragments, splitAt } from './parse/fragments.ts';
import { buildLattice, type LatticeToken } from './parse/lattice.ts';
import { findIntroduced, type QuotedWords, toItems } from './parse/quoting.ts';
import type { TokenSpan } from './parse/rules.ts';
import { REASONS, WORDING } from './reasons.ts';
import { EXCERPT, refuseRest, refuseSentence, textOf } from './refuse.ts';
import type { Plan, PlannedCalculation } from './schema.ts';
import { singleSearch } from './single-search.ts';
import { findQuotations } from './words/quotations.ts';
import { readWords, type Words } from './words/read-words.ts';
import type { WordList } from './words/word-list.ts';

/** Marks that end a sentence. */
const ENDS = new Set(['.', ';', '?', '!', '\n']);
/** Readings that cost this much more than the cheapest one are another meaning of the sentence. */
const ALTERNATIVE_COST = 0.5;

/** A part of a sentence, by its characters. */
export type SentencePart = { start: number; end: number };

/** Longest phrase that continues a sentence, in words. */
const LONGEST_PHRASE = 4;

type ReadPrompt = Fragments & {
  /** The questions that a sentence consists of, with their readings; none if it is no list of questions. */
  questionsIn(sentence: TokenSpan): readonly Fragment[];
};

/** Reads the words of a prompt: each sentence with all of its readings, as far as the budget reaches. */
export function readWithGrammar(prompt: Words, language: ReadLanguage, budget: Budget = { left: BUDGET }): ReadPrompt {
  const { spans, latticeOf } = divide(prompt, language);
  const readAll = (sentences: readonly TokenSpan[]) =>
    readFragments(sentences, language.grammar, language.goal, latticeOf, budget);
  return {
    ...readAll(spans),
    questionsIn(sentence) {
      const questions = findQuestions(sentence, prompt, language);
      if (questions.length < 2) return [];
      const { read, unread } = readAll(questions);
      return unread.length === 0 ? read : [];
    },
  };
}

/** Where questions begin in a sentence: "is there a car, how many people are there and does it rain". */
function findQuestions(
  { from, to }: TokenSpan,
  { tokens, words }: Words,
  { startsQuestion, adds, joins }: ReadLanguage,
): TokenSpan[] {
  const starts = (at: number) => startsQuestion(words.slice(at, Math.min(at + LONGEST_PHRASE, to)));
  const isJoint = (at: number) => tokens[at]?.text === ',' || adds(words[at] ?? '');
  if (!starts(from)) return [];
  const questions: TokenSpan[] = [];
  let start = from;
  for (let at = from + 1; at < to; at++) {
    if (!starts(at)) continue;
    // A choice of two questions is one question.
    if (!isJoint(at - 1) && joins(words[at - 1] ?? '')) return [];
    if (!isJoint(at - 1)) continue;
    let end = at - 1;
    while (isJoint(end - 1)) end--;
    questions.push({ from: start, to: end });
    start = at;
  }
  return [...questions, { from: start, to }];
}

/**
 * Parts of a sentence that are whole prompts by themselves, the longest first: each has at least two words that say
 * something, and half of those of the sentence.
 */
export function readParts(sentence: string, list: WordList, language: ReadLanguage): SentencePart[] {
  const prompt = readWords(sentence, list, language.split);
  const { tokens, words } = prompt;
  const { spans, latticeOf } = divide(prompt, language);
  return spans.flatMap((span) => {
    const lattice = latticeOf(span, true);
    const silent = new Set(
      lattice.flatMap(({ category, from, to }) =>
        to === from + 1 && language.functionWords.has(category) ? [from] : [],
      ),
    );
    const contentOf = ({ from, to }: TokenSpan) => {
      let count = 0;
      for (let at = from; at < to; at++) if (words[span.from + at] !== '' && !silent.has(at)) count++;
      return count;
    };
    const all = contentOf({ from: 0, to: span.to - span.from });
    return findParts(language.grammar, lattice, span.to - span.from, language.goal)
      .filter((part) => contentOf(part) >= Math.max(2, all / 2))
      .map((part) => ({
        start: tokens[span.from + part.from]!.start,
        end: tokens[span.from + part.to - 1]!.end,
      }));
  });
}

/** The sentences of a prompt, and their words with what these may mean. */
function divide(
  { tokens, words, query, list }: Words,
  { vocabulary, lexemesOf, quoting, isQuestionWord, startsContinuation, isSurrounding, isTag: isTagOf }: ReadLanguage,
) {
  const quotations = findQuotations(query, tokens);
  const isInside = (at: number) => quotations.some(({ from, to, isQuoted }) => isQuoted && from <= at && at < to);
  const isPoint = (at: number) => tokens[at]!.text === '.' && /\d/.test(query[tokens[at]!.end] ?? '');
  // "Is there a car? When?": a question word belongs to the sentence before.
  const isEnd = (at: number) => ENDS.has(tokens[at]?.text ?? '') && !isInside(at) && !isPoint(at);
  const isTag = (at: number) =>
    (at + 2 === tokens.length || (at + 3 === tokens.length && isEnd(at + 2))) && isQuestionWord(words[at + 1] ?? '');
  // "A car stops. Then it leaves": one sequence.
  const isContinued = (at: number) => startsContinuation(words.slice(at + 1, at + 1 + LONGEST_PHRASE));
  const all = splitAt(tokens.length, (at) => isEnd(at) && !isTag(at) && !isContinued(at));
  const contentOf = ({ from, to }: TokenSpan) =>
    words.slice(from, to).flatMap((word, at) => (tokens[from + at]!.kind === 'mark' ? [] : [word]));
  // "Hi! Is there a car? Give me the times."
  const filled = all.filter((span) => {
    const content = contentOf(span);
    return content.length > 0 && !isSurrounding(content);
  });
  // "A car stops. Yes or no?"
  const spans = (filled.length > 0 ? filled : all).reduce<TokenSpan[]>((before, span) => {
    const last = before.at(-1);
    if (last && isTagOf(contentOf(span))) before[before.length - 1] = { from: last.from, to: span.to };
    else before.push(span);
    return before;
  }, []);
  const latticeOf = ({ from, to }: TokenSpan, isLastResort: boolean): ChartItem[] => {
    const part = tokens.slice(from, to).map(({ kind, text, value, start, end }, i): LatticeToken => {
      const word = words[from + i]!;
      const named = list.namesOf?.(word);
      const read = { kind, word: word === '' ? text : word, text: query.slice(start, end), value };
      return named ? { ...read, named } : read;
    });
    const items = buildLattice(part, vocabulary, (token, isKnown) => lexemesOf(token, isKnown, isLastResort));
    const exact = quotations
      .filter((each) => from <= each.from && each.to <= to)
      .map(
        (each): QuotedWords => ({
          ...each,
          from: each.from - from,
          to: each.to - from,
          isExact: true,
          isUnsure: false,
        }),
      );
    const textOf = (span: TokenSpan) => query.slice(tokens[from + span.from]!.start, tokens[from + span.to - 1]!.end);
    const introduced = findIntroduced(items, part, quoting, textOf, exact);
    return [...items, ...toItems([...exact, ...introduced], part, quoting, -1 - items.length)];
  };
  return { spans, latticeOf };
}

/**
 * Plans a prompt: each of its sentences by itself. Never throws: a sentence that the grammar does not derive, or of
 * which a word would be lost, is refused with the words that prevent it.
 */
export function planPrompt(query: string, list: WordList, language: ReadLanguage): Plan {
  const words = readWords(query, list, language.split);
  const { read, unread, questionsIn } = readWithGrammar(words, language);
  const sentences = [...read, ...unread.map((span) => ({ ...span, readings: [] }))].toSorted((a, b) => a.from - b.from);
  const plan = createPlan(words);
  let isAlone = sentences.length === 1;
  const quoted: TokenSpan[] = [];
  const contexts: TokenSpan[] = [];
  const text = textOfPrompt(words, language);
  let before: Context | null = null;
  for (let sentence = sentences.shift(); sentence; sentence = sentences.shift()) {
    const { from, to, readings } = sentence;
    const made = groundFirst(readings, { text, from, before }, language);
    const questions = made === null ? questionsIn(sentence) : [];
    if (questions.length > 0) {
      isAlone = false;
      sentences.unshift(...questions);
      continue;
    }
    const isRefused = made === null || (made.grounded.searches.length > 0 && made.grounded.searches.every(isBlocked));
    if (!isAlone && isRefused && isContext(words, { from, to }, language)) {
      contexts.push({ from, to });
      continue;
    }
    const start = plan.searches.length;
    // "A car stops. When does it leave?": one search, of the car that stopped.
    if (made?.isReferring && before && isPartOf(before, made.grounded.question)) {
      plan.searches.splice(before.start);
      if (plan.searches.length === 0) plan.question = null;
    }
    const isAdded: boolean = made !== null && addSentence(plan, made.grounded, isAlone);
    if (isAdded) quoted.push(...quotedIn(made!.meaning));
    else plan.searches.push(refuseSentence(words, { from, to }, language));
    if (plan.searches.length > start || !isAdded) before = isAdded ? { meaning: made!.meaning, start } : null;
    if (plan.searches.length > MOST_SEARCHES) return withRest(plan, words, to);
  }
  for (const span of contexts) addContext(plan, words, span);
  plan.corrected = correctedOutside(words, quoted)
    .slice(0, 500)
    .map(({ from, to }) => ({ from: from.slice(0, 200), to: to.slice(0, 200) }));
  return withRest(plan, words, words.tokens.length);
}

/** "This camera faces the gate. Are there cars?": the first sentence says where, and nothing to look for. */
function isContext({ words }: Words, { from, to }: TokenSpan, language: ReadLanguage): boolean {
  const own = words.slice(from, to);
  const rest = [...words.slice(0, from), ...words.slice(to)];
  // "I lost my dog. Where is it?": the other sentence is about what this one names.
  return language.startsContext(own) && !rest.some(language.isPronoun);
}

/** Names a sentence that was not searched for, or refuses it if there is no other one that is. */
function addContext(plan: Plan, words: Words, span: TokenSpan): void {
  const search = plan.searches.find((each) => !isBlocked(each));
  const text = textOf(words, span).slice(0, EXCERPT);
  const [first] = search?.steps ?? [];
  if (first) first.unchecked.push({ text, reason: REASONS.context, blocks: false });
  else plan.searches.unshift(blockedSearch(text, text, WORDING));
}

/** The plan with a refusal of what follows some tokens. */
function withRest(plan: Plan, { query, tokens, end }: Words, read: number): Plan {
  plan.searches.splice(MOST_SEARCHES);
  const rest = query.slice(tokens[read]?.start ?? end).trim();
  if (rest !== '') plan.searches.push(refuseRest(rest));
  if (plan.searches.length === 0) describeAll(plan);
  return plan;
}

const createPlan = ({ query }: Words): Plan => ({
  version: 1,
  query: query.slice(0, MAX_QUERY),
  question: null,
  window: null,
  searches: [],
  corrected: [],
});

/** Most searches of the sentences of a plan; one more refuses what follows. */
const MOST_SEARCHES = 199;
/** Longest prompt of a plan, in characters. */
const MAX_QUERY = 200_000;

/**
 * Adds a sentence to a plan, which has one question. False if the sentence has another one. Parts of the video that
 * one of several sentences names are those of its own searches.
 */
function addSentence(plan: Plan, sentence: GroundedQuery, isAlone: boolean): boolean {
  const { question, per, window, searches, calculation } = sentence;
  const isFirst = plan.searches.every(isBlocked);
  // "Timestamps only."
  if (searches.length === 0) {
    if (!plan.calculation) plan.question = mergedQuestion(plan.question, question) ?? plan.question;
    return true;
  }
  if (!isFirst && (calculation || plan.calculation)) return false;
  const merged = isFirst ? question : mergedQuestion(plan.question, question);
  if (merged === undefined) return false;
  if (!isFirst && per !== (plan.per ?? null)) return false;
  plan.question = isFirst ? (question ?? plan.question) : merged;
  if (per !== null) plan.per = per;
  const first = plan.searches.length;
  if (calculation) plan.calculation = withPlacesFrom(calculation, first);
  if (isAlone) plan.window = window;
  plan.searches.push(
    ...searches.map((search) => ({
      ...search,
      ...(isAlone || !window ? {} : { window }),
      ...(search.during === undefined ? {} : { during: first + search.during }),
    })),
  );
  return true;
}

/** A calculation whose searches follow others. */
const withPlacesFrom = (calculation: PlannedCalculation, first: number): PlannedCalculation => ({
  ...calculation,
  values: calculation.values.map((value) => ({
    ...value,
    searches: value.searches.map((at) => first + at),
    ...(value.at === undefined ? {} : { at: first + value.at }),
  })),
});

/** The question of two sentences: times answer whether something happens. Undefined where a plan has no such one. */
function mergedQuestion(a: Plan['question'], b: Plan['question']): Plan['question'] | undefined {
  if (a === null || b === null || a === b) return a ?? b;
  if (a === 'yes_no') return TIMED.has(b) ? b : undefined;
  return b === 'yes_no' && TIMED.has(a) ? a : undefined;
}
/** Questions whose answer also says whether something happens. */
const TIMED: ReadonlySet<NonNullable<Plan['question']>> = new Set(['when', 'how_often', 'how_long', 'count']);

/** An empty prompt asks for everything notable; marks alone for nothing. */
function describeAll(plan: Plan): void {
  const text = plan.query.trim().slice(0, 2000);
  if (text !== '') plan.searches.push(blockedSearch(text, text.slice(0, 200), REASONS.nothing));
  else {
    plan.question = 'describe';
    plan.searches.push(singleSearch('', { kind: 'notable' }));
  }
}

/** The spelling corrections of words that are not quoted. */
function correctedOutside({ tokens, corrected }: Words, quoted: readonly TokenSpan[]): Plan['corrected'] {
  if (quoted.length === 0) return corrected;
  const outside = new Set(
    tokens.flatMap(({ text }, at) => (quoted.some(({ from, to }) => from <= at && at < to) ? [] : [text])),
  );
  return corrected.filter(({ from }) => outside.has(from));
}

/** A sentence that a later one may refer to, with the place of its searches. */
type Context = { readonly meaning: Query; readonly start: number };

/** True for a sentence that asks nothing by itself, or only for the presence of what a later one is about. */
function isPartOf(
  { meaning: { statement, question, isYesNo, calculation } }: Context,
  next: Plan['question'],
): boolean {
  if (question !== null || calculation !== null) return false;
  const isPresence = statement.kind === 'event' && statement.predicate === null;
  return !isYesNo || (isPresence && next !== 'yes_no');
}

type GroundedSentence = { readonly grounded: GroundedQuery; readonly meaning: Query; readonly isReferring: boolean };

type SentenceContext = { readonly text: PromptText; readonly from: number; readonly before: Context | null };

/** The first reading that a plan can state, unless another one is nearly as likely. */
function groundFirst(
  readings: readonly ChartItem[],
  { text, from, before }: SentenceContext,
  { functionWords, refer }: ReadLanguage,
): GroundedSentence | null {
  const [best] = readings;
  for (const item of readings) {
    if (item.cost > best!.cost + ALTERNATIVE_COST) break;
    const content = wordsOf(item)
      .filter(({ category }) => !functionWords.has(category))
      .map((word) => word.meaning as Leaf);
    if (findDropped(content, item.meaning).length > 0) continue;
    const meaning = shifted(item.meaning as Query, from);
    const referring = before && refer(meaning, before.meaning.statement);
    const continued = referring && groundQuery(referring, text);
    if (continued) return { grounded: continued, meaning: referring, isReferring: true };
    const grounded = groundQuery(meaning, text);
    if (grounded) return { grounded, meaning, isReferring: false };
  }
  return null;
}

/** A meaning with the places of its leaves in the whole prompt. */
function shifted<Meaning>(meaning: Meaning, by: number): Meaning {
  if (by === 0) return meaning;
  const shift = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(shift);
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        key === 'span' ? { from: (each as TokenSpan).from + by, to: (each as TokenSpan).to + by } : shift(each),
      ]),
    );
  };
  return shift(meaning) as Meaning;
}

/** The words of the prompt. */
function textOfPrompt({ tokens, words, query }: Words, { vocabulary }: ReadLanguage): PromptText {
  const at = (token: number) => tokens[token]!;
  return {
    query,
    textOf: ({ from, to }: TokenSpan) => query.slice(at(from).start, at(to - 1).end),
    isSilent: ({ from, to }: TokenSpan) => {
      for (let i = from; i < to; i++) if (!vocabulary.isSilent(words[i]!)) return false;
      return true;
    },
  };
}
