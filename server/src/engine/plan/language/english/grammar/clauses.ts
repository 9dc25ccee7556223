import type {
  Entity,
  Event,
  Leaf,
  List,
  Modifier,
  Nominal,
  Predicate,
  PredicateHead,
  Statement,
} from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { Unlikely } from '../../../parse/rules.ts';
import type { Categories, VerbPhrase, VerbPhrases } from '../categories.ts';
import { MODIFIER, NO_SUBJECT, REDUCED_CLAUSE } from '../costs.ts';
import {
  entity,
  event,
  frameEvent,
  isBase,
  isFiniteForm,
  isNone,
  isObject,
  leafOf,
  modified,
  namedEvent,
  predicate,
  sequence,
} from './build.ts';
import { foldPredicates } from './nominals.ts';
import { atPlace, isBarePlace } from './places.ts';
import { isAnybody } from './quotations.ts';

/** Clauses: an event of a subject, the presence of objects, and statements about the whole frame. */
export function clauseRules(rule: AddRule<Categories>): void {
  rule('Clause', ['Subject', 'VerbPhrase'], 'a car stops', (subject, verb) => {
    const made = agrees(subject, verb) ? stated(subject, verb.predicate) : null;
    const isUnlikely = isGardenPath(subject, verb) || isLeftThere(verb) || isUnknownSpeaker(subject, verb.predicate);
    return made && isUnlikely ? new Unlikely(made, 1.2) : made;
  });
  rule(
    'Clause',
    ['Subject', 'VerbPhrase'],
    ['a person visible', 'an object out of view'],
    (subject, { form, predicate: what }) => (form === 'adjective' ? stated(subject, what) : null),
    0.3,
  );
  rule('Clause', ['Subject', 'VerbPhrases'], 'a car stops and leaves', (subject, verbs) => {
    if (agrees(subject, verbs)) return eachOf(subject, verbs);
    const made = verbs.form === 'ing' ? eachOf(subject, verbs) : null;
    return made && new Unlikely(made, REDUCED_CLAUSE);
  });
  rule(
    'Clause',
    ['Subject', 'Who', 'VerbPhrases'],
    'trucks that arrived but never left',
    (subject, _, verbs) => (agrees(subject, verbs) && verbs.predicates.every(isDone) ? eachOf(subject, verbs) : null),
    MODIFIER,
  );
  // "The bag that the man left": what somebody does with it.
  rule(
    'Clause',
    ['NounPhrase', 'Who', 'Subject', 'VerbPhrase'],
    'the truck which the car overtakes',
    (noun, _, subject, verb) => (agrees(subject, verb) ? doneTo(noun, subject, verb.predicate) : null),
    0.2,
  );
  rule(
    'Clause',
    ['NounPhrase', 'Subject', 'VerbPhrase'],
    'the truck the car overtakes',
    (noun, subject, verb) => (agrees(subject, verb) ? doneTo(noun, subject, verb.predicate) : null),
    0.8,
  );
  rule('Clause', ['Subject'], 'a red car', (subject) => present(subject), MODIFIER);
  rule(
    'Clause',
    ['Subject', 'AtOnce'],
    'several people at once',
    (subject) => (subject.kind === 'entity' && subject.plural ? present(subject) : null),
    0.1,
  );
  rule('Clause', ['Subject', 'Come'], 'the bus comes', (subject, come) =>
    agrees(subject, come) ? event(subject, arrives(come)) : null,
  );
  rule('Predication', ['Absent'], 'how long was the cat away', ({ span, text, id }) => ({
    form: 'adjective',
    predicate: predicate({ type: 'action', word: { span, text, id, sense: { type: 'action', action: 'disappears' } } }),
  }));
  rule('Clause', ['Subject', 'Here'], 'a person there', (subject) => present(subject), 0.3);
  rule(
    'Clause',
    ['NounPhrase', 'To', 'VerbPhrase'],
    'the last person to leave',
    (noun, _, { form, predicate: what }) =>
      form === 'base' && noun.pick && noun.modifiers.length === 0 ? stated(noun, what) : null,
    0.1,
  );
  rule('There', ['There', 'Adverb'], 'is there still a car', (word) => word);
  rule(
    'Clause',
    ['Clause', 'Adverb'],
    'nothing on the table anymore',
    (statement, _) => (statement.kind === 'event' && statement.predicate === null ? statement : null),
    0.3,
  );
  rule('Clause', ['Clause', 'Audible'], 'a siren can be heard', (statement, _) =>
    statement.kind === 'event' && statement.predicate?.head.type === 'sound' ? statement : null,
  );
  for (const [category, example] of [
    ['Be', 'the lobby is busy'],
    ['Get', 'the lobby gets crowded'],
  ] as const)
    rule('CrowdVerb', [category, 'Crowded'], example, ({ form }, word) => ({ form, word }));
  rule('CrowdVerb', ['Adverb', 'CrowdVerb'], 'does it ever get crowded', (_, verb) => verb);
  rule('Clause', ['NounPhrase', 'CrowdVerb'], 'the lobby gets crowded', (place, { form, word }) =>
    isFiniteForm(form) ? crowded(place, word) : null,
  );
  rule('Clause', ['Expletive', 'CrowdVerb'], 'it gets crowded', (_, { form, word }) =>
    isFiniteForm(form) ? crowded(null, word) : null,
  );
  rule('Inverted', ['Do', 'NounPhrase', 'CrowdVerb'], 'does the lobby get crowded', (_, place, { form, word }) =>
    isBase(form) ? crowded(place, word) : null,
  );
  rule('Inverted', ['Do', 'Expletive', 'CrowdVerb'], 'does it get crowded', (_, _it, { form, word }) =>
    isBase(form) ? crowded(null, word) : null,
  );
  rule('Inverted', ['Be', 'NounPhrase', 'Crowded'], 'is the lobby crowded', (_, place, word) => crowded(place, word));
  rule('Inverted', ['Be', 'Expletive', 'Crowded'], 'is it busy', (_, _it, word) => crowded(null, word));
  rule('Inverted', ['Be', 'Expletive', 'Adverb', 'Crowded'], 'is it ever busy', (_, _it, _ever, word) =>
    crowded(null, word),
  );
  rule('Clause', ['NounPhrase', 'Unmanned'], 'till unattended', (place, word) => unmanned(place, word));
  rule('Clause', ['NounPhrase', 'Be', 'Unmanned'], 'the till is unattended', (place, _, word) => unmanned(place, word));
  rule('Clause', ['NounPhrase', 'FreeOf', 'Subject'], 'road clear of vehicles', (place, word, subject) =>
    freeOf(place, word, subject),
  );
  rule(
    'Clause',
    ['NounPhrase', 'Be', 'FreeOf', 'Subject'],
    'the road is clear of vehicles',
    (place, _, word, subject) => freeOf(place, word, subject),
  );
  rule('Clause', ['Expletive', 'Be', 'NounPhrase'], 'it is a dog', (_, _be, noun) => present(noun));
  rule('Clause', ['Zone', 'Clause'], [], (word, statement) => {
    const place: Modifier = {
      type: 'role',
      role: 'at',
      surface: 'in',
      word,
      negation: null,
      other: entity({ type: 'place', word }),
    };
    return statement.kind === 'event' && statement.predicate
      ? { ...statement, predicate: modified(statement.predicate, place) }
      : null;
  });
  rule(
    'Clause',
    ['There', 'Be', 'Clause'],
    'there is a bang',
    (_, _be, statement) =>
      statement.kind === 'event' && statement.subject === null && FRAME.has(statement.predicate!.head.type)
        ? statement
        : null,
    0.1,
  );
  rule('Clause', ['There', 'Be', 'Subject'], 'there is a car', (_, _be, subject) => present(subject));
  rule('Clause', ['Not', 'Subject'], 'never more than one car', (negation, subject) => {
    const statement =
      subject.kind === 'entity' && subject.amount?.max === null && !isNone(subject) ? present(subject) : null;
    return statement?.kind === 'event' ? { ...statement, negation } : null;
  });
  rule('Clause', ['There', 'Be', 'Not', 'Subject'], 'there is never a car', (_, _be, negation, subject) => {
    const statement = present(subject);
    return statement?.kind === 'event' && !isNone(statement.subject!) ? { ...statement, negation } : null;
  });
  rule('Clause', ['There', 'BeNot', 'Subject'], "there isn't anybody", (_, negation, subject) => {
    const statement = present(subject);
    return statement?.kind === 'event' ? { ...statement, negation } : null;
  });
  rule('Clause', ['VerbPhrase'], 'entering from the left', (verb) => withoutSubject(verb));
  rule('Clause', ['VerbPhrases'], 'stops and leaves', (verbs) => {
    const made = verbs.predicates.every(({ head }) => head.type !== 'exists') ? eachOf(null, verbs) : null;
    return made && new Unlikely(made, NO_SUBJECT);
  });
  rule('Clause', ['ActionNoun'], 'accident', namedEvent);
  rule('Clause', ['Determiner', 'ActionNoun'], 'an accident', (_, word) => namedEvent(word));

  const frame = (
    example: string,
    category: 'Signal' | 'SignalTime' | 'Sound' | 'Motion',
    determined: string,
    none: string,
  ) => {
    rule('Clause', [category], example, (word) => frameEvent(headOf(word)));
    rule('Clause', ['Determiner', category], determined, (_, word) => frameEvent(headOf(word)), MODIFIER);
    rule('Clause', ['No', category], none, (negation, word) => frameEvent(headOf(word), negation));
  };
  frame('out of focus', 'Signal', 'a hard cut', 'no cuts');
  frame('at night', 'SignalTime', 'the night', 'no daylight');
  frame('silence', 'Sound', 'a bang', 'no music');
  frame('motion', 'Motion', 'the motion', 'no motion');
  rule('Clause', ['SignalVerb'], 'freezes', (word) => frameEvent({ type: 'signal', word }));
  rule('Clause', ['Not', 'Signal'], 'not dark', (negation, word) => frameEvent({ type: 'signal', word }, negation));
  rule('Clause', ['Not', 'Sound'], 'not loud', (negation, word) => frameEvent({ type: 'sound', word }, negation));
  for (const [category, example] of [
    ['Sound', 'without music'],
    ['Motion', 'without motion'],
    ['Signal', 'without cuts'],
  ] as const)
    rule('Clause', ['Without', category], example, (negation, word) => frameEvent(headOf(word), negation));
  rule('Clause', ['Without', 'Subject'], 'without people', (negation, subject) => {
    const statement = present(subject);
    return statement?.kind === 'event' && !isNone(subject) ? { ...statement, negation } : null;
  });
  rule('Clause', ['MoveNoun'], 'left turn', (word) => event(null, predicate({ type: 'camera_move', word })));
  rule(
    'Clause',
    ['Determiner', 'MoveNoun'],
    'a left turn',
    (_, word) => event(null, predicate({ type: 'camera_move', word })),
    MODIFIER,
  );
  rule('Clause', ['MoveNoun', 'Modifier'], 'camera rolls left', (word, modifier) =>
    event(null, modified(predicate({ type: 'camera_move', word }), modifier)),
  );
  rule(
    'Clause',
    ['Vague', 'Signal'],
    'slight color cast',
    (vague, word) => event(null, modified(predicate({ type: 'signal', word }), { type: 'vague', word: vague })),
    0.5,
  );
  rule(
    'Clause',
    ['Vague', 'Sound'],
    'heavy rain',
    (vague, word) => event(null, modified(predicate({ type: 'sound', word }), { type: 'vague', word: vague })),
    0.5,
  );

  const ofPicture = (what: Predicate): Event | null =>
    what.head.type === 'signal' || what.head.type === 'sound' ? event(null, what) : null;
  rule('Clause', ['Picture', 'VerbPhrase'], 'clip freezes', (_, { form, predicate: what }) =>
    isFiniteForm(form) || form === 'base' ? ofPicture(what) : null,
  );
  rule(
    'Clause',
    ['Determiner', 'Picture', 'VerbPhrase'],
    'the clip is dark',
    (_, _picture, { form, predicate: what }) => (isFiniteForm(form) || form === 'base' ? ofPicture(what) : null),
  );
  rule('Shown', ['Signal'], 'blurry footage', (word) => frameEvent({ type: 'signal', word }));
  rule('Shown', ['SignalVerb'], 'shaking footage', (word) =>
    word.form === 'ing' ? frameEvent({ type: 'signal', word }) : null,
  );
  rule('Shown', ['Shown', 'Or', 'Shown'], 'blurry or shaking video', (a, _, b) => ({
    kind: 'list',
    conjunction: 'or',
    members: [a, b],
  }));
  rule('Shown', ['Shown', 'Shown'], 'blurry dark picture', (a, b) => sequence(a, b, { join: 'while' }));
  rule('Clause', ['Shown', 'Picture'], 'blurry footage', (statement) => statement, 0.1);
  rule('Clause', ['Determiner', 'Shown', 'Picture'], 'the blurry footage', (_, statement) => statement, 0.1);
  rule('Clause', ['Picture', 'Signal'], 'picture too blue', (_, word) => frameEvent({ type: 'signal', word }), 0.1);
  rule(
    'Clause',
    ['Determiner', 'Picture', 'Signal'],
    'the picture too blue',
    (_, _picture, word) => frameEvent({ type: 'signal', word }),
    0.1,
  );
  rule(
    'Clause',
    ['NounPhrase', 'Signal'],
    'wrist cam blurry',
    (noun, word) => (noun.head.type === 'camera' ? stated(noun, predicate({ type: 'signal', word })) : null),
    0.1,
  );
  rule(
    'Clause',
    ['Picture', 'VerbPhrases'],
    'dashcam footage freezes or goes black',
    (_, verbs) => ofPictures(verbs),
    0.1,
  );
  rule(
    'Clause',
    ['Determiner', 'Picture', 'VerbPhrases'],
    'the dashcam footage freezes or goes black',
    (_, _picture, verbs) => ofPictures(verbs),
    0.1,
  );
  rule('Clause', ['Together', 'VerbPhrase'], 'both a man and a woman enter', (both, { form, predicate: what }) =>
    both.kind === 'sequence' && (isFiniteForm(form) || form === 'base')
      ? both.steps
          .map(({ statement }) =>
            statement.kind === 'event' && statement.subject ? stated(statement.subject, what) : null,
          )
          .reduce<Statement | null>((a, b) => (a && b ? sequence(a, b, { join: 'while' }) : (b ?? null)), null)
      : null,
  );
  rule('Clause', ['NounPhrase', 'Comma', 'OneOf'], 'two cars, one of them red', (nouns, _, each) =>
    withOnes(nouns, [each]),
  );
  rule(
    'Clause',
    ['NounPhrase', 'Comma', 'OneOf', 'And', 'OneOf'],
    'two bowls, one red and one blue',
    (nouns, _, a, _and, b) => withOnes(nouns, [a, b]),
  );
  const one = (word: Categories['Number']) => word.sense.value === 1;
  rule('OneOf', ['Number', 'Colors'], 'two bowls, one red and one blue', (word, words) =>
    one(word) ? { word, attribute: { type: 'color', words }, modifier: null } : null,
  );
  rule('OneOf', ['Number', 'Complement'], 'two people, one on the left and one on the right', (word, modifier) =>
    one(word) ? { word, attribute: null, modifier } : null,
  );
  rule('OneOf', ['OneOfThem', 'Colors'], 'two cars, one of them red', (word, words) => ({
    word,
    attribute: { type: 'color', words },
    modifier: null,
  }));
  rule('OneOf', ['OneOfThem', 'Complement'], 'two cars, one of them on the left', (word, modifier) => ({
    word,
    attribute: null,
    modifier,
  }));

  rule('Clause', ['Empty', 'Nominal'], 'empty road', (word, place) => emptied(place, word));
  rule('Clause', ['Determiner', 'Empty', 'Nominal'], 'an empty road', (_, word, place) => emptied(place, word));
  rule('Clause', ['Empty', 'Picture'], 'empty frame', (word) => frameEvent({ type: 'empty', word }));

  rule('Clause', ['Quantity'], 'hard acceleration', (word) => frameEvent({ type: 'quantity', word }));
  rule('Clause', ['Determiner', 'Quantity'], 'a hard acceleration', (_, word) =>
    frameEvent({ type: 'quantity', word }),
  );
  rule('QuantityPhrase', ['Quantity'], 'speed above 80 km/h', (word) => word);
  rule('QuantityPhrase', ['Determiner', 'Quantity'], 'the speed above 80 km/h', (_, word) => word);
  rule('QuantityPhrase', ['Possessive', 'Quantity'], 'our speed above 80 km/h', ({ text }, word) =>
    /^(?:our|my)$/i.test(text) ? word : null,
  );
  rule('Clause', ['QuantityPhrase', 'Measure'], 'speed above 80 km/h', (word, amount) => measured(word, amount));
  rule('Clause', ['QuantityPhrase', 'Of', 'Measure'], 'speed of 80 km/h', (word, _, amount) =>
    amount.bare ? measured(word, amount) : null,
  );
  for (const [category, verb] of [
    ['Be', 'is'],
    ['Stay', 'stays'],
  ] as const) {
    rule('Clause', ['QuantityPhrase', category, 'Measure'], `speed ${verb} above 80 km/h`, (word, _, amount) =>
      measured(word, amount),
    );
    rule('Clause', ['QuantityPhrase', category, 'In', 'Measure'], `speed ${verb} at 80 km/h`, (word, _, at, amount) =>
      at.surface === 'at' ? measured(word, amount) : null,
    );
    rule(
      'Clause',
      ['QuantityPhrase', 'Of', 'NounPhrase', category, 'Measure'],
      `speed of our car ${verb} above 80 km/h`,
      (word, _, noun, _verb, amount) => (noun.head.type === 'camera' ? measured(word, amount) : null),
    );
  }
  rule(
    'Clause',
    ['Measure', 'In', 'Measure'],
    'at least 5 seconds at more than 50 km/h',
    (amount, at, speed) =>
      amount.dimension === 'time' && speed.dimension === 'speed' && at.surface === 'at'
        ? lasting(measured(null, speed), amount)
        : null,
    0.1,
  );
  rule('Clause', ['Measure'], 'faster than 130 km/h', (amount) =>
    amount.dimension === 'speed' && !amount.bare && !amount.unitless ? measured(null, amount) : null,
  );

  rule(
    'Clause',
    ['Clause', 'Modifier'],
    'no people for 5 seconds',
    (statement, modifier) => {
      if (statement.kind !== 'event') return null;
      if (modifier.type === 'side')
        return modifier.role === 'at' && statement.subject === null && statement.predicate?.head.type === 'signal'
          ? { ...statement, predicate: modified(statement.predicate, modifier) }
          : null;
      const isTimed =
        modifier.type === 'lasting' ||
        modifier.type === 'throughout' ||
        modifier.type === 'signal' ||
        (modifier.type === 'either' && modifier.members[0]?.type === 'signal') ||
        modifier.type === 'vague';
      const isFrame = statement.subject === null;
      if (!isTimed && !isFrame) return null;
      return { ...statement, predicate: modified(statement.predicate ?? predicate({ type: 'exists' }), modifier) };
    },
    0.4,
  );
  rule('Clause', ['Motion', 'Complement'], 'motion on the left', (word, modifier) =>
    event(null, modified(predicate({ type: 'motion', word }), modifier)),
  );
  rule('Clause', ['Clause', 'AtOnce'], 'three or more people are visible at once', (statement) => {
    const isCrowd =
      statement.kind === 'event' && statement.subject?.kind === 'entity' && statement.subject.amount !== null;
    return isCrowd && statement.subject.plural && !isNone(statement.subject) ? statement : null;
  });
  rule('Clause', ['Measure', 'Of', 'Clause'], 'a minute of silence', (amount, _, statement) =>
    amount.dimension === 'time' && amount.bare && statement.kind === 'event' && statement.predicate
      ? { ...statement, predicate: modified(statement.predicate, { type: 'lasting', amount }) }
      : null,
  );
  rule(
    'Clause',
    ['Measure', 'Clause'],
    '30 s without motion',
    (amount, statement) =>
      amount.dimension === 'time' && amount.bare && statement.kind === 'event' && statement.negation
        ? lasting(statement, amount)
        : null,
    0.3,
  );
  rule(
    'Clause',
    ['Clause', 'Of', 'Measure'],
    'silence of at least 5 seconds',
    (statement, _, amount) =>
      amount.dimension === 'time' && statement.kind === 'event' && statement.subject === null
        ? lasting(statement, amount)
        : null,
    0.3,
  );
  rule('Clause', ['Expletive', 'VerbPhrase'], 'it is dark', (_, { form, predicate: what }) =>
    isFiniteForm(form) ? ofPicture(what) : null,
  );
}

