/**
 * Judges the answer to a prompt as people type it, from the answer alone:
 *
 * - right: read as meant, and what is reported agrees with the label. Up to a quarter of four or more labeled events
 *   may be missed, and a quarter of what is reported may be false; of fewer, none.
 * - refused: nothing false is reported, and the part that blocks is named, or the answer says that it is not certain or
 *   only partly searched. Or read as meant, and the answer cannot be checked.
 * - wrong: read as meant, but the answer is false: false events, events missed although stated as looked for, a wrong
 *   count, duration or yes.
 * - misread: answered as if it were another question: the interpretation lacks a key part of the label without a
 *   remark, or states a sense that was not meant or the opposite, or something is reported for what cannot be searched.
 *
 * A part counts as restated if the interpretation states it in its own words, outside quotes; as named if it is quoted
 * as not understood or not checked, or has a row of coverage that was not looked for.
 */
import type { Answer } from '../../../server/src/engine/index.ts';
import { type Score, score } from '../score.ts';
import type { Truth, TypedPrompt } from './label.ts';

export type Verdict = 'right' | 'refused' | 'wrong' | 'misread';
export type Clip = { durationS: number; toleranceS: number };
export type Judged = { verdict: Verdict; why: string };

/** Number of labeled or reported events from which some may be wrong, and the share of them. */
const MANY = 4;
const TOLERATED = 0.25;
const UNSURE = /\bNot (?:known|certain)\b/i;
const QUOTED = /"([^"]*)"/g;
const NEGATION =
  /\b(?:no|not|none|nobody|nothing|never|without|n't|empty|free|gap|kein\w*|leer|pas|nadie|vac[ií]o)\b|n't|没/i;

export function judge(label: TypedPrompt, answer: Answer, clip: Clip): Judged {
  const { interpretation } = answer;
  const stated = interpretation.replaceAll(QUOTED, '');
  const named = namedParts(answer);
  const names = (part: RegExp) => named.some((text) => part.test(text));
  if (!isClaim(answer)) {
    if (named.length === 0) return { verdict: 'misread', why: 'nothing answered, and no part named' };
    if (label.blocks && !names(label.blocks)) return { verdict: 'misread', why: `named ${named.join(', ')}` };
    return { verdict: 'refused', why: `named ${named.join(', ')}` };
  }
  if (isReversed(label.prompt, stated)) return { verdict: 'misread', why: 'searches for the opposite' };
  if (label.never?.test(stated)) return { verdict: 'misread', why: `states ${label.never}` };
  if (!label.truth) {
    // "Not certain" about the part is as honest as naming it.
    const isOpen = answer.answer !== null && UNSURE.test(answer.answer) && label.blocks?.test(stated);
    if (label.blocks && !isOpen && !names(label.blocks))
      return { verdict: 'misread', why: `does not name ${label.blocks}` };
    const isFalse = answer.events.length > 0 || assertion(answer) !== null;
    return isFalse
      ? { verdict: 'wrong', why: 'reports something for what cannot be searched' }
      : { verdict: 'refused', why: `named ${named.join(', ')}` };
  }
  const lost = label.reads.find((part) => !part.test(stated) && !names(part));
  if (lost) return { verdict: 'misread', why: `does not restate ${lost}` };
  if (label.truth === 'unknown') return { verdict: 'refused', why: 'read as meant; the answer cannot be checked' };
  const { wrong, lacks } = compare(label.truth, answer, clip);
  if (wrong) return { verdict: 'wrong', why: wrong };
  if (!lacks) return { verdict: 'right', why: '' };
  return isLimited(answer, named) ? { verdict: 'refused', why: lacks } : { verdict: 'wrong', why: lacks };
}

/** True if an absence was searched for although the prompt asks for a presence. */
function isReversed(prompt: string, stated: string): boolean {
  return /\b(?:nothing|nobody|no (?!colou?rs))/i.test(stated) && !NEGATION.test(prompt);
}

/** Words that the answer names as not understood or not checked. */
function namedParts({ interpretation, coverage }: Answer): string[] {
  const remarks = /not (?:understood|checked): .*/is.exec(interpretation)?.[0] ?? '';
  // Spelling corrections are quoted too, but those words were read.
  const quoted = [...remarks.matchAll(/"([^"]*)"(?! read as)/g)].map(([, text]) => text!);
  const rows = coverage.filter(({ status }) => status === 'not_looked_for');
  return [...new Set([...quoted, ...rows.flatMap(({ text, reason }) => [text, ...(reason ? [reason] : [])])])];
}

/** True if the answer claims something about the video: that a part was found, was not found, or an answer in words. */
function isClaim(answer: Answer): boolean {
  return (
    answer.events.length > 0 ||
    answer.coverage.some(({ status }) => status !== 'not_looked_for') ||
    (answer.answer !== null && !UNSURE.test(answer.answer))
  );
}

/** True if the answer says that it may be incomplete. */
function isLimited({ answer, coverage }: Answer, named: readonly string[]): boolean {
  if (named.length > 0 || (answer !== null && UNSURE.test(answer))) return true;
  return coverage.length > 0 && coverage.every(({ status }) => status !== 'looked_for');
}

/** Yes or no, in words or by events; null if neither is asserted. */
function assertion({ answer, events }: Answer): boolean | null {
  if (answer === null) return events.length > 0;
  if (/^Yes\b/.test(answer)) return true;
  if (/^(?:No|Never|Nowhere|None|Not at all)\b(?! known| certain)/.test(answer)) return false;
  // "Not certain: person in view" for "any kids?", and every event says why: neither yes nor no.
  if (UNSURE.test(answer) && events.every(({ caveats }) => caveats.length > 0)) return null;
  return events.length > 0 ? true : null;
}

/** The first number of an answer such as "2 cars and 1 truck: …", summed over kinds; null if it states none. */
export function countOf(answer: string | null): number | null {
  const counts = /^(?:[Nn]one|\d+(?: [\w ]+?)?(?:(?:,| and) \d+ [\w ]+?)*)(?=[ ,.:(]|$)/.exec(answer ?? '')?.[0];
  if (counts === undefined) return null;
  return [...counts.matchAll(/\d+/g)].reduce((sum, [n]) => sum + Number(n), 0);
}

/** The first duration of an answer in seconds: "3.4 s in all", "1 min 5 s", "0:34.0", "Not at all". */
export function secondsOf(answer: string | null): number | null {
  if (answer === null) return null;
  if (/^(?:Not at all|Never)\b/.test(answer)) return 0;
  const text = answer.replaceAll(/about|around/gi, '');
  const [, h, m, s] =
    /(?:([\d.]+) ?h(?:ours?)? ?)?(?:([\d.]+) ?min(?:utes?)? ?)?([\d.]+) ?s(?:econds?)?\b/.exec(text) ?? [];
  if (s !== undefined) return Number(h ?? 0) * 3600 + Number(m ?? 0) * 60 + Number(s);
  const [, minutes, seconds] = /\b(\d+):(\d\d(?:\.\d+)?)/.exec(text) ?? [];
  return minutes === undefined ? null : Number(minutes) * 60 + Number(seconds);
}

/** Returns what is false and what is missing. */
function compare(truth: Truth, answer: Answer, clip: Clip): { wrong?: string; lacks?: string } {
  const maybe = truth.maybe ?? [];
  const { events } = answer;
  const results: { wrong?: string; lacks?: string }[] = [];
  if (truth.events) results.push(ofScore(score({ expected: { events: truth.events }, maybe }, events, clip)));
  if (truth.during) results.push(ofScore(score({ expected: { during: truth.during }, maybe }, events, clip)));
  if (truth.yes !== undefined) results.push(compareYes(truth.yes, maybe, answer, clip));
  if (truth.count) results.push(compareNumber('count', truth.count, countOf(answer.answer)));
  if (truth.lasts) results.push(compareNumber('seconds', truth.lasts, secondsOf(answer.answer)));
  for (const part of truth.says ?? []) {
    if (answer.answer === null || UNSURE.test(answer.answer)) results.push({ lacks: 'not answered in words' });
    else if (!part.test(answer.answer)) results.push({ wrong: `answer lacks ${part}` });
  }
  return results.find(({ wrong }) => wrong) ?? results.find(({ lacks }) => lacks) ?? {};
}

function ofScore({ right, wrong, missed, expected }: Score): { wrong?: string; lacks?: string } {
  const share = (part: number, of: number) => (of >= MANY ? part / of <= TOLERATED : part === 0);
  if (!share(wrong.length, right.length + wrong.length)) return { wrong: `${wrong.length} false events` };
  return share(missed.length, expected) ? {} : { lacks: `${missed.length} of ${expected} missed` };
}

function compareYes(isYes: boolean, at: Truth['maybe'] & {}, answer: Answer, clip: Clip) {
  const asserted = assertion(answer);
  const isUnsure = answer.answer !== null && UNSURE.test(answer.answer);
  if (asserted === null || (isUnsure && !asserted)) return { lacks: 'neither yes nor no' };
  if (asserted !== isYes)
    return answer.answer === null && isYes ? { lacks: 'no event' } : { wrong: `says ${asserted}` };
  if (!isYes || at.length === 0) return {};
  const { wrong } = score({ expected: { during: at }, maybe: [] }, answer.events, clip);
  return wrong.length > answer.events.length * TOLERATED ? { wrong: 'yes, but for something else' } : {};
}

function compareNumber(what: string, [least, most]: readonly [number, number], stated: number | null) {
  if (stated === null) return { lacks: `no ${what}` };
  return stated >= least && stated <= most ? {} : { wrong: `${what} ${stated}, not ${least} to ${most}` };
}
