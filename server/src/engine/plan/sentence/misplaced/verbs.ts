import { type Item, isMark, sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';
import {
  AUXILIARIES,
  FILLERS,
  headAfter,
  isArticle,
  isEnd,
  isFiniteVerb,
  isOnly,
  isPassing,
  isPlainNoun,
  isPositional,
  isSideAfter,
  JOINS,
  LEADING_ONLY,
  type MisplacedRule,
  POSITIONAL,
  PREPOSITIONS,
  REQUESTED,
  SIGNALS,
  TRANSITIVE,
  VERBS,
} from './words.ts';

/** Verbs that the subject cannot have, and words beside a verb that join nothing. */

/** "Car overtaking toward us", "touches to the car": a transitive verb has its object at once. */
const besideObject: MisplacedRule = (items, i) => {
  const [verb, item] = [sense(items[i - 1], 'action'), items[i]!];
  if (!verb) return false;
  if (sense(item, 'direction')?.direction === 'towards' && / /.test(item.text)) return TRANSITIVE.has(verb.action);
  return /^to$/i.test(item.text) && verb.relation === 'overlaps';
};

/** "Within 10 seconds of a person enters": "of" ties a noun or a participle. */
const ofClause: MisplacedRule = (items, i) => {
  if (!/^of$/i.test(items[i]!.text) || sense(items[i - 1], 'unit')?.dimension !== 'time') return false;
  const noun = items.findIndex((each, k) => k > i && sense(each, 'noun') !== null);
  const verb = items[noun + 1];
  return noun > 0 && isOnly(verb, VERBS) && isFiniteVerb(verb!);
};

/** "Someone pulling in": only vehicles do. */
const pulling: MisplacedRule = (items, i) => {
  if (!/^pull\w* (?:in|into|over|out|up|away|off)\b/i.test(items[i]!.text) || !sense(items[i], 'action')) return false;
  const noun = items.slice(0, i).findLast((each) => sense(each, 'noun') ?? sense(each, 'camera'));
  const classes = sense(noun, 'noun')?.classes ?? [];
  return classes.length > 0 && !classes.some((name) => PULLED.has(name));
};

const PULLED: ReadonlySet<string> = new Set(['car', 'truck', 'bus', 'motorcycle', 'bicycle', 'train', 'boat']);

/** "Camera goes off": it is switched off. */
const goesOff: MisplacedRule = (items, i) =>
  /^(?:go|goes|went|going|gone) off$/i.test(items[i]!.text) &&
  sense(
    items.slice(0, i).findLast((each) => !isOnly(each, FILLERS)),
    'camera',
  ) !== null;

/** "A person, vs dog", "there give me": it joins or names nothing. */
const withoutPart: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  const word = item.text.toLowerCase();
  // "At all the events", "riding on around right", "walks past away"
  if (word === 'at all')
    return (
      !isEnd(next) &&
      (isArticle(next) ||
        isPlainNoun(next) ||
        (isOnly(before, FILLERS) && isOnly(next, FILLERS)) ||
        (before !== undefined && isMark(before)))
    );
  // "A pedestrian greenish view": the color is one of the picture.
  if (sense(item, 'color') && isPlainNoun(before)) return isOnly(next, FILLERS) && PICTURE.test(next!.text);
  if (word === 'around') return sense(next, 'side') !== null;
  // "Hard brake then away stop"
  if (/^(?:away|off)$/.test(word) && isOnly(before, JOINS)) return isOnly(next, VERBS);
  // "Time from will the first car"
  if (/^(?:will|could|should|may|might|must|would)$/.test(word) && / (?:from|between)$/i.test(before?.text ?? ''))
    return true;
  if (isPassing(before) && (sense(item, 'direction') !== null || /\bdirections?$/.test(word))) return true;
  // "Bag left items on a bench": a subject has its verb.
  if (/^left (?:items?|objects?|luggage|baggage)$/.test(word) && sense(item, 'action') && isPlainNoun(before))
    return true;
  // "People go into but"
  if (/ into$/.test(word) && sense(item, 'action')) return isEnd(next) || (isOnly(next, JOINS) && !isMark(next!));
  // "Makes a right off", "they go up to the left"
  if (/^(?:off|away)$/.test(word) && isOnly(item, POSITIONAL) && sense(before, 'camera_move'))
    return word === 'off' || sense(before, 'camera_move')!.direction !== undefined;
  if (/ (?:up|over|down) to$/.test(word) && sense(item, 'action')) return isSideAfter(items, i);
  // "To but does not"
  if (isOnly(item, PREPOSITIONS) && isOnly(next, JOINS) && !isMark(next!)) return !sense(before, 'action');
  // "Cars places that never stop", "red times is moving"
  if (OCCASION.test(word) && isOnly(item, FILLERS))
    return sense(before, 'noun')?.plural === true || isOnly(before, DESCRIBING);
  // "Frames cars?"
  if (OCCASION.test(word) && before === undefined) return isPlainNoun(next);
  // "A few seconds it black"
  if (word === 'it' && sense(before, 'unit')) return isOnly(next, SIGNALS);
  // "Next to autos other"
  if (word === 'other') return isEnd(next) && isPlainNoun(before);
  if (/^exceed(?:s|ing)?$/.test(word)) return before === undefined || isOnly(before, PREPOSITIONS);
  // "Is there flag any sound", "are flag any cars parked"
  if (isAsking(before) && isOnly(item, FILLERS) && / /.test(word)) return REQUESTED.test(word.split(' ')[0]!);
  // "Were any will the cars red"
  if (/^(?:will|could|should|may|might|must|would)$/.test(word) && isArticle(next))
    return before !== undefined && sense(before, 'filler')?.indefinite !== undefined;
  // "All clips points with two cars"
  if (/s with$/.test(word) && isOnly(item, FILLERS))
    return /\b(?:clip|video|scene|frame|shot)s$/i.test(before?.text ?? '');
  if (/^(?:vs|versus)$/.test(word)) return before === undefined || isMark(before);
  if (word === 'there')
    return isOnly(next, FILLERS) && (/^i$/i.test(next!.text) || REQUESTED.test(next!.text.split(' ')[0]!));
  // "Stops, till a person appears": until, not where one pays.
  if (word === 'till') return (before === undefined || isMark(before)) && isArticle(next);
  // "Vehicle reversing dashcam"
  if (sense(item, 'camera') && sense(before, 'camera_move')) return isPlainNoun(items[i - 2]);
  if (/^loiterers?$/.test(word)) return isPlainNoun(before);
  // "In the center type of the image"
  if (/^(?:kind|sort|type)s? of$/.test(word)) return isArticle(next) || sense(before, 'side') !== null;
  // "Every car part that enters", "the top of the day picture"
  if (/^parts?\b/.test(word) && isOnly(item, FILLERS)) return isPlainNoun(before);
  if (/^of the day$/.test(word)) return isOnly(next, FILLERS) && PICTURE.test(next!.text);
  // "Everyone unattended bag"
  if (/^(?:every|some|any|no) ?(?:one|body|thing)$/.test(word) && isPlainNoun(item))
    return sense(next, 'action')?.action === 'left_behind' && isPlainNoun(items[i + 2]);
  // "Sitting at a table in", "in this video"
  if (/^or (?:an? |the )?(?:no|not|nah)$/.test(word)) return !isEnd(next);
  // "Single two people", "drive drops below 5 km/h"
  if (/^(?:a )?(?:single|lone)$/.test(word)) return sense(next, 'number') !== null;
  if (/^(?:drops?|falls?|goes|dips?|rises|gets) (?:below|above)$/.test(word)) return isOnly(before, VERBS);
  // "What happens will", "what happens will at 0:42"
  if (/^(?:will|could|should|may|might|must|would)$/.test(word)) return isEnd(next) || isOnly(next, PREPOSITIONS);
  if (word === 'halves') return isOnly(before, PARTS);
  // "The left third half", "the right corner side"
  if (/^(?:third|quarter)$/i.test(before?.text ?? '') && isOnly(before, PARTS)) return isOnly(item, PARTS);
  return isOnly(item, PARTS) && isOnly(before, PARTS) && !/^half$/i.test(item.text) && !/^half$/i.test(before!.text);
};