function doneTo(noun: Entity, subject: Nominal, what: Predicate): Statement | null {
  const isOpen = what.head.type === 'action' && what.object === null && !what.passive && !what.negation;
  return isOpen && isObject(noun) && TRANSITIVE.has(what.head.word.sense.action)
    ? stated(subject, { ...what, object: noun })
    : null;
}
/** Actions with an object. */
const TRANSITIVE: ReadonlySet<string> = new Set([
  'approaches',
  'passes',
  'overtakes',
  'follows',
  'collides',
  'left_behind',
  'taken_away',
  'leaves',
]);

/** An event with a length; null if it has one already. */
export const lasting = (statement: Event, amount: Categories['Measure']): Event | null => {
  const what = statement.predicate ?? predicate({ type: 'exists' });
  const isTimed = what.modifiers.some(({ type }) => type === 'lasting');
  return isTimed ? null : { ...statement, predicate: modified(what, { type: 'lasting', amount }) };
};

/** The predicate of a word about the frame. */
export function headOf(word: Categories['Signal' | 'SignalTime' | 'Sound' | 'Motion']): PredicateHead {
  switch (word.sense.type) {
    case 'signal':
      return { type: 'signal', word: { ...word, sense: word.sense } };
    case 'sound':
      return { type: 'sound', word: { ...word, sense: word.sense } };
    default:
      return { type: 'motion', word: { ...word, sense: word.sense } };
  }
}

