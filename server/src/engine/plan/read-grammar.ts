import { type GroundedQuery, groundQuery, type PromptText } from './ground/index.ts';
import { findDropped, quotedIn } from './ground/partition.ts';
import type { ReadLanguage } from './language/english/index.ts';
import { classesOf, type MeaningClass } from './meaning/classes.ts';
import type { Leaf, Query } from './meaning/types.ts';
import type { ChartItem } from './parse/chart.ts';
import { wordsOf } from './parse/forest.ts';
import { type Fragments, readFragments, splitAt } from './parse/fragments.ts';
import { buildLattice, type LatticeToken } from './parse/lattice.ts';
import { findIntroduced, type QuotedWords, toItems } from './parse/quoting.ts';
import type { TokenSpan } from './parse/rules.ts';
import type { Plan } from './schema.ts';
import { readWords, type Words } from './tokens/lexer.ts';
import type { Lexicon } from './tokens/lexicon.ts';
import { findQuotations } from './tokens/quotations.ts';

/** The plan of a prompt that the grammar derives as a whole, and the classes of what it asks for. */
export type GrammarPlan = { readonly plan: Plan; readonly classes: ReadonlySet<MeaningClass> };

/** Marks that end a sentence. */
const ENDS = new Set(['.', ';', '?', '!', '\n']);
/** Readings that cost this much more than the cheapest one are another meaning of the sentence. */
const ALTERNATIVE_COST = 0.5;

/** Reads the words of a prompt: each sentence with all of its readings. */
export function readWithGrammar(
  { tokens, words, query }: Words,
  { vocabulary, lexemesOf, grammar, goal, quoting, isQuestionWord, startsContinuation }: ReadLanguage,
): Fragments {
  const quotations = findQuotations(query, tokens);
  const isInside = (at: number) => quotations.some(({ from, to, isQuoted }) => isQuoted && from <= at && at < to);
  const isPoint = (at: number) => tokens[at]!.text === '.' && /\d/.test(query[tokens[at]!.end] ?? '');
  // "Is there a car? When?": a question word belongs to the sentence before.
  const isEnd = (at: number) => ENDS.has(tokens[at]?.text ?? '') && !isInside(at) && !isPoint(at);
  // "Hi! Is there a car? Thanks": nor does a polite word say anything by itself.
  const isAside = (word: string) => isQuestionWord(word) || vocabulary.isSilent(word);
  const isTag = (at: number) =>
    (at + 2 === tokens.length || (at + 3 === tokens.length && isEnd(at + 2))) && isAside(words[at + 1] ?? '');
  const isGreeting = (at: number) => at === 1 && tokens.length > 2 && vocabulary.isSilent(words[0]!);
  // "A car stops. Then it leaves": one sequence.
  const isContinued = (at: number) => startsContinuation(words.slice(at + 1));
  const isInner = (at: number) => isTag(at) || isGreeting(at) || isContinued(at);
  const spans = splitAt(tokens.length, (at) => isEnd(at) && !isInner(at));
  return readFragments(spans, grammar, goal, ({ from, to }, isLastResort) => {
    const part = tokens.slice(from, to).map(({ kind, text, value, start, end }, i): LatticeToken => {
      const word = words[from + i]!;
      return { kind, word: word === '' ? text : word, text: query.slice(start, end), value };
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
  });
}

/**
 * Plans a prompt with the grammar. Null unless it derives the whole prompt, and each word of it is part of the plan or
 * named in it.
 */
export function planWithGrammar(query: string, lexicon: Lexicon, language: ReadLanguage): GrammarPlan | null {
  const words = readWords(query, lexicon, language.split);
  if (words.tokens.length === 0 || query.slice(words.end).trim() !== '') return null;
  const { read, unread } = readWithGrammar(words, language);
  if (unread.length > 0) return null;
  const sentences: GroundedQuery[] = [];
  const quoted: TokenSpan[] = [];
  const classes = new Set<MeaningClass>();
  for (const { readings, from } of read) {
    const made = groundFirst(readings, textOfFragment(words, from, language), language);
    if (!made) return null;
    sentences.push(made.grounded);
    for (const each of classesOf(made.meaning)) classes.add(each);
    quoted.push(...quotedIn(made.meaning).map((span) => ({ from: from + span.from, to: from + span.to })));
  }
  const [first] = sentences;
  const isQuestion = sentences.some(
    ({ question, window, per }) => question !== null || window !== null || per !== null,
  );
  if (sentences.length > 1 && isQuestion) return null;
  const plan: Plan = {
    version: 1,
    query,
    question: first!.question,
    ...(first!.per === null ? {} : { per: first!.per }),
    ...(first!.calculation ? { calculation: first!.calculation } : {}),
    window: first!.window,
    searches: sentences.flatMap(({ searches }) => searches),
    corrected: correctedOutside(words, quoted),
  };
  return { plan, classes };
}

/** The spelling corrections of words that are not quoted. */
function correctedOutside({ tokens, corrected }: Words, quoted: readonly TokenSpan[]): Plan['corrected'] {
  if (quoted.length === 0) return corrected;
  const outside = new Set(
    tokens.flatMap(({ text }, at) => (quoted.some(({ from, to }) => from <= at && at < to) ? [] : [text])),
  );
  return corrected.filter(({ from }) => outside.has(from));
}

/** The first reading that a plan can state, unless another one is nearly as likely. */
function groundFirst(readings: readonly ChartItem[], text: PromptText, { functionWords }: ReadLanguage) {
  const [best] = readings;
  for (const item of readings) {
    if (item.cost > best!.cost + ALTERNATIVE_COST) break;
    const meaning = item.meaning as Query;
    const content = wordsOf(item)
      .filter(({ category }) => !functionWords.has(category))
      .map((word) => word.meaning as Leaf);
    if (findDropped(content, meaning).length > 0) continue;
    const grounded = groundQuery(meaning, text);
    if (grounded) return { grounded, meaning };
  }
  return null;
}

/** The words of a sentence, by tokens counted from its start. */
function textOfFragment({ tokens, words, query }: Words, start: number, { vocabulary }: ReadLanguage): PromptText {
  const at = (token: number) => tokens[start + token]!;
  return {
    query,
    textOf: ({ from, to }: TokenSpan) => query.slice(at(from).start, at(to - 1).end),
    isSilent: ({ from, to }: TokenSpan) => {
      for (let i = from; i < to; i++) if (!vocabulary.isSilent(words[start + i]!)) return false;
      return true;
    },
  };
}
