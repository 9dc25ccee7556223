/**
 * Judges the answer to an unseen prompt by its result, from the answer and the truth alone. First the answer is
 * compared with the truth:
 *
 * - full: everything that the truth states is reported, and nothing false. Of four or more labeled events a quarter may
 *   be missed, and a quarter of four or more reported ones may be false; of fewer, none.
 * - part: something of it is reported, and nothing false, such as one of two events, or "at least 2" for 4.
 * - false: something else is reported, such as another number, a false event, or yes for no.
 * - absent: nothing is reported although it happens: no event, "No", "Never", 0.
 * - open: the answer neither confirms nor denies it: "Not known", "Not certain", or no answer to the question.
 *
 * The verdict then depends on what the answer says about its own limits: parts that it names as not understood, not
 * checked or not looked for, "Not certain", and coverage that is only partly searched.
 *
 * | compared | all was looked for | limits are stated |
 * |---|---|---|
 * | full | right | partly, if a part is named (but a right "No" entails it) or it is not certain; else right |
 * | part | partly | partly |
 * | false | misread | wrong |
 * | absent | silent | refused; wrong, if it is denied all the same ("No") |
 * | open | misread: another question was answered | refused |
 *
 * A trap is right to be refused: nothing is reported, and a part is named or the answer is not certain. Everything else
 * is wrong, or misread if all was looked for.
 *
 * Yes and no are read from the first word of the answer, otherwise from whether there are events. Of the events
 * reported for a yes with labeled times, three quarters have to lie there. Events and intervals are matched as in
 * `score.ts`. A moment is found by an event that starts or ends within the tolerance (at least half a second), or that
 * contains it and lasts up to two seconds. Numbers are the first in the answer; a duration and a speed need their unit.
 * Without an answer in words, a single event states its duration. Words are looked for in the answer without quotes and
 * notes; "Yes" and "No" are no answer to "which".
 */
import type { Answer } from '../../../server/src/engine/index.ts';
import { countOf, secondsOf } from '../as-people-ask/judge.ts';
import { type Score, score } from '../score.ts';
import type { Truth, UnseenPrompt } from './prompts.ts';

export type Verdict = 'right' | 'partly' | 'refused' | 'wrong' | 'misread' | 'silent';
export const VERDICTS: readonly Verdict[] = ['right', 'partly', 'refused', 'wrong', 'misread', 'silent'];
export type Judged = { verdict: Verdict; why: string };
export type Clip = { durationS: number; toleranceS: number };

/** The parts of an answer that are judged. */
export type JudgedAnswer = Pick<Answer, 'interpretation' | 'answer' | 'coverage'> & {
  events: readonly Pick<
    Answer['events'][number],
    'startS' | 'endS' | 'confidence' | 'label' | 'category' | 'caveats'
  >[];
};

type Compared = { state: 'full' | 'part' | 'false' | 'absent' | 'open'; why: string };

const UNSURE = /\bNot (?:known|certain)\b/i;
const DENIES = /^(?:No|Never|Nowhere|None|Not at all|0(?: times)?(?!:\d))\b(?! known| certain)/;
const MANY = 4;
const TOLERATED = 0.25;
const MOMENT_TOLERANCE_S = 0.5;
const LONGEST_MOMENT_S = 2;

export function judge({ truth }: Pick<UnseenPrompt, 'truth'>, answer: JudgedAnswer, clip: Clip): Judged {
  const named = namedParts(answer);
  const isUnsure = answer.answer !== null && UNSURE.test(answer.answer);
  const isLimited = named.length > 0 || isUnsure || answer.coverage.some(({ status }) => status !== 'looked_for');
  if (truth.refuse) return judgeTrap(answer, named, isUnsure);
  const { state, why } = compare(truth, answer, clip);
  switch (state) {
    case 'full':
      if (named.length > 0 && !deniesAll(truth, answer))
        return { verdict: 'partly', why: `right, but does not take ${named.join(', ')}` };
      return isUnsure ? { verdict: 'partly', why: 'right, but not certain' } : { verdict: 'right', why: '' };
    case 'part':
      return { verdict: 'partly', why };
    case 'false':
      return { verdict: isLimited ? 'wrong' : 'misread', why };
    case 'absent':
      if (!isLimited) return { verdict: 'silent', why };
      return { verdict: !isUnsure && DENIES.test(answer.answer ?? '') ? 'wrong' : 'refused', why };
    case 'open':
      return { verdict: isLimited || !answersAnything(answer) ? 'refused' : 'misread', why };
  }
}

