import { blockedSearch } from '../../blocked-search.ts';
import {
  ANY_TEXT,
  APPEARS,
  ASKS,
  CARRIERS,
  IN_FRAME,
  NAME_OF,
  NAMED_TEXTS,
  NOT_IN_TEXT,
  PLATES,
  SAYS,
  SHOWS,
  SIGN_WORDS,
  TEXT_WITH,
  TEXTS,
  WHAT_IT_SAYS,
} from '../../english/text-in-frame.ts';
import type { Plan, Target } from '../../schema.ts';
import { planOf, singleSearch } from '../../single-search.ts';
import { type Phrase as AnyPhrase, allowsPhrases, planWithStandIns } from './stand-in.ts';

type TextTarget = Extract<Target, { kind: 'text' }>;
/** Words of a prompt that name a text. */
type Phrase = AnyPhrase & { what: TextTarget };

/** Most words of a text that is neither in capitals nor in quotation marks. */
const MAX_WORDS = 6;

const QUOTED = /["“”„«]([^"“”„«»]{1,100})["“”»]|(?<!\p{L})['‘]([^'’]{1,100})['’](?!\p{L})/uy;
const CAPITALS = /[\p{Lu}\p{N}][\p{Lu}\p{N}.:/-]*(?: [\p{Lu}\p{N}][\p{Lu}\p{N}.:/-]*)*(?![\p{L}\p{N}])/uy;
const ONE_WORD = /[\p{L}\p{N}'-]+/uy;
const CLAUSE = /[^,.;?!\n"“”„«»]+/uy;

/** Beginnings of phrases, and how their text may be written. */
const STATED = new RegExp(
  `(?:(?<carrier>${CARRIERS})|(?:${TEXTS}))${IN_FRAME}(?: (?:that|which))? (?:(?:${SAYS})|(?<shows>${SHOWS}))(?: (?:the )?(?:words?|text|numbers?|letters|message))?:? `,
  'iy',
);
const NAMED = new RegExp(`(?:(?<carrier>${PLATES})|(?:${NAMED_TEXTS}))(?: number)?:? `, 'iy');
const WORD = /(?<=\bthe )word /iy;
const ANY = new RegExp(`${ANY_TEXT}${IN_FRAME}(?= |$|[,.;?!])`, 'iy');
const SIGN = new RegExp(`(?<words>${SIGN_WORDS}) signs?(?![\\p{L}-])`, 'iuy');
const APPEARING = new RegExp(`${APPEARS}(?= |$|[,.;?!])`, 'iy');
/** "STOP or EXIT", "STOP, EXIT". */
const ANOTHER = /^(?: or| and|,|\/) *(?:["“‘'„«]|[\p{Lu}\p{N}]{2,}(?![\p{L}\p{N}]))/u;
const WORDS_ONLY = 'looked for by its words: a sign with a picture instead is not found';
const ONE_TEXT = 'one text at a time can be looked for: write a sentence for each';
const QUESTION = new RegExp(`(?<=^|[^\\p{L}])${ASKS} (?:(?:a|an|the|any) )?$`, 'iu');

/**
 * The plan of a prompt that asks for text in the frame; null for any other, and for one of which anything but the text
 * is not understood. `planOther` reads the rest of the prompt.
 */
export function planText(query: string, planOther: (query: string) => Plan): Plan | null {
  if (!allowsPhrases(query)) return null;
  return planAllText(query) ?? planPhrase(query, planOther);
}

/** "What does the sign say": all text. */
function planAllText(query: string): Plan | null {
  const text = query
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^(?:please )|[?!. ]+$/gi, '')
    .trim();
  const match = WHAT_IT_SAYS.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  if (match) return planOf(query, [singleSearch(text, targetOf(null, match.groups?.carrier))], 'which_text');
  const word = groupOf(TEXT_WITH, text, 'word');
  if (word) return planRemarked(query, text, word, { ...targetOf(word), remark: OF_KIND });
  const name = groupOf(NAME_OF, text, 'name');
  return name ? planRemarked(query, text, name, { ...targetOf(null), remark: ALL_TEXTS }) : null;
}

const groupOf = (patterns: readonly RegExp[], text: string, group: string) =>
  patterns.map((pattern) => pattern.exec(text)?.groups?.[group]).find((found) => found !== undefined);

/** All text of a kind, with a remark on what of the prompt is not checked. */
function planRemarked(
  query: string,
  text: string,
  named: string,
  { remark, ...what }: TextTarget & { remark: string },
) {
  const search = singleSearch(text, what);
  search.steps[0]!.unchecked.push({ text: named, reason: remark, blocks: false });
  return planOf(query, [search], 'which_text');
}
const OF_KIND = 'looked for as text that contains this word';
const ALL_TEXTS = 'all texts that are read are listed; whether one of them is the name is not checked';

function planPhrase(query: string, planOther: (query: string) => Plan): Plan | null {
  const phrase = findPhrase(query);
  if (!phrase) return null;
  const before = query.slice(0, phrase.start);
  const question = QUESTION.exec(before);
  const rest = query.slice(phrase.end);
  if (phrase.what.text !== null && ANOTHER.test(rest)) return planOf(query, [blockedSearch(query, query, ONE_TEXT)]);
  const asking = question ? { asks: { start: question.index, as: 'is there a ' } } : {};
  return planWithStandIns(query, [{ ...phrase, ...asking }], planOther);
}

/** The first phrase of a prompt. */
function findPhrase(query: string): Phrase | null {
  for (const { index } of query.matchAll(/(?<![\p{L}\p{N}'-])[\p{L}\p{N}"“„«'‘]/gu)) {
    const phrase = READERS.map((read) => read(query, index)).find((found) => found !== null);
    if (phrase) return phrase;
  }
  return null;
}

/** "Sign that says STOP", "text on screen says error", "display shows 42". */
function statedAt(query: string, start: number): Phrase | null {
  const head = matchAt(STATED, query, start);
  if (!head) return null;
  const at = start + head[0].length;
  const literal = exactAt(query, at) ?? (head.groups?.shows === undefined ? wordsAt(query, at) : null);
  return (
    literal && { start, end: afterAppearing(query, literal.end), what: targetOf(literal.text, head.groups?.carrier) }
  );
}

/** "Word EXIT", "license plate ABC 123"; in other letters only one word before a verb: "the word exit appears". */
function namedAt(query: string, start: number): Phrase | null {
  const head = matchAt(NAMED, query, start);
  if (!head) return null;
  const at = start + head[0].length;
  const exact = exactAt(query, at);
  const word = exact || !matchAt(WORD, query, start) ? null : matchAt(ONE_WORD, query, at);
  const literal = exact ?? (word && !NOT_IN_TEXT.test(word[0]) ? { text: word[0], end: at + word[0].length } : null);
  if (!literal) return null;
  const end = afterAppearing(query, literal.end);
  return exact || end > literal.end ? { start, end, what: targetOf(literal.text, head.groups?.carrier) } : null;
}

/** "'EXIT' appears on screen". */
function quotedAt(query: string, start: number): Phrase | null {
  const quoted = matchAt(QUOTED, query, start);
  if (!quoted) return null;
  const end = start + quoted[0].length;
  const appears = afterAppearing(query, end);
  return appears > end ? { start, end: appears, what: targetOf((quoted[1] ?? quoted[2])!) } : null;
}

/** "Any text on screen". */
function anyAt(query: string, start: number): Phrase | null {
  const any = matchAt(ANY, query, start);
  return any && { start, end: afterAppearing(query, start + any[0].length), what: targetOf(null) };
}

/** "Exit sign". */
function signAt(query: string, start: number): Phrase | null {
  const sign = matchAt(SIGN, query, start);
  if (!sign) return null;
  const unchecked = [{ text: sign[0], reason: WORDS_ONLY, blocks: false }];
  const end = afterAppearing(query, start + sign[0].length);
  return { start, end, what: targetOf(sign.groups!.words!, 'sign'), unchecked };
}

const READERS = [statedAt, namedAt, quotedAt, anyAt, signAt];

/** A text in quotation marks, or in capitals and digits if the rest of the prompt is not. */
function exactAt(query: string, at: number): { text: string; end: number } | null {
  const quoted = matchAt(QUOTED, query, at);
  if (quoted) return { text: (quoted[1] ?? quoted[2])!.trim(), end: at + quoted[0].length };
  const capitals = query === query.toUpperCase() ? null : matchAt(CAPITALS, query, at);
  const text = capitals?.[0].replace(/[.:/-]+$/, '');
  return text ? { text, end: at + text.length } : null;
}

/** The words to the end of the clause, if all of them can only be the text. */
function wordsAt(query: string, at: number): { text: string; end: number } | null {
  const text = matchAt(CLAUSE, query, at)?.[0].trimEnd() ?? '';
  const words = text.replace(/^do not /i, '').split(/\s+/);
  const isText = text !== '' && words.length <= MAX_WORDS && !words.some((word) => NOT_IN_TEXT.test(word));
  return isText ? { text, end: at + text.length } : null;
}

function afterAppearing(query: string, at: number): number {
  return at + (matchAt(APPEARING, query, at)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, query: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(query);
}

const targetOf = (text: string | null, carrier?: string): TextTarget => ({
  ...{ kind: 'text', text },
  ...(carrier === undefined ? {} : { carrier: carrier.toLowerCase() }),
});
