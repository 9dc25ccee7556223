import { type Item, isMark, isStop, sense } from '../tokens/lexer.ts';
import type { Sense } from '../tokens/senses.ts';

/** Prepositions, directions and joining words in positions where no construction has them. */

/** Reason of the items that block their part because no construction has them. */
export const MISPLACED = 'this word does not fit into the rest; without it the rest would answer another question';

/** Makes every misplaced word one that blocks its part. */
export const blockMisplaced = (items: readonly Item[]): Item[] =>
  items.map((item, i) =>
    RULES.some((rule) => rule(items, i)) ? { ...item, senses: [{ type: 'beyond', reason: MISPLACED }] } : item,
  );

type Rule = (items: readonly Item[], i: number) => boolean;

const isOnly = (item: Item | undefined, types: ReadonlySet<Sense['type']>) =>
  item !== undefined && item.senses.length > 0 && item.senses.every(({ type }) => types.has(type));
const POSITIONAL: ReadonlySet<Sense['type']> = new Set(['preposition', 'direction', 'relation', 'compare', 'action']);
/** A preposition, relation or direction, and nothing else: "from", "near", "away". */
const isPositional = (item: Item | undefined) =>
  isOnly(item, POSITIONAL) &&
  (sense(item, 'preposition') !== null || sense(item, 'direction') !== null || sense(item, 'relation') !== null);
const isArticle = (item: Item | undefined) =>
  sense(item, 'filler')?.light === true && Boolean(sense(item, 'filler')?.article);
const isEnd = (item: Item | undefined) => item === undefined || isStop(item);
const headAfter = (items: readonly Item[], i: number) =>
  items.slice(i + 1).find(({ senses }) => !senses.some(({ type }) => MODIFIERS.has(type)));
const MODIFIERS: ReadonlySet<Sense['type']> = new Set([
  'filler',
  'color',
  'count',
  'number',
  'state',
  'vague',
  'compare',
]);

const SOMEBODY = /^(?:(?:any|some|every|no)(?:one|body|thing)|whoever)$/;
const NOT_NOUNS =
  /^(?:every|each|another|we|us|we're|we've|there|here|whoever|(?:any|some|every|no)(?:one|body|thing))$/;
const FILLERS: ReadonlySet<Sense['type']> = new Set(['filler']);

/** "A from dog", "the up vehicle", "the is car", "a someone". */
const afterArticle: Rule = (items, i) => {
  const item = items[i]!;
  const word = item.text.toLowerCase();
  if (/^(?:every|each|another)$/i.test(items[i - 1]?.text ?? '') && SOMEBODY.test(word)) return true;
  if (!isArticle(items[i - 1])) return false;
  if (/^(?:in|on|of) /.test(word)) return true;
  if (item.text.includes(' ')) return false;
  if (AUXILIARIES.test(word) || NOT_NOUNS.test(word)) return true;
  if (/^(?:about|around)$/.test(word)) return !sense(items[i + 1], 'number');
  return isPositional(item) || isOnly(item, JOINS) || isTogether(item);
};

const JOINS: ReadonlySet<Sense['type']> = new Set(['join']);

/** "Into for the room": no preposition follows another, except "from behind". */
const doubled: Rule = (items, i) => {
  const [item, next] = [items[i], items[i + 1]];
  if (!isOnly(item, PREPOSITIONS) || !isPositional(next) || sense(next, 'compare')) return false;
  return sense(item, 'preposition')?.preposition !== 'from' && !sense(next, 'direction');
};
const PREPOSITIONS: ReadonlySet<Sense['type']> = new Set(['preposition']);

/** "Does for the person leave", "how many in cars". */
const afterQuestion: Rule = (items, i) => {
  const item = items[i]!;
  const before = items[i - 1];
  const question = sense(before, 'question')?.question;
  if (!isPositional(item) || sense(item, 'preposition')?.preposition === 'of') return false;
  if (question === undefined || question === 'describe' || question === 'where') return false;
  if (!items.slice(0, i - 1).every((each) => sense(each, 'filler') ?? sense(each, 'question'))) return false;
  const head = headAfter(items, i);
  return sense(head, 'noun') !== null || sense(head, 'camera') !== null || sense(head, 'pronoun') !== null;
};

