import { isPortable } from '../clause/classes.ts';
import { REASONS } from '../reasons.ts';
import { type Item, isStop, isUnknown, sense } from '../tokens/lexer.ts';
import { CONSTRUCTIONS } from './constructions.ts';
import { dangling } from './dangling.ts';
import {
  block,
  endOfClause,
  hasNounBefore,
  isAuxiliary,
  isEnd,
  isFiller,
  isVerb,
  only,
  type Replacement,
  type Rule,
  startOfClause,
} from './rule.ts';

/** Word senses that only a construction decides. Items whose construction is not supported become blocking ones. */

const REMAINING = '"left" is ambiguous here; write "leaves", "left behind" or "on the left"';
const CORRECT = '"right" is ambiguous here; write "on the right"';
const COMPLEMENT = 'intentions and attempts cannot be detected, only what happens';
const WAITING = REASONS.purpose;
const IDENTITY = 'whether it is the same one, or a certain one, is not recognized';
const ORDINAL = 'only the first and the last can be selected';
const DESCRIPTION = 'what somebody does, holds or wears is described by no observer here';
const LENGTH = 'how long an object is, is not measured; for a time, write "how long is it there"';
const COMPOUND = 'this was read as the name of something else, which no observer here knows';
const OUT_OF = 'running out of something cannot be detected';
const COLLISION = 'only collisions with vehicles, people and animals are looked for; "bang" finds candidates';

/** Applies the first rule that matches at each position. */
export function disambiguate(items: readonly Item[], query: string): Item[] {
  const read: Item[] = [];
  for (let i = 0; i < items.length; ) {
    const found = replacementAt(items, i, query);
    read.push(...(found?.items ?? [items[i]!]));
    i += found?.length ?? 1;
  }
  return read;
}

function replacementAt(items: readonly Item[], i: number, query: string): Replacement | null {
  for (const rule of RULES) {
    const replacement = rule(items, i, query);
    if (replacement !== null) return replacement;
  }
  return null;
}

/** "Left": departed after "has", remaining after "are", left behind in "was left on the table". */
const left: Rule = (items, i, query) => {
  const item = items[i]!;
  const action = sense(item, 'action');
  if (!sense(item, 'side') || action?.action !== 'leaves') return null;
  const clause = items.slice(startOfClause(items, i), i);
  const noun = clause.findLast((each) => sense(each, 'noun'));
  const nounSense = noun ? sense(noun, 'noun')! : null;
  const before = items[i - 1];
  const next = items[i + 1];
  const auxiliary = clause.findLast((each) => sense(each, 'filler')?.light && !sense(each, 'filler')?.article);
  const isPerfect = sense(auxiliary, 'filler')?.owns && clause.slice(clause.indexOf(auxiliary!) + 1).every(isFiller);
  if (isPerfect && nounSense) return only(item, action);
  const isQuestion = before === noun && /^(is|are|was|were)$/i.test(clause[0]?.text ?? '');
  const isPassive = (isAuxiliary(before) || isQuestion) && nounSense !== null;
  const preposition = sense(next, 'preposition')?.preposition ?? sense(next, 'relation')?.relation ?? null;
  if (isPassive && preposition !== null && LOCATIVE.has(preposition)) {
    const isQuestion = items.some((each) => sense(each, 'question')?.question === 'count');
    const mayLie = isPortable({ classes: [...nounSense.classes] } as never) && !isQuestion;
    return mayLie ? only(item, { type: 'action', action: 'left_behind' }) : block(items, i, 1, query, REMAINING);
  }
  if (isPassive && isEnd(next)) return block(items, i, 1, query, REMAINING);
  if (!isEnd(next) || before !== noun || nounSense === null) return null;
  const at = clause.indexOf(noun!);
  const isCounted = clause
    .slice(0, at)
    .some(
      (each) =>
        sense(each, 'number') ||
        sense(each, 'count') ||
        sense(each, 'negation') ||
        sense(each, 'filler')?.indefinite === 'any',
    );
  const isLifeless = nounSense.classes.length > 0 && isPortable({ classes: [...nounSense.classes] } as never);
  // "Bag left": behind, or out of the frame.
  const isBare = isLifeless && at === 0;
  const isAny = clause.slice(0, at).some((each) => sense(each, 'filler')?.indefinite === 'any');
  return isAny || isBare || (isCounted && isLifeless) ? block(items, i, 1, query, REMAINING) : null;
};
const LOCATIVE: ReadonlySet<string> = new Set(['on', 'in', 'at', 'near', 'inside', 'below', 'behind', 'above']);

/** "The driver is right." */
const right: Rule = (items, i, query) => {
  const item = items[i]!;
  // "There's a bird, right?"
  const isTag = items[i + 1]?.text === '?' && (sense(items[i - 1], 'noun') !== null || items[i - 1]?.text === ',');
  if (isTag && item.text.toLowerCase() === 'right') return block(items, i, 1, query, CORRECT);
  if (sense(item, 'side')?.side !== 'right' || !isAuxiliary(items[i - 1]) || !isEnd(items[i + 1])) return null;
  return hasNounBefore(items, i) ? block(items, i, 1, query, CORRECT) : null;
};