/** A flat "No" is right whatever narrows it: if nobody stops, nobody stops on the road. */
const deniesAll = ({ yes }: Truth, { answer }: JudgedAnswer) =>
  yes === false && answer !== null && DENIES.test(answer) && !UNSURE.test(answer);

function judgeTrap({ answer, events }: JudgedAnswer, named: readonly string[], isUnsure: boolean): Judged {
  const isSilent = events.length === 0 && (answer === null || isUnsure);
  if (isSilent && (named.length > 0 || isUnsure)) return { verdict: 'refused', why: `names ${named.join(', ')}` };
  const why = isSilent ? 'claims that it was looked for' : 'reports what the video does not show';
  return { verdict: named.length > 0 || isUnsure ? 'wrong' : 'misread', why };
}

/** Words that the answer names as not understood, not checked or not looked for. */
function namedParts({ interpretation, coverage }: JudgedAnswer): string[] {
  const remarks = /not (?:understood|checked): .*/is.exec(interpretation)?.[0] ?? '';
  const quoted = [...remarks.matchAll(/"([^"]*)"(?! read as)/g)].map(([, text]) => text!);
  const rows = coverage.filter(({ status }) => status === 'not_looked_for').map(({ text }) => text);
  return [...new Set([...quoted, ...rows])];
}

/** An answer without coverage, events and words says nothing. */
const answersAnything = ({ answer, events, coverage }: JudgedAnswer) =>
  answer !== null || events.length > 0 || coverage.length > 0;

function compare(truth: Truth, answer: JudgedAnswer, clip: Clip): Compared {
  if (truth.yes !== undefined) return compareYes(truth.yes, truth.at ?? [], answer, clip);
  if (truth.count) return compareCount(truth.count, answer);
  if (truth.seconds) return compareNumber('seconds', truth.seconds, durationOf(answer), answer);
  if (truth.value) return compareNumber('value', truth.value, speedOf(withoutNote(answer.answer)), answer);
  if (truth.says) return compareWords(new RegExp(truth.says, 'is'), answer);
  if (truth.moments) return compareMoments(truth, answer, clip);
  const maybe = truth.maybe ?? [];
  const expected = truth.events ? { events: truth.events } : { during: truth.during! };
  return compareTimes(score({ expected, maybe }, answer.events, clip), answer);
}

const full: Compared = { state: 'full', why: '' };

function compareYes(isYes: boolean, at: Truth['at'] & {}, answer: JudgedAnswer, clip: Clip): Compared {
  const asserted = assertion(answer);
  if (asserted === null) return { state: 'open', why: 'neither yes nor no' };
  if (!asserted) return isYes ? { state: 'absent', why: 'says no' } : full;
  if (!isYes) return { state: 'false', why: 'says yes' };
  if (at.length === 0) return full;
  const { wrong } = score({ expected: { during: at }, maybe: [] }, answer.events, clip);
  return wrong.length > answer.events.length * TOLERATED ? { state: 'false', why: 'yes, but at another time' } : full;
}

/** Yes or no, in words or by events; null if neither is asserted. */
function assertion({ answer, events, coverage }: JudgedAnswer): boolean | null {
  if (answer !== null) {
    if (/^Yes\b/.test(answer)) return true;
    if (DENIES.test(answer)) return false;
    if (UNSURE.test(answer)) return null;
  }
  if (events.length > 0) return true;
  const wasSearched = coverage.length > 0 && coverage.every(({ status }) => status === 'looked_for');
  return answer === null && wasSearched ? false : null;
}

function compareCount([least, most]: readonly [number, number], { answer }: JudgedAnswer): Compared {
  const text = withoutTimes(withoutNote(answer));
  if (text === null || UNSURE.test(text)) return { state: 'open', why: 'no count' };
  const isAtLeast = /^at least\b/i.test(text);
  const same = /\b(\d+) at the same time/.exec(text)?.[1];
  const stated = countOf(text.replace(/^at least /i, '')) ?? (DENIES.test(text) ? 0 : same ? Number(same) : null);
  if (stated === null) return { state: 'open', why: 'no count' };
  if (stated >= least && stated <= most) return full;
  if (isAtLeast && stated > 0 && stated < least) return { state: 'part', why: `at least ${stated}` };
  return { state: stated === 0 ? 'absent' : 'false', why: `count ${stated}, not ${least} to ${most}` };
}