const isAsking = (item: Item | undefined) => (sense(item, 'question')?.question ?? 'describe') !== 'describe';

const PICTURE = /^(?:view|picture|image|frame|video|footage|scene|shot|screen)s?$/i;
const OCCASION = /^(?:places|frames|times|moments|occasions|instances|cases|events|examples)$/;
const DESCRIBING: ReadonlySet<Sense['type']> = new Set(['color', 'state']);
const PARTS: ReadonlySet<Sense['type']> = new Set(['part']);

/** "Vehicle reversing in": into what is not known. */
const reversingIn: MisplacedRule = (items, i) =>
  /^(?:in|out)$/i.test(items[i]!.text) &&
  isOnly(items[i], PREPOSITIONS) &&
  sense(items[i - 1], 'camera_move')?.move === 'backward' &&
  (isEnd(items[i + 1]) || sense(items[i + 1], 'join') !== null || sense(items[i + 1], 'negation') !== null);

/** "Camera walked left", "retreating left": neither walks, nor goes two ways. */
const cameraWalks: MisplacedRule = (items, i) => {
  const action = sense(items[i], 'action');
  const camera = items.slice(0, i).findLast((each) => !isOnly(each, FILLERS) && !sense(each, 'vague'));
  if (action?.by === 'person' && !isArticle(items[i - 1]))
    return sense(camera, 'camera') !== null && !sense(camera, 'camera')!.carrier;
  const side = sense(items[i], 'side');
  // "Driving at left 130 km/h"
  if (side && sense(items[i + 1], 'number') && isOnly(items[i - 1], PREPOSITIONS)) return true;
  return side !== null && side.side !== 'middle' && sense(items[i - 1], 'action')?.direction !== undefined;
};