/** "People walking left", "a car waiting to turn left": rather to the left. */
const isGardenPath = (subject: Nominal, { form }: VerbPhrase): boolean =>
  form === 'past' &&
  subject.kind === 'entity' &&
  (subject.doing?.head.type === 'action' || subject.doing?.head.type === 'state') &&
  subject.doing.object === null &&
  subject.doing.modifiers.every(({ type }) => type === 'vague');

/** "A bag left on the bench": rather where it is, and not that it left. */
const isLeftThere = ({ form, predicate: { head, object, modifiers } }: VerbPhrase): boolean =>
  form === 'past' &&
  head.type === 'action' &&
  head.word.sense.action === 'leaves' &&
  object === null &&
  modifiers.some((each) => each.type === 'role' && each.role === 'at');

/** "Two bowls, one red and one blue": each of them at the same time. */
function withOnes(nouns: Entity, ones: readonly Categories['OneOf'][]): Statement | null {
  if (!nouns.amount || nouns.modifiers.length > 0 || nouns.doing) return null;
  const each = ones.map(({ word, attribute, modifier }) =>
    event(
      {
        ...nouns,
        amount: { words: [word], min: 1, max: null, vague: false },
        attributes: attribute ? [...nouns.attributes, attribute] : nouns.attributes,
        modifiers: modifier ? [modifier] : [],
      },
      null,
    ),
  );
  return each.reduce<Statement>((all, one) => sequence(all, one, { join: 'while' }), event(nouns, null));
}