/** "Waiting to cross", "about to leave", "might stop": the complement does not happen. */
const control: Rule = (items, i, query) => {
  const item = items[i]!;
  const verb = sense(item, 'control');
  if (!verb) return null;
  const at = verb.bare ? i + 1 : i + 2;
  const hasTo = verb.bare || sense(items[i + 1], 'preposition')?.preposition === 'to';
  const complement = items[at];
  const isControl = hasTo && complement && (isVerb(complement) || isUnknown(complement));
  if (!isControl || !(verb.always || hasNounBefore(items, i)))
    return only(item, ...item.senses.filter(({ type }) => type !== 'control'));
  const end = endOfClause(items, i);
  if (!verb.waits) return block(items, i, end - i, query, COMPLEMENT);
  const text = query.slice(complement.start, items[end - 1]!.end);
  const stands = only(item, { type: 'action', action: 'stands', weak: true });
  const goal: Item = { ...complement, text, end: items[end - 1]!.end, senses: [{ type: 'vague', reason: WAITING }] };
  return { items: [...stands.items, goal], length: end - i };
};

/** "Close to getting hit": it did not happen. */
const brink: Rule = (items, i, query) => {
  if (!/^(?:close|near) to$/i.test(items[i]!.text)) return null;
  const at = items.findIndex((each, k) => k > i && !isFiller(each));
  return BRINKS.has(sense(items[at], 'action')?.action ?? '') ? block(items, i, at - i + 1, query, COMPLEMENT) : null;
};
const BRINKS: ReadonlySet<string> = new Set(['collides', 'falls']);

/** "The same person", "person 3", "the second car". */
const identity: Rule = (items, i, query) => {
  const item = items[i]!;
  const same = sense(item, 'identity');
  const noun = nounAt(items, i + 1);
  if (same && noun > 0 && !(same.plural && sense(items[noun], 'noun')?.plural))
    return block(items, i, noun - i + 1, query, IDENTITY);
  if (same && noun < 0 && isVerb(items[i + 1])) return block(items, i, 2, query, IDENTITY);
  // "Car no. 4"
  if (sense(item, 'negation') && items[i + 1]?.text === '.' && sense(items[i + 2], 'number'))
    return block(items, i, 3, query, IDENTITY);
  // "Seen before"
  const join = sense(item, 'join')?.join;
  const isAdverb =
    (join === 'before' || join === 'after') && isStopOrEnd(items[i + 1]) && i > 0 && item.senses.length === 1;
  if (isAdverb && !sense(items[i - 1], 'unit') && !sense(items[i - 1], 'compare') && !sense(items[i - 1], 'join'))
    return block(items, i, 1, query, IDENTITY);
  const isOrdinal = sense(item, 'unit')?.dimension === 'time' || sense(item, 'part')?.part === 'area';
  const hasArticle = sense(items[i - 1], 'filler')?.article === 'definite';
  if (isOrdinal && hasArticle && ORDINALS.has(item.text.toLowerCase()) && noun > 0)
    return block(items, i, noun - i + 1, query, ORDINAL);
  const nounSense = sense(item, 'noun');
  const isNumbered = nounSense && !nounSense.plural && sense(items[i + 1], 'number') && !items[i + 1]!.time;
  const isAmount =
    sense(items[i + 2], 'unit') ||
    sense(items[i + 2], 'compare') ||
    sense(items[i + 2], 'noun') ||
    items[i + 2]?.text === '-' ||
    sense(items[i + 2], 'clock');
  if (isNumbered && !isAmount && !isUnknownNoun(items[i + 2])) return block(items, i, 2, query, IDENTITY);
  return null;
};
const isStopOrEnd = (item: Item | undefined) => !item || isStop(item);
const ORDINALS: ReadonlySet<string> = new Set(['second', 'third']);
const isUnknownNoun = (item: Item | undefined) => item !== undefined && isUnknown(item);

/** Index of the noun that the next words describe, or -1. */
function nounAt(items: readonly Item[], from: number): number {
  for (let i = from; i < items.length; i++) {
    if (sense(items[i], 'noun')) return i;
    if (!items[i]!.senses.some(({ type }) => type === 'color' || type === 'vague' || type === 'state')) return -1;
  }
  return -1;
}