const TEMPORAL: ReadonlySet<string> = new Set(['after', 'before']);
const isTemporal = (item: Item | undefined) =>
  item?.senses.length === 1 && TEMPORAL.has(sense(item, 'join')?.join ?? '');

/** "How many cars after per minute", "then after a person": nothing is tied. */
const untied: Rule = (items, i) => {
  if (!isTemporal(items[i])) return false;
  const [before, next] = [items[i - 1], items[i + 1]];
  if (isEnd(next)) return false;
  if (i > 0 && items.slice(0, i).every(isLead) && !sense(next, 'number')) return true;
  const join = sense(before, 'join');
  return (
    AUXILIARIES.test(next!.text.toLowerCase()) ||
    next!.senses.some(({ type }) => UNTIED.has(type)) ||
    isOnly(next, PREPOSITIONS) ||
    (join !== null && !isMark(before!) && join.join !== 'and' && join.join !== 'or') ||
    ['negation', 'preposition', 'relation', 'color', 'compare'].some((type) =>
      before?.senses.every((each) => each.type === type),
    )
  );
};
const UNTIED: ReadonlySet<Sense['type']> = new Set(['join', 'per']);
/** "Clips", "it", "does", "give". */
const isLead = (item: Item) =>
  item.senses.every(
    (each) =>
      each.type === 'filler' ||
      (each.type === 'beyond' && sense(item, 'filler') !== null) ||
      each.type === 'pronoun' ||
      (each.type === 'question' && LEADING.has(each.question)),
  );
const LEADING: ReadonlySet<string> = new Set(['yes_no', 'where', 'when', 'count']);

const isTogether = (item: Item | undefined) =>
  sense(item, 'join')?.join === 'both' && sense(item, 'reciprocal') !== null;
/** "A together car", "together it is dark": the word follows what is together. */
const together: Rule = (items, i) => {
  if (!isTogether(items[i])) return false;
  const [before, next] = [items[i - 1], items[i + 1]];
  const isLast = isEnd(next) || sense(next, 'join') !== null || sense(next, 'preposition') !== null;
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

/** "More than minutes 5 minutes": the unit follows its number. */
const unitFirst: Rule = (items, i) =>
  sense(items[i], 'unit')?.dimension === 'time' &&
  !sense(items[i], 'unit')!.counted &&
  sense(items[i + 1], 'number') !== null &&
  (sense(items[i - 1], 'compare') ?? sense(items[i - 1], 'preposition')) !== null;

/** "A person overview without a dog": a request begins its sentence. */
const lateRequest: Rule = (items, i) => {
  if (!items[i]!.senses.every((each) => each.type === 'question' && each.question === 'describe')) return false;
  if (isArticle(items[i - 1]) && sense(items[i + 1], 'noun')) return true;
  const clause = items.slice(0, i).findLastIndex((each) => isStop(each) || sense(each, 'join') !== null) + 1;
  return (
    items[i]!.senses.length > 0 &&
    !items.slice(clause, i).every((each) => isLead(each) || sense(each, 'question') !== null)
  );
};

/** "By is too dark", "toward see anything", "at when": no object follows. */
const withoutObject: Rule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i], items[i + 1]];
  if (!isPositional(item) || sense(item, 'direction') || sense(before, 'action') || !next) return false;
  const word = next.text.toLowerCase();
  if (isOnly(item, PREPOSITIONS) && sense(item, 'preposition')?.preposition !== 'to' && REQUESTS.test(word))
    return true;
  if (/^(?:when|whenever|while|where)$/.test(word)) return true;
  const begins = items.slice(0, i).every((each) => isStop(each) || sense(each, 'join') !== null);
  return begins && (AUXILIARIES.test(word) || (sense(next, 'join') !== null && !isMark(next)));
};
const REQUESTS = /^(?:see|find|show|look|tell|give|let|know|want|need|like|watch|please|went|came|goes|comes|me)\b/;
const AUXILIARIES = /^(?:is|are|was|were|be|does|do|did|has|have|had)\b/;