function ofPictures({ form, join, predicates }: VerbPhrases): Statement | null {
  const isOfFrame = predicates.every(({ head }) => head.type === 'signal' || head.type === 'sound');
  return isOfFrame && isFiniteForm(form) ? eachOf(null, { form, join, predicates }) : null;
}

/** Events without a subject: a bang, a cut, motion. */
const FRAME: ReadonlySet<PredicateHead['type']> = new Set(['sound', 'signal', 'motion', 'camera_move']);

/** Something that happens, rather than a description. */
const isDone = ({ head }: Predicate) =>
  head.type === 'action' || head.type === 'camera_move' || head.type === 'returns' || head.type === 'unseen';

/** A verb in the base form has a subject in the plural; "car stop" is not refused, but less likely. */
function agrees(subject: Nominal, { form }: { form: VerbPhrase['form'] }): boolean {
  if (isFiniteForm(form)) return true;
  return (
    form === 'base' &&
    (subject.kind === 'group' || subject.plural || subject.head.type === 'camera' || subject.head.type === 'pronoun')
  );
}

/** Words that anybody speaks, or a certain person. */
function spokenBy(subject: Nominal, what: Predicate): Event | null {
  if (isAnybody(subject)) return event(null, { ...what, agent: subject });
  const maySpeak = subject.kind === 'group' || isObject(subject) || subject.head.type === 'pronoun';
  return maySpeak ? event(subject, what) : null;
}
const isUnknownSpeaker = (subject: Nominal, { head }: Predicate) =>
  head.type === 'speech' && subject.kind === 'entity' && subject.head.type === 'unseen';