function compareNumber(
  what: string,
  [least, most]: readonly [number, number],
  stated: number | null,
  { answer }: JudgedAnswer,
): Compared {
  if (stated === null || (answer !== null && UNSURE.test(answer))) return { state: 'open', why: `no ${what}` };
  if (stated >= least && stated <= most) return full;
  const isAbsent = stated === 0 && DENIES.test(answer ?? '');
  return { state: isAbsent ? 'absent' : 'false', why: `${what} ${stated}, not ${least} to ${most}` };
}

/** The first duration of an answer, or that of the only event. */
function durationOf({ answer, events }: JudgedAnswer): number | null {
  const [event] = events;
  if (answer !== null) return secondsOf(withoutTimes(withoutNote(answer)));
  return events.length === 1 ? event!.endS - event!.startS : null;
}

/** The first speed of an answer in km/h, or another value at its start. */
function speedOf(text: string | null): number | null {
  if (text === null) return null;
  const kmh = /([\d.]+) ?(?:km\/h|kph)/i.exec(text)?.[1];
  if (kmh !== undefined) return Number(kmh);
  const mps = /([\d.]+) ?m\/s(?!²)/.exec(text)?.[1];
  if (mps !== undefined) return Number(mps) * 3.6;
  const other = /^(?:About )?(\d+(?:\.\d+)?) ?(?:%|m\b|per\b)/i.exec(text)?.[1];
  return other === undefined ? null : Number(other);
}

function compareWords(words: RegExp, { answer }: JudgedAnswer): Compared {
  const text = withoutNote(answer);
  if (text === null || UNSURE.test(text)) return { state: 'open', why: 'not answered in words' };
  if (/^(?:Yes|No|Never)\b/.test(text)) return { state: 'false', why: 'answered with yes or no' };
  return words.test(text.replaceAll(/\("[^"]*"\)/g, ''))
    ? full
    : { state: 'false', why: `answer lacks ${words.source}` };
}

/** The answer without points in time: "0:06.5" is neither a count nor a duration. */
const withoutTimes = (text: string | null) => text?.replaceAll(/\b(?:\d+:)?\d+:\d\d(?:\.\d+)?/g, '') ?? null;

/** The answer without the limits that follow it. */
const withoutNote = (answer: string | null) => answer?.replace(/ Note: .*$/s, '') ?? null;

function compareMoments({ moments, maybe }: Truth, answer: JudgedAnswer, { toleranceS }: Clip): Compared {
  const tolerance = Math.max(MOMENT_TOLERANCE_S, toleranceS);
  const isAt = ({ startS, endS }: JudgedAnswer['events'][number], moment: number) =>
    Math.min(Math.abs(startS - moment), Math.abs(endS - moment)) <= tolerance ||
    (endS - startS <= LONGEST_MOMENT_S && startS <= moment && moment <= endS);
  const isOpen = ({ startS, endS }: JudgedAnswer['events'][number]) =>
    (maybe ?? []).some(([from, to]) => startS >= from - tolerance && endS <= to + tolerance);
  const right = answer.events.filter((event) => moments!.some((moment) => isAt(event, moment)));
  const wrong = answer.events.filter((event) => !right.includes(event) && !isOpen(event));
  const missed = moments!.filter((moment) => !answer.events.some((event) => isAt(event, moment)));
  return compareTimes({ right, wrong, missed, expected: moments!.length }, answer);
}

type Found = Record<'right' | 'wrong' | 'missed', readonly unknown[]> & Pick<Score, 'expected'>;

function compareTimes({ right, wrong, missed, expected }: Found, { answer, coverage }: JudgedAnswer): Compared {
  const isFew = (part: number, of: number) => (of >= MANY ? part / of <= TOLERATED : part === 0);
  if (!isFew(wrong.length, right.length + wrong.length))
    return { state: 'false', why: `${wrong.length} of ${right.length + wrong.length} events are false` };
  if (isFew(missed.length, expected)) return full;
  if (right.length > 0) return { state: 'part', why: `${missed.length} of ${expected} missed` };
  const isOpen = (answer !== null && UNSURE.test(answer)) || coverage.length === 0;
  return { state: isOpen ? 'open' : 'absent', why: 'nothing found' };
}
