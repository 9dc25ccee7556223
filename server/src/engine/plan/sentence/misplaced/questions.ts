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
  isPlainNoun,
  isPositional,
  isTemporal,
  JOINS,
  type MisplacedRule,
  MODIFIERS,
  PREPOSITIONS,
  QUESTIONS,
  REQUESTED,
  REQUESTS,
} from './words.ts';

/** Words of questions and requests in positions where they ask nothing. */

/** "Does for the person leave", "how many in cars". */
const afterQuestion: MisplacedRule = (items, i) => {
  const item = items[i]!;
  const before = items[i - 1];
  const question = sense(before, 'question')?.question;
  if (!isPositional(item) || sense(item, 'preposition')?.preposition === 'of') return false;
  if (question === undefined || question === 'describe' || question === 'where') return false;
  if (!items.slice(0, i - 1).every((each) => sense(each, 'filler') ?? sense(each, 'question'))) return false;
  const head = headAfter(items, i);
  return sense(head, 'noun') !== null || sense(head, 'camera') !== null || sense(head, 'pronoun') !== null;
};

/** "A person overview without a dog": a request begins its sentence. */
const lateRequest: MisplacedRule = (items, i) => {
  const { senses } = items[i]!;
  if (!senses.every((each) => each.type === 'question' && each.question === 'describe')) return false;
  if (isArticle(items[i - 1]) && sense(items[i + 1], 'noun')) return true;
  if (senses.length === 0) return false;
  // "Tell summarize me what you see"
  if (/^(?:me|us)$/i.test(items[i + 1]?.text ?? '') && isOnly(items[i - 1], FILLERS)) return true;
  // "Left to right vs summarize to left"
  if (i > 0 && isOnly(items[i + 1], PREPOSITIONS) && isOnly(items[i - 1], JOINS)) return true;
  const clause = items.slice(0, i).findLastIndex((each) => isStop(each) || sense(each, 'join') !== null) + 1;
  return !items.slice(clause, i).every((each) => isLead(each) || sense(each, 'question') !== null);
};