/** Somebody or something is there. */
export function present(subject: Nominal): Statement | null {
  const members: readonly Entity[] = subject.kind === 'group' ? subject.members : [subject];
  return members.every(canBeThere) ? event(subject, null) : null;
}
/** "Show me": not who carries the camera. */
const canBeThere = ({ head }: Entity) =>
  (head.type !== 'pronoun' || head.other === true) &&
  head.type !== 'garment' &&
  !(head.type === 'camera' && head.word.sense.carrier);

/** A statement about a subject; one about the picture is about the frame. */
export function stated(subject: Nominal, what: Predicate): Event | null {
  const { head } = what;
  if (head.type === 'speech') return spokenBy(subject, what);
  if (head.type === 'sound' && subject.kind === 'entity' && isMaker(subject, head.word.sense.makers)) {
    if (!isNone(subject)) return event(null, { ...what, agent: subject });
    // "Nobody speaks": no speech.
    return what.negation === null ? event(null, what, leafOf(headWordOf(subject))) : null;
  }
  const isFrame = head.type === 'signal' || head.type === 'sound';
  if (subject.kind === 'entity' && isFrame) {
    // "The camera shakes": its picture does.
    return subject.head.type === 'camera' || isIt(subject) ? event(null, { ...what, agent: subject }) : null;
  }
  return isFrame ? null : event(subject, what);
}

