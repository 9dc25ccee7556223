import { type Item, isMark, isStop, sense } from '../tokens/lexer.ts';
import type { Sense } from '../tokens/senses.ts';

/** Prepositions, directions and joining words in positions where no construction has them. */

const MISPLACED = 'this word does not fit into the rest; without it the rest would answer another question';

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

/** "A from dog", "the up vehicle". */
const afterArticle: Rule = (items, i) => {
  const item = items[i]!;
  if (!isArticle(items[i - 1]) || item.text.includes(' ')) return false;
  return isPositional(item) || isTemporal(item) || isTogether(item);
};

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

const RULES: readonly Rule[] = [
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