/** "What without happens", "there without anybody": the word behind it is no object. */
const withoutWhat: MisplacedRule = (items, i) => {
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
const ofQuestion: MisplacedRule = (items, i) => {
  const question = sense(items[i - 1], 'question')?.question;
  if (/^of$/i.test(items[i]!.text) && /^(?:when|whenever|where)$/i.test(items[i + 1]?.text ?? '')) return true;
  if (i === 0 && /^of$/i.test(items[i]!.text) && /^(?:me|us|you)$/i.test(items[1]?.text ?? '')) return true;
  if (/^of$/i.test(items[i]!.text) && REQUESTS.test(items[i + 1]?.text.toLowerCase() ?? '')) return true;
  return isOnly(items[i], OF) && sense(items[i], 'preposition')?.preposition === 'of' && OPEN.has(question ?? '');
};

const OF: ReadonlySet<Sense['type']> = new Set(['preposition', 'filler']);

const OPEN: ReadonlySet<string> = new Set(['where', 'when', 'yes_no', 'which_way']);

/** "Where finally people stand", "subsequently isn't anybody": nothing is joined to a question word. */
const joinedQuestion: MisplacedRule = (items, i) => {
  if (i === 0 && isOnly(items[0], JOINS) && !isMark(items[0]!)) return BE.test(items[1]?.text ?? '');
  const question = sense(items[i - 1], 'question')?.question;
  const isJoin = isOnly(items[i], JOINS) && !isMark(items[i]!) && !isTemporal(items[i]);
  return isJoin && question !== undefined && question !== 'describe' && question !== 'yes_no';
};

const BE = /^(?:is|are|was|were|isn't|aren't|wasn't|weren't)$/i;

/** "Enters and what's away": a question in place of a verb. */
const questionAsVerb: MisplacedRule = (items, i) => {
  if (!/^what(?:'s|s| is| are| was| were| do| does| did)$/i.test(items[i]!.text)) return false;
  const next = items[i + 1];
  const isPath = sense(next, 'direction') ?? sense(next, 'preposition') ?? sense(next, 'side');
  return i > 0 && sense(items[i - 1], 'join') !== null && isPath !== null;
};

/** "Does a person look left", "people list": a word of requests in place of a verb. */
const requestAsVerb: MisplacedRule = (items, i) => {
  if (!isOnly(items[i], FILLERS) || !REQUESTED.test(items[i]!.text)) return false;
  const before = items.slice(0, i).findLast((each) => !isOnly(each, FILLERS) || /^(?:i|you|u|to)$/i.test(each.text));
  return isPlainNoun(before) || /^(?:he|she|they)$/i.test(before?.text ?? '');
};

/** "Tell me about you see": a noun or a question follows. */
const aboutClause: MisplacedRule = (items, i) =>
  /^about$/i.test(items[i]!.text) &&
  /^(?:you|we|i|they|he|she|it)$/i.test(items[i + 1]?.text ?? '') &&
  !isEnd(items[i + 2]);

/** "Who is of the video": nothing that is a part of it. */
const ofVideo: MisplacedRule = (items, i) =>
  /^of /i.test(items[i]!.text) &&
  isOnly(items[i], FILLERS) &&
  (items[i - 1] === undefined ||
    AUXILIARIES.test(items[i - 1]!.text.toLowerCase().split(' ').at(-1)!) ||
    /^(?:summari[sz]e|describe|narrate)$/i.test(items[i - 1]!.text));

/** "Who truck stops", "tell me whats you see", "summarize = 50": a clause, or nothing, follows a question word. */
const questionWord: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  const word = item.text.toLowerCase();
  if (word === 'whoever') return isArticle(next) || isPlainNoun(next) || sense(next, 'camera') !== null;
  // "Who car", "who white truck"
  if (word === 'who' && (isPlainNoun(next) || sense(next, 'color') !== null)) return true;
  // "A backpack and whos a suitcase"
  if (/^(?:whos|who is)$/.test(word))
    return (
      (i > 0 && (isArticle(next) || isFinitePredicate(next))) || (word === 'who is' && /^it$/i.test(next?.text ?? ''))
    );
  // "Mean how many people": only "on average" asks for one.
  if (word === 'mean') return sense(next, 'question') !== null;
  // "The when car stops", "overview is quiet"
  if (/^when(?:ever)?$/.test(word) && isArticle(before)) return true;
  if (/^(?:overview|summary|highlights|describe|summari[sz]e|narrate)$/.test(word))
    return AUXILIARIES.test(next?.text.toLowerCase() ?? '');
  // "After who the truck"
  if (word === 'who' && i > 0 && isArticle(next)) return true;
  if (word === 'who' && next && (sense(next, 'number') ?? sense(next, 'compare')) !== null) return true;
  // "Count highlights", "how long still people stay"
  if (
    COUNTING.has(sense(before, 'question')?.question ?? '') &&
    isOnly(item, QUESTIONS) &&
    sense(item, 'question')?.question === 'describe'
  )
    return true;
  if (sense(before, 'question')?.question === 'how_long' && sense(item, 'state')?.yet && sense(next, 'noun'))
    return true;
  if (/^whats?$/.test(word.replace("'", '')) && /^(?:you|u|we|i)$/i.test(next?.text ?? '')) return word !== 'what';
  const isAfterRequest = before !== undefined && isOnly(before, FILLERS) && REQUESTED.test(before.text.split(' ')[0]!);
  if (/^what'?s$/.test(word) && isArticle(next)) return isAfterRequest && isPlainNoun(headAfter(items, i + 1));
  return (
    sense(item, 'question')?.question === 'describe' &&
    next !== undefined &&
    isMark(next) &&
    sense(next, 'compare') !== null
  );
};

/** "Shakes", "stops" */
const isFinitePredicate = (item: Item | undefined) =>
  isOnly(item, PREDICATES) && /[^s]s$/i.test(item!.text.split(' ')[0]!) && !AUXILIARIES.test(item!.text.toLowerCase());

const PREDICATES: ReadonlySet<Sense['type']> = new Set(['signal', 'action', 'camera_move']);

const COUNTING: ReadonlySet<string> = new Set(['count', 'how_often', 'how_long', 'which_color', 'time_between']);

/** "Can't people", "neither people": an auxiliary has its verb, and "neither" is one of two. */
const withoutVerb: MisplacedRule = (items, i) => {
  const [item, next] = [items[i]!, items[i + 1]];
  if (!/^(?:can't|cannot|won't|haven't|hasn't|neither)$/i.test(item.text) || !sense(item, 'negation')) return false;
  const noun = isPlainNoun(next) ? sense(next, 'noun') : null;
  if (!noun || (i > 0 && !items.slice(0, i).every((each) => isOnly(each, FILLERS)))) return false;
  const rest = items.slice(i + 2);
  return /^neither$/i.test(item.text)
    ? noun.plural === true && !rest.some((each) => /^(?:n?or|,)$/i.test(each.text))
    : !rest.some((each) => sense(each, 'action'));
};

export const QUESTION_WORDS: readonly MisplacedRule[] = [
  questionWord,
  withoutVerb,
  aboutClause,
  ofVideo,
  requestAsVerb,
  joinedQuestion,
  questionAsVerb,
  ofQuestion,
  withoutWhat,
  lateRequest,
  afterQuestion,
];