/** True for an object that makes a sound, without anything that only frames show: "a dog barks". */
const isMaker = (subject: Entity, makers: readonly string[] | undefined): boolean =>
  makers !== undefined && (isIt(subject) || isOneOf(subject, makers));

/** "It rains". */
const isIt = ({ head, attributes, modifiers, doing }: Entity) =>
  head.type === 'pronoun' && !head.person && attributes.length + modifiers.length === 0 && !doing;

/** "It is dark and quiet": both at the same time. Null if one of them is stated of an object. */
export function bothOfFrame(subject: Nominal, predicates: readonly Predicate[]): Statement | null {
  if (subject.kind !== 'entity' || !isIt(subject)) return null;
  const [first, ...others] = predicates.map((what) => (isOfFrame(what) ? stated(subject, what) : null));
  return others.reduce<Statement | null>(
    (before, next) => (before && next ? sequence(before, next, { join: 'while' }) : null),
    first ?? null,
  );
}
const isOfFrame = ({ head }: Predicate) => head.type === 'signal' || head.type === 'sound';

const isOneOf = (subject: Entity, makers: readonly string[]): boolean =>
  subject.head.type === 'object' &&
  subject.head.word.sense.classes.length > 0 &&
  subject.head.word.sense.classes.every((each) => makers.includes(each)) &&
  !subject.negation &&
  !subject.amount &&
  !subject.pick &&
  !subject.doing &&
  subject.attributes.length + subject.modifiers.length === 0;

