import { findJsonObjects } from '../../chat/index.ts';

/** Readers of replies. Each item is validated alone: an invalid one never costs the valid ones. */

export type FrameClaim = { question: number; firstFrame: number; lastFrame: number; label: string };
export type ClaimsReply = {
  facts: { frame: number; text: string }[];
  claims: FrameClaim[];
  /** Number of claims that were dropped because they name no question or frame that exists. */
  dropped: number;
};
export type ChoiceLetter = 'A' | 'B' | 'C' | 'D';

const MAX_ITEMS = 50;
const MAX_LABEL = 120;
const MAX_FACT = 300;
const MAX_VALUES = 10;

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const objectsIn = (text: string) => findJsonObjects(text).filter(isObject);

/** Reads claims about questions and frames that are numbered from 1. Null if the reply has no list of events. */
export function readClaims(text: string, { questions, frames }: { questions: number; frames: number }) {
  const reply = objectsIn(text).find(({ events }) => Array.isArray(events));
  if (!reply) return null;
  const result: ClaimsReply = { facts: [], claims: [], dropped: 0 };
  for (const each of arrayOf(reply.seen)) {
    const frame = isObject(each) ? integerOf(each.frame) : null;
    const fact = isObject(each) ? cleanText(each.fact, MAX_FACT) : '';
    if (frame !== null && frame >= 1 && frame <= frames && fact !== '') result.facts.push({ frame, text: fact });
  }
  for (const each of arrayOf(reply.events)) {
    const claim = isObject(each) ? claimOf(each) : null;
    const isValid = claim && claim.question >= 1 && claim.question <= questions && claim.firstFrame >= 1;
    if (isValid && claim.lastFrame <= frames) result.claims.push(claim);
    else result.dropped++;
  }
  return result;
}

/** Frames in the wrong order are swapped. */
function claimOf(event: Fields): FrameClaim | null {
  const question = integerOf(event.question);
  const first = integerOf(event.first_frame);
  const last = integerOf(event.last_frame ?? event.first_frame);
  if (question === null || first === null || last === null) return null;
  return {
    question,
    firstFrame: Math.min(first, last),
    lastFrame: Math.max(first, last),
    label: cleanText(event.label, MAX_LABEL),
  };
}

/** Cells of contact sheets that may show a question. Null if the reply has no such list. */
export function readMoments(text: string, { questions, cells }: { questions: number; cells: number }) {
  const reply = objectsIn(text).find(({ moments }) => Array.isArray(moments));
  if (!reply) return null;
  return arrayOf(reply.moments).flatMap((each) => {
    const question = isObject(each) ? integerOf(each.question) : null;
    const cell = isObject(each) ? integerOf(each.cell) : null;
    if (question === null || cell === null || question < 1 || question > questions) return [];
    return cell >= 1 && cell <= cells ? [{ question, cell }] : [];
  });
}

/** The letter of a choice, also if the reply is that letter alone. */
export function readChoice(text: string): ChoiceLetter | null {
  const stated = objectsIn(text).find(({ choice }) => typeof choice === 'string')?.choice as string | undefined;
  const letter = /^\W*([A-D])\b/i.exec(stated ?? (text.trim().length <= 4 ? text : ''))?.[1];
  return letter ? (letter.toUpperCase() as ChoiceLetter) : null;
}

/** One boolean per frame; null unless there are exactly `count`. */
export function readPerFrame(text: string, count: number): boolean[] | null {
  const so = objectsIn(text).find((each) => Array.isArray(each.so))?.so as unknown[] | undefined;
  if (!so || so.length !== count) return null;
  const values = so.map(booleanOf);
  return values.includes(null) ? null : (values as boolean[]);
}

/** Sentences that cite sources that exist, numbered from 1. `uncited`: number of those that cite none. */
export function readSentences(text: string, sources: number) {
  const reply = objectsIn(text).find(({ sentences }) => Array.isArray(sentences));
  if (!reply) return null;
  const all = arrayOf(reply.sentences).flatMap((each) => {
    const sentence = isObject(each) ? cleanText(each.text, 2 * MAX_FACT) : '';
    const cites = isObject(each) ? arrayOf(each.cites).flatMap((cite) => integerOf(cite) ?? []) : [];
    const known = [...new Set(cites)].filter((cite) => cite >= 1 && cite <= sources);
    return sentence === '' ? [] : [{ text: sentence, cites: known }];
  });
  const sentences = all.filter(({ cites }) => cites.length > 0);
  return { sentences, uncited: all.length - sentences.length };
}

/** Values of fields that are numbered from 1, as text; a field with several has several. Null without such a list. */
export function readFieldValues(text: string, fields: number): Map<number, string[]> | null {
  const reply = objectsIn(text).find((each) => Array.isArray(each.fields));
  if (!reply) return null;
  const found = new Map<number, string[]>();
  for (const each of arrayOf(reply.fields)) {
    const field = isObject(each) ? integerOf(each.field) : null;
    if (field === null || field < 1 || field > fields) continue;
    const stated = [(each as Fields).value].flat().map((value) => cleanText(String(value ?? ''), MAX_FACT));
    found.set(field, [...(found.get(field) ?? []), ...stated.filter((value) => value !== '')].slice(0, MAX_VALUES));
  }
  return found;
}

/** Sentences about ranges that are numbered from 1; the first one for each. Null if the reply has no such list. */
export function readCaptions(text: string, ranges: number): Map<number, string> | null {
  const reply = objectsIn(text).find(({ captions }) => Array.isArray(captions));
  if (!reply) return null;
  const found = new Map<number, string>();
  for (const each of arrayOf(reply.captions)) {
    const range = isObject(each) ? integerOf(each.range) : null;
    const sentence = isObject(each) ? cleanText(each.text, MAX_FACT) : '';
    if (range !== null && range >= 1 && range <= ranges && sentence !== '' && !found.has(range))
      found.set(range, sentence);
  }
  return found;
}

const arrayOf = (value: unknown) => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []);

/** 3, "3", "frame 3". */
function integerOf(value: unknown): number | null {
  const number =
    typeof value === 'string' ? Number(/^\D{0,10}(\d{1,6})$/.exec(value.trim())?.[1] ?? Number.NaN) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

/** Yes and no in the words that models use; null for others. */
export function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 1 || /^(yes|true)$/i.test(String(value))) return true;
  return value === 0 || /^(no|false)$/i.test(String(value)) ? false : null;
}

/** Text of a model in one line: without control characters, markup and addresses, which frames may have suggested. */
export function cleanText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  const plain = value
    .slice(0, 4 * maxLength)
    .replace(/<[^>]{0,200}>/g, ' ')
    .replace(/\b\w+:\/\/\S*|\bwww\.\S+/gi, ' ')
    .replace(/[\p{Cc}\p{Cf}<>`*_#|[\]{}\\]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).trimEnd()}…`;
}
