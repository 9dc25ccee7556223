import { type Item, isMark, isStop, sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';
import {
  AUXILIARIES,
  FILLERS,
  headAfter,
  isArticle,
  isEnd,
  isLead,
  isOnly,
  isPassing,
  isPlainNoun,
  isPositional,
  isSideAfter,
  isSubjectAfter,
  isTemporal,
  JOINS,
  LEADING_ONLY,
  type MisplacedRule,
  MODIFIERS,
  PREPOSITIONS,
  REQUESTS,
  SIGNALS,
  TRANSITIVE,
  VERBS,
} from './words.ts';

/** Prepositions, directions and joining words in positions where no construction has them. */

const SOMEBODY = /^(?:(?:any|some|every|no)(?:one|body|thing)|whoever)$/;

const NOT_NOUNS =
  /^(?:every|each|another|we|us|we're|we've|there|here|whoever|(?:any|some|every|no)(?:one|body|thing))$/;

/** "A from dog", "the up vehicle", "the is car", "a someone". */
const afterArticle: MisplacedRule = (items, i) => {
  const item = items[i]!;
  const word = item.text.toLowerCase();
  if (/^(?:every|each|another)$/i.test(items[i - 1]?.text ?? '') && SOMEBODY.test(word)) return true;
  if (!isArticle(items[i - 1])) return false;
  if (/^(?:in|on|of) /.test(word)) return true;
  if (item.text.includes(' ')) return false;
  if (AUXILIARIES.test(word) || NOT_NOUNS.test(word) || /^(?:no|not|never|nor)$/.test(word)) return true;
  if (word === 'mean' && sense(item, 'average')) return true;
  if (/^(?:about|around)$/.test(word)) return !sense(items[i + 1], 'number');
  return isPositional(item) || isOnly(item, JOINS) || isTogether(item);
};

/** "Into for the room": no preposition follows another, except "from behind". */
const doubled: MisplacedRule = (items, i) => {
  const [item, next] = [items[i], items[i + 1]];
  if (!isOnly(item, PREPOSITIONS) || !isPositional(next) || sense(next, 'compare')) return false;
  return sense(item, 'preposition')?.preposition !== 'from' && !sense(next, 'direction');
};

/** "After ever" */
const isAdverb = (item: Item | undefined) =>
  /^(?:ever|very|too|fully|completely|partly|again)$/i.test(item?.text ?? '');

/** "How many cars after per minute", "then after a person": nothing is tied. */
const untied: MisplacedRule = (items, i) => {
  if (!isTemporal(items[i])) return false;
  const [before, next] = [items[i - 1], items[i + 1]];
  if (isEnd(next)) return false;
  // "Since the last", "a traffic light after view"
  if ((sense(next, 'pick') !== null && isEnd(items[i + 2])) || /^(?:view|sight|frame)$/i.test(next!.text)) return true;
  // "After a person gets out 30 seconds later"
  const tie = items.findIndex((each, k) => k > i && (isStop(each) || sense(each, 'join') !== null));
  if (sense(items[tie - 1], 'unit') && /^later$/i.test(items[tie]?.text ?? '')) return i > 0 && !isEnd(before);
  if (i > 0 && items.slice(0, i).every(isLead) && !sense(next, 'number')) return true;
  const join = sense(before, 'join');
  return (
    AUXILIARIES.test(next!.text.toLowerCase()) ||
    // "Times after went over 65 mph": a verb without its subject.
    /^(?:went|came|goes|comes)\b/i.test(next!.text) ||
    isAdverb(next) ||
    next!.senses.some(({ type }) => UNTIED.has(type)) ||
    isOnly(next, PREPOSITIONS) ||
    (join !== null && !isMark(before!) && join.join !== 'and' && join.join !== 'or') ||
    ['negation', 'preposition', 'relation', 'color', 'compare'].some((type) =>
      before?.senses.every((each) => each.type === type),
    )
  );
};

const UNTIED: ReadonlySet<Sense['type']> = new Set(['join', 'per']);

const isTogether = (item: Item | undefined) =>
  sense(item, 'join')?.join === 'both' && sense(item, 'reciprocal') !== null;

/** "A together car", "together it is dark": the word follows what is together. */
const together: MisplacedRule = (items, i) => {
  if (!isTogether(items[i])) return false;
  const [before, next] = [items[i - 1], items[i + 1]];
  const isLast = isEnd(next) || sense(next, 'join') !== null || sense(next, 'preposition') !== null;
  // "From left together to right"
  if (sense(before, 'side') && /^to$/i.test(next?.text ?? '')) return true;
  const follows = before?.senses.some(({ type }) => TIED.has(type)) ?? false;
  return !(isLast || sense(next, 'relation')) || !follows;
};

const TIED: ReadonlySet<Sense['type']> = new Set([
  'noun',
  'action',
  'state',
  'vague',
  'setting',
  'unit',
  'side',
  'beyond',
]);

/** "By is too dark", "toward see anything", "at when": no object follows. */
const withoutObject: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i], items[i + 1]];
  if (!isPositional(item) || sense(item, 'direction') || sense(before, 'action') || !next) return false;
  const word = next.text.toLowerCase();
  if (isOnly(item, PREPOSITIONS) && sense(item, 'preposition')?.preposition !== 'to' && REQUESTS.test(word))
    return true;
  if (/^(?:when|whenever|while|where)$/.test(word)) return true;
  const begins = items.slice(0, i).every((each) => isStop(each) || sense(each, 'join') !== null);
  return begins && (AUXILIARIES.test(word) || (sense(next, 'join') !== null && !isMark(next)));
};