/** Several verbs of one subject. */
export function eachOf(subject: Nominal | null, { form, join, predicates }: VerbPhrases): Statement | null {
  const both = subject && join === 'and' ? bothOfFrame(subject, predicates) : null;
  if (both) return both;
  const folded =
    subject?.kind === 'entity' && !subject.doing ? foldPredicates(subject, { form, join, predicates }) : null;
  if (folded) return folded.main ? stated(folded.noun, folded.main) : present(folded.noun);
  if (subject?.kind === 'group' && subject.conjunction !== 'nor' && join !== 'or') {
    const members = subject.members.map((member) => eachOf(member, { form: 'present', join, predicates }));
    const isWhole = members.every((member): member is Statement => member !== null);
    return isWhole ? { kind: 'list', conjunction: subject.conjunction, members } : null;
  }
  // "Someone says stop and leaves": all of it may be spoken, and who speaks is not known.
  if (predicates.some(({ head }) => head.type === 'speech')) return null;
  const shared = subject !== null && isNone(subject) ? shareLasting(predicates) : predicates;
  const events = shared.map((what, i) =>
    subject === null ? event(null, what) : stated(i === 0 ? subject : stillOf(subject, what), what),
  );
  if (!events.every((each): each is Event => each !== null)) return null;
  if (join === 'or') {
    const list: List = { kind: 'list', conjunction: subject && isNone(subject) ? 'nor' : 'or', members: events };
    return list;
  }
  const isNobody = subject !== null && isNone(subject);
  if (join === 'and' && isNobody) return { kind: 'list', conjunction: 'nor', members: events };
  const isOfFrame = events.every(({ predicate: what }) => what?.head.type === 'signal');
  if (join === 'and' && isOfFrame) return { kind: 'list', conjunction: 'and', members: events };
  const isOfCamera = events.every(({ predicate: what }) => what?.head.type === 'camera_move');
  if (join === 'and' && isOfCamera) return { kind: 'list', conjunction: 'and', members: events };
  const isState =
    join === 'while' ||
    events
      .slice(1)
      .some(({ predicate: what }) => what?.negation && subject?.kind === 'entity' && subject.head.type !== 'camera');
  const same = subject !== null && !(subject.kind === 'entity' && subject.head.type === 'camera');
  return events
    .slice(1)
    .reduce<Statement>(
      (before, next) => sequence(before, next, { join: isState ? 'while' : 'then', same }),
      events[0]!,
    );
}