/** "Overtaken by for two cars": the phrase before ends with a preposition. */
const afterPhrase: Rule = (items, i) => {
  const before = items[i - 1];
  if (sense(items[i], 'preposition')?.preposition === 'between') return false;
  return (
    isOnly(items[i], PREPOSITIONS) &&
    sense(before, 'action') !== null &&
    / (?:by|of|to|into|from|with|on)$/i.test(before!.text)
  );
};

/** "What without happens", "there without anybody": the word behind it is no object. */
const withoutWhat: Rule = (items, i) => {
  const item = items[i]!;
  if (!sense(item, 'negation')?.without) return false;
  if (/^(?:there|nor|neither|not|never|is|are|was|were)$/i.test(items[i - 1]?.text ?? '')) return true;
  const head = items
    .slice(i + 1)
    .find((each) => sense(each, 'noun') !== null || !each.senses.some(({ type }) => MODIFIERS.has(type)));
  if (sense(head, 'action') && !/ing$/i.test(head!.text) && !sense(head, 'noun')) return true;
  if (/^(?:me|us|you)$/i.test(items[i + 1]?.text ?? '')) return true;
  return head === undefined || isMark(head) || head.senses.some(({ type }) => NOT_WITHOUT.has(type));
};
const NOT_WITHOUT: ReadonlySet<Sense['type']> = new Set([
  'question',
  'window',
  'join',
  'preposition',
  'unit',
  'relation',
]);

/** "Where of the suitcase left" */
const ofQuestion: Rule = (items, i) => {
  const question = sense(items[i - 1], 'question')?.question;
  if (i === 0 && /^of$/i.test(items[i]!.text) && /^(?:me|us|you)$/i.test(items[1]?.text ?? '')) return true;
  if (/^of$/i.test(items[i]!.text) && REQUESTS.test(items[i + 1]?.text.toLowerCase() ?? '')) return true;
  return isOnly(items[i], OF) && sense(items[i], 'preposition')?.preposition === 'of' && OPEN.has(question ?? '');
};
const OF: ReadonlySet<Sense['type']> = new Set(['preposition', 'filler']);
const OPEN: ReadonlySet<string> = new Set(['where', 'when', 'yes_no', 'which_way']);

/** "From left we've right", "right am left": only "to", "or" and the like are between two sides. */
const betweenSides: Rule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  if (!sense(before, 'side') || !sense(next, 'side') || isMark(item)) return false;
  if (sense(item, 'action')?.action === 'moves') return false;
  return !item.senses.some(({ type }) => BETWEEN_SIDES.has(type)) && !isArticle(item);
};
const BETWEEN_SIDES: ReadonlySet<Sense['type']> = new Set([
  ...(['preposition', 'join', 'part', 'side', 'noun', 'setting'] as const),
]);

/** "Where finally people stand": nothing is joined to a question word. */
const joinedQuestion: Rule = (items, i) => {
  const question = sense(items[i - 1], 'question')?.question;
  const isJoin = isOnly(items[i], JOINS) && !isMark(items[i]!) && !isTemporal(items[i]);
  return isJoin && question !== undefined && question !== 'describe' && question !== 'yes_no';
};