/** "From the left on side of the frame", "between the truck arriving before leaving" */
const withoutArticle: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  // "Passes us out the right"
  if (sense(before, 'camera') && /^out$/i.test(item.text)) return isSideAfter(items, i);
  if (sense(before, 'side') && isOnly(item, PREPOSITIONS) && /^(?:side|edge|border)$/i.test(next?.text ?? ''))
    return !/^of$/i.test(item.text);
  if (!isTemporal(item)) return false;
  const isBetween = items.slice(0, i).some((each) => / between$/i.test(each.text) && sense(each, 'question'));
  return isBetween && !items.some((each) => /^(?:and|to)$/i.test(each.text));
};

/** "Overtaken by for two cars": the phrase before ends with a preposition. */
const afterPhrase: MisplacedRule = (items, i) => {
  const before = items[i - 1];
  if (sense(items[i], 'preposition')?.preposition === 'between') return false;
  return (
    isOnly(items[i], PREPOSITIONS) &&
    sense(before, 'action') !== null &&
    / (?:by|of|to|into|from|with|on)$/i.test(before!.text)
  );
};

/** "From left we've right", "right am left", "right to right": "to", "or" and the like are between two other sides. */
const betweenSides: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  if (!sense(before, 'side') || !sense(next, 'side') || isMark(item)) return false;
  if (/^to$/i.test(item.text) && sense(before, 'side')!.side === sense(next, 'side')!.side) return true;
  if (sense(item, 'action')?.action === 'moves')
    return !/^(?:mov|go|head|travel|walk|driv|rid|run|com|step)/i.test(item.text);
  return !item.senses.some(({ type }) => BETWEEN_SIDES.has(type)) && !isArticle(item);
};

const BETWEEN_SIDES: ReadonlySet<Sense['type']> = new Set([
  ...(['preposition', 'join', 'part', 'side', 'noun', 'setting'] as const),
]);