/** "A person with a bag enters and leaves without it": what the later verb says replaces the description. */
function stillOf(subject: Nominal, { modifiers }: Predicate): Nominal {
  if (subject.kind === 'group') return subject;
  const stated = modifiers.flatMap((each) => (each.type === 'relation' ? [each.word.sense.relation] : []));
  const isStated = (each: Modifier) => each.type === 'relation' && stated.includes(each.word.sense.relation);
  return { ...subject, modifiers: subject.modifiers.filter((each) => !isStated(each)) };
}

/** "Nobody enters or leaves for 5 minutes": neither of them. */
function shareLasting(predicates: readonly Predicate[]): readonly Predicate[] {
  const last = predicates.at(-1)!.modifiers.find(({ type }) => type === 'lasting');
  return predicates.map((what) =>
    last && what.modifiers.every(({ type }) => type !== 'lasting') ? modified(what, last) : what,
  );
}

/** "The bus comes": it was not there before. */
export const arrives = ({ span, text, id }: Categories['Come']): Predicate =>
  predicate({ type: 'action', word: { span, text, id, sense: { type: 'action', action: 'appears' } } });

function withoutSubject({ form, predicate: what }: VerbPhrase): Event | Unlikely<Event> | null {
  if (what.head.type === 'exists' || what.head.type === 'owns') return null;
  // A motion of the camera needs no other subject.
  const isOfCamera = what.head.type === 'camera_move' && what.object === null;
  return new Unlikely(event(null, what), isOfCamera || (form === 'ing' && what.object === null) ? 0.5 : NO_SUBJECT);
}

/** "Unattended": nobody is there. */
export const unmanned = (place: Entity, word: Categories['Unmanned']): Event | null =>
  isBarePlace(place)
    ? event(
        entity({ type: 'object', word, indefinite: true }),
        modified(predicate({ type: 'exists' }), atPlace(place, headWordOf(place))),
      )
    : null;

/** "The lobby is crowded": so many are there. */
function crowded(place: Entity | null, word: Categories['Crowded']): Event | null {
  const many = entity({ type: 'object', word, indefinite: false }, { plural: true });
  if (place === null) return event(many, null);
  return isBarePlace(place)
    ? event(many, modified(predicate({ type: 'exists' }), atPlace(place, headWordOf(place))))
    : null;
}

/** "The road is clear of vehicles": none are there. */
export const freeOf = (place: Entity, word: Leaf, subject: Nominal): Event | null =>
  isBarePlace(place) && !isNone(subject) && present(subject)
    ? event(subject, modified(predicate({ type: 'exists' }), atPlace(place, headWordOf(place))), word)
    : null;

const headWordOf = ({ head }: Entity): Leaf => ('words' in head ? head.words[0]! : head.word);

const emptied = (place: Entity, word: Categories['Empty']): Event | null =>
  place.head.type === 'place' ? event(place, predicate({ type: 'empty', word })) : null;

export const measured = (word: Categories['Quantity'] | null, amount: Categories['Measure']): Event =>
  event(null, modified(predicate({ type: 'quantity', word }), { type: 'measure', amount }));
