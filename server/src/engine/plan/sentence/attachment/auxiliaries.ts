import { actions } from '../../english/actions.ts';
import { cameraMoves } from '../../english/camera.ts';
import { type Item, sense } from '../../tokens/lexer.ts';
import type { Sense, SenseOf } from '../../tokens/senses.ts';
import { isOurManeuver } from '../colloquial/index.ts';
import { isA, isArticle, isEnd, isPicture, type Place, wordOf } from './place.ts';

/** Constructions that require an auxiliary or question word which adds nothing to a plan. */

const isAdverb = (item: Item) =>
  !isArticle(item) && (isA(item, 'vague', 'negation') || (isA(item, 'filler') && !isA(item, 'question', 'noun')));

const SUBJECTS = [
  ...(['noun', 'pronoun', 'setting', 'camera', 'sound', 'motion', 'quantity', 'garment', 'number', 'beyond'] as const),
] as const;
const PREDICATES = [
  ...([
    'action',
    'state',
    'color',
    'signal',
    'sound',
    'relation',
    'preposition',
    'side',
    'empty',
    'camera_move',
  ] as const),
  ...([
    'negation',
    'throughout',
    'setting',
    'compare',
    'count',
    'number',
    'motion',
    'noun',
    'beyond',
    'vague',
  ] as const),
] as const;
/** Base forms of verbs: "stop", not "stops" or "stopped". */
const BASE = new Set(
  [...actions, ...cameraMoves].flatMap(({ phrases, inflection }) =>
    inflection === 'verb' ? phrases.split(',').map((phrase) => phrase.trim().split(' ')[0]!) : [],
  ),
);
const BE = /^(?:is|are|was|were|am|isn't|aren't|wasn't|weren't)$/;
const DO = /^(?:does|do|did|doesn't|don't|didn't)$/;
const HAVE = /^(?:has|have|had|hasn't|haven't|hadn't)$/;

/** The form of the verb fits its auxiliary: "is walking", "does walk", "has walked". */
function fits(auxiliary: string, verb: Item): boolean {
  if (!isA(verb, 'action', 'camera_move')) return !DO.test(auxiliary) || isA(verb, 'signal', 'quantity', 'state');
  const [first = ''] = wordOf(verb).split(' ');
  const isThirdPerson = /(?:[^s]s|goes|does|passes|crosses)$/.test(first) && !isA(verb, 'state');
  // "Is idle": also an adjective.
  if (BE.test(auxiliary))
    return (
      !isThirdPerson &&
      (!BASE.has(first) || first === 'idle' || verb.senses.some((each) => each.type === 'action' && each.passive))
    );
  if (DO.test(auxiliary)) return !isThirdPerson && !/(?:ing|ed)$/.test(first);
  return !isThirdPerson && !/ing$/.test(first);
}

/** "Is" of "a car is parked", "when is it dark", "are there people", "how many cars were red". */
function isAuxiliary({ items, i, item, before, next }: Place): boolean {
  const word = wordOf(item);
  if (isOurManeuver(items, i)) return true;
  if (isEnd(next)) return isRelative(items, i);
  // "Was make"
  if (BE.test(word) && /^(?:make|begin|happen|become|goes|begins|gets|get|becomes|makes|happens)$/.test(wordOf(next)))
    return false;
  const rest = items.slice(i + 1);
  const hasQuestion = items.slice(0, i).some((each) => isA(each, 'question'));
  const isInverted = DO.test(word) && hasQuestion && isA(before, 'action', 'camera_move', 'signal');
  const isAsking = isEnd(before) || items.slice(0, i).every(isLead) || isInverted || isQuestionBefore(items, i);
  const hasSubject =
    isA(before, ...SUBJECTS) || isRelativeWord(before) || /^there$/.test(wordOf(before)) || isPicture(before);
  // "When is the first time a car stops"
  const [picked, occasion] = rest.filter((each) => !isArticle(each));
  if (isAsking && BE.test(word) && isA(picked, 'pick') && isPicture(occasion)) return true;
  const head = headOf(rest, isAsking);
  if (head === undefined || isEnd(head))
    return isPicture(next) || wordOf(next) === 'there' || (hasSubject && isA(next, 'vague'));
  if (isAsking && sense(head, 'question')?.question === 'describe') return /^(?:any|some)/.test(wordOf(head));
  // The subject follows: "does the car stop", "is anyone there".
  if (isAsking && isA(head, ...SUBJECTS) && !isA(head, 'action')) {
    const at = items.indexOf(head);
    const predicate = items.slice(at + 1).find((each) => !isAdverb(each) && !isArticle(each));
    const isOpen = isEnd(predicate) || predicate === undefined;
    if (isOpen)
      return (
        rest.some((each) => /^(?:there|here)$/.test(wordOf(each)) || isPicture(each)) ||
        (BE.test(word) && wordOf(before) === 'there') ||
        (BE.test(word) && !isCounted(before) && isQuestionBefore(items, i)) ||
        (isA(head, 'sound') && saysItsVerb(word, wordOf(head)))
      );
    return (
      isA(predicate, ...PREDICATES, 'part', 'join', 'identity', 'camera', 'window', 'unit', 'pick') &&
      (!isA(predicate, 'action', 'camera_move') || fits(word, predicate))
    );
  }
  if (isAsking && !hasSubject && /n't$/.test(word)) return false;
  const isBare =
    !hasSubject && !rest.some((each) => isA(each, ...SUBJECTS, 'action', 'signal', 'camera_move', 'state'));
  if (isBare && isA(head, 'relation', 'preposition')) return false;
  const isSecond = isA(before, 'join')
    ? !isA(head, 'noun') && items.slice(0, i).some((each) => isA(each, ...SUBJECTS, 'signal') && !isA(each, 'color'))
    : isA(before, 'side', 'color') && isQuestionBefore(items, i);
  if (hasSubject && wordOf(head) === 'followed by') return true;
  return (hasSubject || isAsking || isSecond) && isA(head, ...PREDICATES, 'window') && fits(word, head);
}
/** "Is a dog barking", "does a dog bark": the name of the sound contains its verb. */
function saysItsVerb(auxiliary: string, sound: string): boolean {
  if (!sound.includes(' ')) return false;
  return BE.test(auxiliary) ? /ing(?: off)?$/.test(sound) : DO.test(auxiliary) && !/(?:ing|ed|[^s]s)$/.test(sound);
}

/** The word behind an auxiliary that its form depends on: the subject of a question, or the predicate. */
function headOf(rest: readonly Item[], isAsking: boolean): Item | undefined {
  const head = rest.find((each) => !isAdverb(each) && !isArticle(each));
  const subject = rest.findIndex(
    (each) => (!isA(each, ...MODIFIERS) && !ORDINAL.test(wordOf(each))) || isA(each, 'noun'),
  );
  return isAsking && isA(rest[subject], 'noun', 'sound') ? rest[subject] : head;
}
const ORDINAL = /^(?:second|third|fourth|fifth)$/;
const MODIFIERS = [
  'filler',
  'vague',
  'pick',
  'color',
  'number',
  'count',
  'identity',
  'garment',
  'window',
  'state',
] as const;
/** "How many": what is counted follows at once. */
const isCounted = (item: Item | undefined) => sense(item, 'question')?.question === 'count';
export const isRelativeWord = (item: Item | undefined) => /^(?:who|that|which)$/.test(wordOf(item));
/** "Where nobody is" */
const isRelative = (items: readonly Item[], i: number) =>
  isA(items[i - 1], 'noun') && items.slice(0, i).some((each) => isA(each, 'question'));
export const isLead = (item: Item) =>
  item.text === ',' ||
  isEnd(item) ||
  isA(item, 'average') ||
  sense(item, 'signal')?.leads === true ||
  isA(item, 'filler', 'question');
/** A question word precedes, with at most the noun that it asks about. */
function isQuestionBefore(items: readonly Item[], i: number): boolean {
  const at = items
    .slice(0, i)
    .findLastIndex(
      (each) => isA(each, 'question') && !BE.test(wordOf(each)) && !DO.test(wordOf(each)) && !HAVE.test(wordOf(each)),
    );
  return at >= 0 && items.slice(at + 1, i).every((each) => isArticle(each) || isA(each, ...NOMINAL));
}
const NOMINAL: readonly Sense['type'][] = [
  'filler',
  'noun',
  'color',
  'vague',
  'state',
  'sound',
  'signal',
  'count',
  'number',
  'setting',
  'pick',
  'identity',
  'preposition',
  'join',
  'motion',
];

const REQUEST = /^(?:describe|summari[sz]e)$/;
const isVerb = (item: Item) => isA(item, 'action', 'signal', 'motion', 'sound', 'camera_move');
const NAMED = [
  ...(['noun', 'signal', 'action', 'camera', 'camera_move', 'color', 'motion', 'sound', 'quantity', 'state'] as const),
] as const;
export function isQuestion(place: Place, { question }: SenseOf<'question'>): boolean {
  const { items, i, item, before, next } = place;
  const word = wordOf(item);
  const rest = items.slice(i + 1);
  const isFirst = items.slice(0, i).every(isLead);
  if (BE.test(word) || DO.test(word) || HAVE.test(word)) return isAuxiliary(place);
  if (question === 'describe') {
    const earlier = items.slice(0, i).findLast((each) => sense(each, 'question')?.question === 'describe');
    if (earlier && !(earlier === before && REQUEST.test(wordOf(earlier)))) return false;
    if (/^what/.test(word) && isArticle(next)) return isFirst;
    return isFirst && !rest.some((each) => isA(each, ...NAMED) && !isA(each, 'filler'));
  }
  // "Nobody is there"
  const isThere = /^(?:is|are|was|were) there$/.test(word) && isA(before, ...SUBJECTS);
  if (isThere && (isEnd(next) || isA(next, 'preposition', 'relation', 'join', 'setting'))) return true;
  // "Is it broken or is there no sound"
  const isRepeated = isA(before, 'join') && items.slice(0, i).some((each) => isA(each, 'question'));
  if (question === 'yes_no')
    return (
      !isPicture(before) &&
      (isFirst || isRepeated || isQuestionBefore(items, i)) &&
      (rest.some((each) => isA(each, ...NAMED)) || isQuestionBefore(items, i))
    );
  // "Where a car stops"
  if (question === 'where' && word === 'where' && (before === undefined || isPicture(before)))
    return (
      !isA(next, 'side', 'preposition', 'camera_move') &&
      rest.some((each) => isVerb(each) || (before !== undefined && isA(each, 'relation', 'state')))
    );
  if (question === 'where' || question === 'when')
    return /^whe(?:re|n)$/.test(word) && isA(before, 'motion') && isA(next, 'noun');
  // "People count"
  if (question === 'count' && /^counts?$/.test(word) && isA(before, 'noun')) return isEnd(next) || isA(next, 'per');
  if (question === 'count')
    return (isFirst && rest.some((each) => isA(each, 'per') || isA(each, 'question'))) || isA(before, 'join');
  return question === 'time_between' && (isFirst || isA(before, 'pick')) && rest.some((each) => isA(each, 'noun'));
}