/** "Enters and what's away": a question in place of a verb. */
const questionAsVerb: Rule = (items, i) => {
  if (!/^what(?:'s|s| is| are| was| were| do| does| did)$/i.test(items[i]!.text)) return false;
  const next = items[i + 1];
  const isPath = sense(next, 'direction') ?? sense(next, 'preposition') ?? sense(next, 'side');
  return i > 0 && sense(items[i - 1], 'join') !== null && isPath !== null;
};

/** "While 2 minutes later", "with walking a dog", "red around moving". */
const unfitting: Rule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  const isWhile = sense(item, 'join')?.join === 'while' && !isMark(item);
  if (isWhile && sense(next, 'number') && sense(items[i + 2], 'unit') && sense(items[i + 3], 'join')) return true;
  if (/^(?:to|with)$/i.test(item.text) && /^(?:not\b|no longer|never|is|are|\w+n't)/i.test(next?.text ?? ''))
    return true;
  if (before === undefined && /^with$/i.test(item.text)) return sense(next, 'action') !== null && !sense(next, 'noun');
  const word = item.text.toLowerCase();
  if (/^at (?:about|around)$/.test(word)) return !sense(next, 'number');
  // "Time with a car stops": the noun has a verb.
  if (/ with$/.test(word) && isOnly(item, FILLERS))
    return isSubjectAfter(items, i) || isSideAfter(items, i) || DARK.test(next?.text ?? '');
  // "To person in a red top", "in vehicle reversing": nothing is there.
  const isFirst = before === undefined || isMark(before) || isOnly(before, JOINS);
  if (isFirst && LEADING_ONLY.test(word)) {
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
  if (word === 'to' && verb && !sense(next, 'side') && !sense(next, 'noun') && !sense(next, 'state'))
    return /(?:ing|ed|came|went|left|drove|rode|ran)$/.test(next!.text.split(' ')[0]!.toLowerCase());
  // "Walks past left"
  if (sense(item, 'side') && / (?:past|by)$/i.test(before?.text ?? '') && sense(before, 'action')) return true;
  // "There blue cars"
  if (word === 'there')
    return sense(next, 'color') !== null || sense(next, 'pick') !== null || (before !== undefined && isPlainNoun(next));
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
  // "The car in front on stops"
  if (word === 'on' && isOnly(next, VERBS)) return true;
  const isPresence = sense(item, 'action')?.action === 'present' && sense(item, 'relation') !== null;
  return (
    isPresence &&
    sense(before, 'color') !== null &&
    (sense(next, 'state') ?? sense(next, 'action') ?? sense(next, 'question')) !== null
  );
};

const LEADING_ONLY = /^(?:in|on|at|to|into|of|out)$/;
const TRANSITIVE: ReadonlySet<string> = new Set(['follows', 'overtakes', 'approaches', 'close_ahead']);
const isCounted = (items: readonly Item[]) =>
  items.some((each) => sense(each, 'question')?.question === 'count') && !items.some((each) => sense(each, 'pick'));
const DARK = /^(?:dark|bright|black|blurry|blurred|dim)$/i;
const SIGNALS: ReadonlySet<Sense['type']> = new Set(['signal', 'color', 'vague']);
const VERBS: ReadonlySet<Sense['type']> = new Set(['action', 'camera_move']);
const isSideAfter = (items: readonly Item[], i: number) =>
  sense(
    items.slice(i + 1).find((each) => !isArticle(each)),
    'side',
  ) !== null;
const RELATIONS: ReadonlySet<Sense['type']> = new Set(['relation']);
const NOT_BEFORE_US: ReadonlySet<Sense['type']> = new Set(['pronoun', 'color', 'noun', 'signal']);
const isPlainNoun = (item: Item | undefined) => sense(item, 'noun') !== null && !sense(item, 'filler');
/** The next noun is followed by a finite verb. */
function isSubjectAfter(items: readonly Item[], i: number): boolean {
  const noun = items.findIndex((each, k) => k > i && sense(each, 'noun') !== null);
  const verb = items[noun + 1];
  return noun > 0 && sense(verb, 'action') !== null && /[^s]s$/i.test(verb!.text.split(' ')[0]!);
}

/** "Does a person look left", "people list": a word of requests in place of a verb. */
const requestAsVerb: Rule = (items, i) => {
  if (!isOnly(items[i], FILLERS) || !REQUESTED.test(items[i]!.text)) return false;
  const before = items.slice(0, i).findLast((each) => !isOnly(each, FILLERS) || /^(?:i|you|u|to)$/i.test(each.text));
  return isPlainNoun(before) || /^(?:he|she|they)$/i.test(before?.text ?? '');
};
const REQUESTED =
  /^(?:find|look|search|check|give|list|show|see|tell|fetch|extract|retrieve|identify|locate|observe|mark|highlight|help|like|need|want|let|know|watch|monitor|report|point)$/i;

const RULES: readonly Rule[] = [
  requestAsVerb,
  unfitting,
  betweenSides,
  joinedQuestion,
  questionAsVerb,
  ofQuestion,
  withoutObject,
  afterPhrase,
  withoutWhat,
  unitFirst,
  lateRequest,
  afterArticle,
  doubled,
  afterQuestion,
  untied,
  together,
];