/** "While 2 minutes later", "with walking a dog", "red around moving". */
const unfitting: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  const isWhile = sense(item, 'join')?.join === 'while' && !isMark(item);
  if (isWhile && sense(next, 'number') && sense(items[i + 2], 'unit') && sense(items[i + 3], 'join')) return true;
  if (
    /^(?:to|with)$/i.test(item.text) &&
    /^(?:not\b|no longer|never|(?:is|are|was|were|does|did|has|had)\b|\w+n't)/i.test(next?.text ?? '')
  )
    return true;
  if (before === undefined && /^with$/i.test(item.text)) return sense(next, 'action') !== null && !sense(next, 'noun');
  const word = item.text.toLowerCase();
  if (/^at (?:about|around)$/.test(word)) return !sense(next, 'number');
  // "Time with a car stops": the noun has a verb.
  if (/ (?:with|of)$/.test(word) && isOnly(item, FILLERS))
    return (
      sense(next, 'negation')?.without === true ||
      /^(?:we|i)$/i.test(next?.text ?? '') ||
      isSubjectAfter(items, i) ||
      [next, items[i + 2]].some((each) => / (?:is|are|was|were)\b/i.test(each?.text ?? '')) ||
      sense(next, 'signal')?.when === true ||
      /^too\b/i.test(next?.text ?? '') ||
      isCameraAfter(items, i) ||
      isSideAfter(items, i) ||
      isOnly(next, PREPOSITIONS) ||
      DARK.test(next?.text ?? '')
    );
  // "To person in a red top", "in vehicle reversing": nothing is there.
  const isFirst = before === undefined || isMark(before) || isOnly(before, JOINS);
  if (isFirst && LEADING_ONLY.test(word)) {
    // "In camera covered"; "in infrared" is a way to record.
    if (isOnly(next, SIGNALS) && !['dark', 'monochrome', undefined].includes(sense(next, 'signal')?.signal))
      return true;
    const end = items.findIndex((each, k) => k > i && (isStop(each) || sense(each, 'join') !== null));
    const rest = items.slice(i + 1, end < 0 ? undefined : end);
    const named = rest.filter((each) => isPlainNoun(each) && !sense(each, 'count'));
    const head = rest.find((each) => !isOnly(each, FILLERS));
    const isCamera = sense(head, 'camera') !== null && rest.some((each) => sense(each, 'signal'));
    return (
      isCamera ||
      (named.length === 1 &&
        head !== undefined &&
        (isPlainNoun(head) || head.senses.some(({ type }) => MODIFIERS.has(type))) &&
        rest.at(-1) !== named[0])
    );
  }
  if (isOnly(item, RELATIONS) && isOnly(next, PREPOSITIONS) && next!.text.toLowerCase() !== 'of') return true;
  // "Color of of the bus", "on on the right"
  if (word === 'of' && /\bof$/i.test(before?.text ?? '')) return true;
  const isPhrase = /^(?:on|in|at|to|of) /i.test(next?.text ?? '') && !sense(next, 'compare');
  if (isOnly(item, PREPOSITIONS) && isPhrase && word !== 'from') return true;
  if (/^with /.test(word) && isOnly(item, FILLERS) && sense(before, 'question')?.question === 'yes_no') return true;
  if (/^(?:when|where)$/.test(word) && i > 1 && AUXILIARIES.test(before?.text.toLowerCase() ?? '')) return true;
  if (word === 'nor') return !items.slice(0, i).some((each) => sense(each, 'negation') ?? sense(each, 'noun')?.negated);
  if (word === 'to' && sense(before, 'noun') && sense(next, 'action') && isCounted(items)) return true;
  // "To came", "to entering"
  const verb = sense(next, 'action');
  if (
    word === 'to' &&
    verb &&
    !isTimeBetween(items) &&
    !sense(next, 'side') &&
    !sense(next, 'noun') &&
    !sense(next, 'state')
  )
    return /(?:ing|ed|seen|came|went|left|drove|rode|ran)$/.test(next!.text.split(' ')[0]!.toLowerCase());
  // "Walks past left"
  if (sense(item, 'side') && isPassing(isArticle(before) ? items[i - 2] : before)) return true;
  // "There blue cars"
  if (word === 'there')
    return ['color', 'pick', 'pronoun'].some((type) => sense(next, type as never) !== null) || isPlainNoun(next);
  // "How long is it us dark"
  if (word === 'us')
    return (
      before === undefined || isOnly(before, NOT_BEFORE_US) || (isOnly(before, PREPOSITIONS) && isSideAfter(items, i))
    );
  // "Too with dark", "with the left"
  if (word === 'with' && DARK.test(next?.text ?? '') && !sense(items[i + 2], 'noun')) return true;
  if (word === 'with')
    return (isOnly(next, SIGNALS) && !sense(items[i + 2], 'noun') && !/[ s]/.test(next!.text)) || isSideAfter(items, i);
  if (/^(?:every|each)$/.test(word) && (isArticle(next) || isOnly(next, JOINS))) return true;
  // "Of the video freezes", "to not touch", "with isn't anybody"
  if (before === undefined && /^(?:of|with) /.test(word)) return true;
  if (word === 'to' && i === 1 && sense(before, 'vague')) return true;
  if (word === 'at' && TRANSITIVE.has(sense(before, 'action')?.action ?? '')) return isPlainNoun(headAfter(items, i));
  // "To longer than 3 minutes", "over over"
  if (word === 'to' && sense(next, 'compare') && !sense(next, 'noun')) return true;
  if (sense(item, 'compare') && before?.text.toLowerCase().split(' ').at(-1) === word) return true;
  if (/ to$/.test(word) && sense(item, 'control') && /ed$/i.test(next?.text ?? '')) return true;
  // "The car in front on stops", "then in appears again"
  if (word === 'on' && isOnly(next, VERBS)) return true;
  if (
    isOnly(item, PREPOSITIONS) &&
    word !== 'to' &&
    isOnly(next, VERBS) &&
    !/(?:ing|ed)$/i.test(next!.text.split(' ')[0]!)
  )
    return true;
  // "After is dark"
  if (sense(item, 'signal')?.when && /^\w+ (?:is|are|was|were|be|do|does|has)\b/.test(word)) return true;
  const isPresence = sense(item, 'action')?.action === 'present' && sense(item, 'relation') !== null;
  return (
    isPresence &&
    sense(before, 'color') !== null &&
    (sense(next, 'state') ?? sense(next, 'action') ?? sense(next, 'question')) !== null
  );
};

/** "Time from entering to leaving" */
const isTimeBetween = (items: readonly Item[]) =>
  items.some((each) => sense(each, 'question')?.question === 'time_between');

const isCounted = (items: readonly Item[]) =>
  items.some((each) => sense(each, 'question')?.question === 'count') && !items.some((each) => sense(each, 'pick'));

const DARK = /^(?:dark|bright|black|blurry|blurred|dim)$/i;

const RELATIONS: ReadonlySet<Sense['type']> = new Set(['relation']);

const NOT_BEFORE_US: ReadonlySet<Sense['type']> = new Set(['pronoun', 'color', 'noun', 'signal']);

/** "Shots with the camera is still" */
function isCameraAfter(items: readonly Item[], i: number): boolean {
  const camera = items.findIndex((each, k) => k > i && sense(each, 'camera') !== null);
  return camera > 0 && camera <= i + 2 && AUXILIARIES.test(items[camera + 1]?.text.toLowerCase() ?? '');
}

export const PARTICLES: readonly MisplacedRule[] = [
  withoutArticle,
  unfitting,
  betweenSides,
  withoutObject,
  afterPhrase,
  afterArticle,
  doubled,
  untied,
  together,
];