/** "At a truck tailgates a car", "in people sitting at a table": a clause, not a place. */
const leadingClause: MisplacedRule = (items, i) => {
  const isFirst = items[i - 1] === undefined || isMark(items[i - 1]!);
  if (!isFirst || !LEADING_ONLY.test(items[i]!.text.toLowerCase())) return false;
  const head = headAfter(items, i);
  if (!isPlainNoun(head)) return false;
  const verb = items[items.indexOf(head!) + 1];
  return isOnly(verb, VERBS) && (isFiniteVerb(verb!) || /ing$/i.test(verb!.text.split(' ')[0]!));
};

/** "Too it dark", "it glare", "himself exceeds", "every is moving": no subject stands there. */
const strayPronoun: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  const word = item.text.toLowerCase();
  if (/^(?:every|each)$/.test(word)) return AUXILIARIES.test(next?.text.toLowerCase() ?? '');
  if (/^(?:him|her|it|them)sel(?:f|ves)$/.test(word))
    return before === undefined || isMark(before) || isOnly(before, PREPOSITIONS);
  if (word !== 'it') return false;
  if (/^(?:too|very)$/i.test(before?.text ?? '')) return true;
  // "Near it dark?"
  if ((isPositional(before) || /^of$/i.test(before?.text ?? '')) && isOnly(next, SIGNALS)) return true;
  const isState =
    isOnly(next, SIGNALS) &&
    sense(next, 'signal') !== null &&
    !/(?:s|ed|ing|froze|went)$/i.test(next!.text.split(' ')[0]!);
  // "Blocked or it black"
  return isState && (before === undefined || isMark(before) || isOnly(before, JOINS));
};

export const VERB_PHRASES: readonly MisplacedRule[] = [
  leadingClause,
  strayPronoun,
  withoutPart,
  cameraWalks,
  reversingIn,
  besideObject,
  ofClause,
  pulling,
  goesOff,
];
