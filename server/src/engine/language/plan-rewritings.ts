import {
  isBlocked,
  type LeftPart,
  type Plan,
  type Planner,
  planRewritten,
  type Rewriting,
  type Unchecked,
  type Zone,
} from '../plan/index.ts';
import { alignParts, joinUnread } from './align.ts';
import { contradicts } from './conflict.ts';
import { meaningOfSearch } from './meaning.ts';
import { findForeignLanguage, hasForeignWord, type PromptLanguage } from './prompt-language.ts';
import { readEnglishBack } from './read-back/english.ts';
import { findForeignFault } from './read-back/foreign.ts';
import type { Rewritings } from './response.ts';

export type RewritingPlanner = Pick<
  Planner,
  'planQuery' | 'planEnglish' | 'isFunctionWord' | 'isClosedClassWord' | 'isEnglishWord'
>;

/** A prompt with the plan of the rules, and what a model made of it. */
export type RewrittenQuery = {
  query: string;
  rewritings: Rewritings;
  rules: Plan;
  zones?: readonly Zone[] | undefined;
};

/** The text that is searched for a part of the prompt, and remarks about what is uncertain in it. */
type PartReading = { to: string; remarks: Unchecked[] };

/** A part of the prompt after its rewriting was read back. `refused`: the rewriting that says something else. */
type ReadPart = { start: number; end: number } & (
  | PartReading
  | { to: null; refused?: { from: string; to: string }; fault?: string }
);

const LEFT = 'a language model could not express it in terms that can be searched';
const TAKEN_APART = 'a language model took these words for a question of their own';

/**
 * Plans a prompt with the rewritings of a model. Each is read back: what it adds, drops or changes is not searched. The
 * plan of the rules is returned if nothing is left, or if it understands what the model lost.
 */
export function planRewritings({ query, rewritings, rules, zones }: RewrittenQuery, planner: RewritingPlanner): Plan {
  const planEnglish = (text: string) => planner.planEnglish(text, zones);
  const languageOf = (text: string) => findForeignLanguage(text, rewritings.language, rules, planner);
  const whole = languageOf(query);
  const language = whole?.name ?? rewritings.language ?? 'English';
  const understood = new Set(rules.searches.filter((search) => !isBlocked(search)).map(meaningOfSearch));

  const read = alignParts(query, rewritings, planner).map(({ start, end, to, from }): ReadPart => {
    if (to === null) return { start, end, to };
    const own = ownReading(from);
    if (own !== null) return { start, end, ...own };
    const plan = planEnglish(to);
    if (!isReadable(plan, query, from)) return { start, end, to: null };
    // A prompt may have sentences of several languages.
    const foreign = languageOf(from) ?? (hasForeignWord(from, planner) ? whole : null);
    const back = foreign ? readForeign(from, to, plan, foreign) : readEnglish(from, to, planEnglish);
    return 'fault' in back
      ? { start, end, to: null, refused: { from, to }, fault: back.fault }
      : { start, end, ...back };
  });
  const parts = joinUnread(query, read, ({ to }) => to !== null, joinLeft).map((part): Rewriting | LeftPart => {
    const from = query.slice(part.start, part.end);
    if (part.to !== null) return { from, to: part.to, remarks: part.remarks };
    return leftPart(from, part.fault ?? LEFT, language === 'English' ? planEnglish(from) : null);
  });
  const rewritten = parts.filter((part): part is Rewriting => 'to' in part);
  const refused = read.flatMap((part) => (part.to === null ? (part.refused ?? []) : []));
  if (rewritten.length === 0) return refused.length === 0 ? rules : { ...rules, alternative: refused };
  const plan = planRewritten({ query, language, reader: 'model', parts }, planEnglish);
  if (!contradicts(plan, rules)) return plan;
  // The cautious reading is searched: the rules report what they do not understand.
  return { ...rules, alternative: rewritten.map(({ from, to }) => ({ from, to })) };

  /** The reading of the rules of a part of the prompt, if they have one: a model has no say in it. */
  function ownReading(from: string): PartReading | null {
    const plan = planner.planQuery(from, zones);
    if (!isReadable(plan, query, from)) return null;
    const to = plan.rewritten?.map((each) => each.to).join('. ') ?? from;
    const isOwn = plan.searches.every((search) => understood.has(meaningOfSearch(search)));
    return { to, remarks: isOwn ? [] : [{ text: from.slice(0, 500), reason: TAKEN_APART, blocks: false }] };
  }
}

/** Controlled English that the rules read without gaps; an open question only instead of the whole prompt. */
function isReadable({ searches, corrected }: Plan, query: string, from: string): boolean {
  const isOpen = searches.some(({ steps }) => steps.some(({ what }) => what.kind === 'notable'));
  const isWhole = from.length * 2 > query.trim().length;
  return corrected.length === 0 && !searches.some(isBlocked) && (!isOpen || isWhole);
}

/** English words are searched with those of a dictionary in their place; the model only chose among these. */
function readEnglish(from: string, to: string, planEnglish: (text: string) => Plan): PartReading | { fault: string } {
  const reading = readEnglishBack(from, to, planEnglish);
  if (reading === null) return { fault: `a language model read it as "${to}", which is not what these words say` };
  const remarks = reading.replaced.map(({ phrase, word, isSame }) => ({
    text: phrase.slice(0, 500),
    reason: isSame
      ? `a language model read it as "${word}"`
      : `looked for as any "${word}", as a language model read it`,
    blocks: false,
    ...(isSame ? {} : { decides: true }),
  }));
  return { to: reading.text, remarks };
}

/** No dictionary of other languages is available: what code can compare has to agree, and the user sees a caveat. */
function readForeign(
  from: string,
  to: string,
  plan: Plan,
  { name, detected }: PromptLanguage,
): PartReading | { fault: string } {
  const fault = findForeignFault({ from, to, plan, language: detected });
  if (fault !== null) return { fault: `a language model read it as "${to}", but ${fault}` };
  const reason = `a language model read it from ${name} as "${to}"; no dictionary confirms that`;
  return { to, remarks: [{ text: from.slice(0, 500), reason: reason.slice(0, 1000), blocks: false }] };
}

/** The reason of the rules says more, where they have one for English words. */
function leftPart(from: string, reason: string, english: Plan | null): LeftPart {
  const step = english?.searches.find(isBlocked)?.steps[0];
  const known = step?.what.kind === 'unknown' ? undefined : step?.unchecked.find(({ blocks }) => blocks);
  return { from, words: known?.text ?? from, reason: known?.reason ?? reason };
}

function joinLeft(first: ReadPart, second: ReadPart): ReadPart {
  const [fault] = [first, second].flatMap((part) => (part.to === null ? (part.fault ?? []) : []));
  return { start: first.start, end: second.end, to: null, ...(fault === undefined ? {} : { fault }) };
}