/** "What is he wearing", "what are they doing", "how long is the car". */
const description: Rule = (items, i, query) => {
  const question = sense(items[i], 'question')?.question;
  if (question !== 'describe' && question !== 'how_long') return null;
  const end = endOfClause(items, i);
  const rest = items.slice(i + 1, end).filter((item) => item.text !== '?' && !sense(item, 'filler')?.article);
  const [first, ...others] = rest;
  const isSomebody = sense(first, 'pronoun') || sense(first, 'noun');
  if (question === 'describe' && isSomebody && others.some(describes))
    return block(items, i, end - i, query, DESCRIPTION);
  // "What did the dog get"
  if (question === 'describe' && isSomebody && /^what (?:do|does|did)$/i.test(items[i]!.text) && others.length > 0)
    return block(items, i, end - i, query, DESCRIPTION);
  const isLone = question === 'how_long' && rest.filter((item) => !isFiller(item) && !isAuxiliary(item)).length === 1;
  if (
    isLone &&
    rest.some((item) => sense(item, 'noun')) &&
    rest.every((item) => sense(item, 'noun') || isAuxiliary(item))
  )
    return block(items, i, end - i, query, LENGTH);
  return null;
};
const describes = (item: Item) =>
  isVerb(item) ||
  sense(item, 'filler')?.acts ||
  sense(item, 'preposition')?.preposition === 'wearing' ||
  sense(item, 'relation')?.relation === 'with';

const LAMP = 'lamps are not located; "lights turn on" finds a change of light';
/** "Light on the left", "lights on the car": where a lamp is, not that it is switched on. */
const lampOn: Rule = (items, i, query) =>
  / on$/i.test(items[i]!.text) && sense(items[i], 'signal') && sense(items[i + 1], 'filler')?.article
    ? block(items, i, 1, query, LAMP)
    : null;

/** "Bird view", "car views": how something is seen. */
const viewOf: Rule = (items, i, query) =>
  /^views?$/i.test(items[i]!.text) && isFiller(items[i]) && sense(items[i - 1], 'noun') && isEnd(items[i + 1])
    ? block(items, i, 1, query, COMPOUND)
    : null;

/** "Hot dog stand": a lifeless noun before the base form of a verb names something else. */
const compound: Rule = (items, i, query) => {
  const nounSense = sense(items[i], 'noun');
  const verb = items[i + 1];
  const action = sense(verb, 'action');
  if (!nounSense || nounSense.plural || nounSense.classes.length === 0 || !action || !isEnd(items[i + 2])) return null;
  if (
    !LIFELESS(nounSense.classes) ||
    !/^(stand|rest|stop|run|ride|pass|park|drive|walk|cross|carry|hold|push|pull)$/i.test(verb!.text)
  )
    return null;
  return block(items, i, 2, query, COMPOUND);
};
const ANIMATE: ReadonlySet<string> = new Set(
  'person bicycle car motorcycle airplane bus train truck boat bird cat dog horse sheep cow elephant bear zebra giraffe'.split(
    ' ',
  ),
);
const LIFELESS = (classes: readonly string[]) => classes.every((name) => !ANIMATE.has(name));

/** "Runs out of time", "runs into a wall". */
const idiomaticObject: Rule = (items, i, query) => {
  const action = sense(items[i], 'action');
  if (!action) return null;
  const end = endOfClause(items, i);
  const next = items.slice(i + 1, end).filter((item) => !isFiller(item));
  const [preposition] = next;
  if (
    action.action === 'leaves' &&
    / out$/i.test(items[i]!.text) &&
    sense(items[i + 1], 'preposition')?.preposition === 'of' &&
    next.length <= 1
  )
    return block(items, i, end - i, query, OUT_OF);
  // "The car hits a wall"
  if (action.action === 'collides' && sense(preposition, 'setting') && !sense(preposition, 'noun'))
    return block(items, i, end - i, query, COLLISION);
  const isInto = / into$/i.test(items[i]!.text)
    ? preposition
    : sense(preposition, 'preposition')?.preposition === 'into'
      ? next[1]
      : undefined;
  if (isInto && sense(isInto, 'setting')?.solid) return block(items, i, end - i, query, COLLISION);
  return null;
};

/** "A mouse runs across the floor": not the object of the detector's class. */
const ambiguousNoun: Rule = (items, i, query) => {
  const reason = sense(items[i], 'noun')?.ambiguous;
  if (!reason) return null;
  const clause = items.slice(startOfClause(items, i), endOfClause(items, i));
  const isMoving = clause.some((item) => {
    const action = sense(item, 'action')?.action;
    return action !== undefined && action !== 'present' && action !== 'stands';
  });
  return isMoving ? block(items, i, 1, query, reason) : null;
};

/** "The car on the left turns right": two words that are a phrase elsewhere ("left turns"). */
const crossedPhrase: Rule = (items, i, query) => {
  const move = sense(items[i], 'camera_move');
  if (!move?.direction || !/ /.test(items[i]!.text)) return null;
  const before = items.slice(startOfClause(items, i), i).findLast((item) => !isFiller(item));
  if (sense(before, 'preposition')?.preposition !== 'on') return null;
  return hasNounBefore(items, i) ? block(items, i, 1, query, REASONS.notTheCamera) : null;
};

const RULES: readonly Rule[] = [
  ...CONSTRUCTIONS,
  description,
  control,
  brink,
  identity,
  left,
  right,
  compound,
  lampOn,
  viewOf,
  idiomaticObject,
  ambiguousNoun,
  crossedPhrase,
  dangling,
];
