import type {
  Entity,
  EntityAttribute,
  Leaf,
  Modifier,
  NominalGroup,
  Predicate,
  Quantifier,
  UnseenWord,
} from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { Unlikely } from '../../../parse/rules.ts';
import { REASONS, UNKNOWN_WORD } from '../../../reasons.ts';
import type { Categories, VerbPhrase, VerbPhrases } from '../categories.ts';
import { MODIFIER, REDUCED_CLAUSE, UNSEEN } from '../costs.ts';
import {
  describes,
  entity,
  isNone,
  isObject,
  joined,
  modified,
  predicate,
  wears,
  withAttribute,
  withModifier,
} from './build.ts';
import { atPlace } from './places.ts';

/** Nouns with what stands before and behind them: "two red cars near a truck". */
export function nominalRules(rule: AddRule<Categories>): void {
  rule('Nominal', ['Noun'], 'car', (word) => {
    const noun = entity(
      { type: 'object', word, indefinite: word.indefinite === true },
      {
        plural: word.number === 'many',
        determiner: EVERYONE.test(word.text)
          ? { span: word.span, text: word.text, id: word.id, type: 'each', whole: 'all' }
          : null,
      },
    );
    if (!word.doing) return noun;
    const passive = word.doing.action === 'left_behind';
    return { ...noun, doing: predicate({ type: 'action', word: { ...word, sense: word.doing } }, { passive }) };
  });
  rule('Nominal', ['UnseenNoun'], 'a helmet', (word) =>
    entity({ type: 'unseen', words: [word] }, { plural: word.number === 'many' }),
  );
  const otherNoun = (word: Categories['OtherNoun']) =>
    entity({ type: 'object', word, indefinite: false }, { plural: word.number === 'many' });
  rule('Nominal', ['Attribute', 'OtherNoun'], 'a parked cycle', (attribute, word) =>
    attribute.type === 'color' || attribute.type === 'state' ? withAttribute(otherNoun(word), attribute) : null,
  );
  rule('NounPhrase', ['Determiner', 'OtherNoun'], 'a person on a cycle', (determiner, word) =>
    determiner.type === 'indefinite' ? { ...otherNoun(word), determiner } : null,
  );
  rule('NounPhrase', ['Both', 'Nominal'], 'both cars', (word, noun) =>
    isObject(noun) && noun.plural ? { ...noun, amount: { words: [word], min: 2, max: null, vague: true } } : null,
  );
  rule('Nominal', ['Setting'], 'a person at the gate', (word) =>
    entity({ type: 'place', word }, { plural: word.number === 'many' }),
  );
  rule(
    'Nominal',
    ['Setting', 'Setting'],
    'a person in the gate area',
    ({ number: _, ...word }, { text, number, ...area }) =>
      /^(?:area|zone|region|site)s?$/i.test(text)
        ? entity(
            { type: 'place', word: { ...joined(word, [{ ...area, text }]), sense: word.sense } },
            { plural: number === 'many' },
          )
        : null,
    MODIFIER,
  );
  rule('Nominal', ['Setting', 'Number'], 'a truck at gate 2', ({ number: _, ...word }, { span, text, id }) =>
    withAttribute(entity({ type: 'place', word }), {
      type: 'vague',
      word: { span, text, id, sense: { type: 'vague', reason: REASONS.place } },
    }),
  );
  rule('Nominal', ['Garment'], 'a person in a red jacket', (word) => entity({ type: 'garment', word }));
  rule('Nominal', ['Camera'], 'the camera moves', (word) => entity({ type: 'camera', word }));
  rule('Nominal', ['Line'], 'a car crosses the middle line', (word) => entity({ type: 'line', word }));
  rule('Nominal', ['Attribute', 'Nominal'], 'a red car', (attribute, noun) => {
    if (noun.head.type === 'camera' || noun.pick || noun.doing) return null;
    const isDouble = ONCE.has(attribute.type) && noun.attributes.some(({ type }) => type === attribute.type);
    if (isDouble) return null;
    const made = withAttribute(noun, attribute);
    const { head } = noun;
    const hasOwnColor = head.type === 'object' && head.word.sense.fixedColor !== undefined;
    return attribute.type === 'color' && hasOwnColor ? new Unlikely(made, UNSEEN) : made;
  });
  rule(
    'Nominal',
    ['Pick', 'Nominal'],
    'the first car',
    (pick, noun) => (noun.pick ? null : { ...noun, pick }),
    MODIFIER,
  );
  rule('Ordinal', ['Number', 'OrdinalSuffix'], 'the 2nd car', (number, suffix) => {
    const pick = ORDINALS[number.sense.value - 1];
    return pick ? { ...joined(number, [suffix]), sense: { type: 'pick', pick } } : null;
  });
  rule('Nominal', ['UnseenPhrase'], 'an intrusion', (word) => entity({ type: 'unseen', words: [word] }), 0.3);
  rule('Nominal', ['PlacePart', 'Of', 'NounPhrase'], 'a truck on the side of the road', (part, _, whole) =>
    partOf(part, whole),
  );
  rule('No', ['Emphasis', 'No'], 'absolutely no cars', (_, word) => word);
  rule('NounPhrase', ['Emphasis', 'NounPhrase'], 'absolutely nobody', (_, noun) => (isNone(noun) ? noun : null));
  rule(
    'Nominal',
    ['Ordinal', 'Nominal'],
    'the second car',
    (pick, noun) => (noun.pick ? null : { ...noun, pick }),
    MODIFIER,
  );
  rule(
    'Nominal',
    ['Action', 'Nominal'],
    'walking people',
    (word, noun) =>
      describes(word.form) && isObject(noun) && !noun.doing && word.sense.action !== 'present'
        ? { ...noun, doing: predicate({ type: 'action', word }, { passive: word.form === 'participle' }) }
        : null,
    0.6,
  );
  rule(
    'Nominal',
    ['UnseenVerb', 'Nominal'],
    'a dancing man',
    (word, noun) => (describes(word.form) && isObject(noun) ? withAttribute(noun, { type: 'unseen', word }) : null),
    UNSEEN,
  );
  rule(
    'Nominal',
    ['UnseenNoun', 'Nominal'],
    'a coffee machine',
    (word, noun) => {
      if (noun.head.type === 'unseen' && noun.attributes.length === 0)
        return { ...noun, head: { type: 'unseen', words: [word, ...noun.head.words] } };
      return noun.head.type === 'camera' ? null : withAttribute(noun, { type: 'unseen', word });
    },
    UNSEEN,
  );
  for (const category of ['UnseenNoun', 'Noun', 'Setting'] as const)
    rule(
      'Nominal',
      [category, 'Genitive', 'Nominal'],
      { UnseenNoun: "a doctor's bag", Noun: "a person's bag", Setting: "the office's chairs" }[category],
      (owner, mark, noun) => withAttribute(noun, { type: 'unseen', word: ownedBy(owner, mark) }),
      MODIFIER,
    );
  rule(
    'Nominal',
    ['Noun', 'UnseenNoun'],
    'a car wash',
    ({ span, text, id }, word) =>
      entity(
        { type: 'unseen', words: [{ span, text, id, reason: word.reason }, word] },
        { plural: word.number === 'many' },
      ),
    UNSEEN,
  );
  rule(
    'Nominal',
    ['Setting', 'Noun'],
    'a street dog',
    ({ span, text, id, sense: _ }, word) => {
      const noun = entity({ type: 'object', word, indefinite: false }, { plural: word.number === 'many' });
      return withAttribute(noun, { type: 'unseen', word: { span, text, id, reason: '' } });
    },
    2 * UNSEEN,
  );

  const dressed = (garment: Entity, noun: Entity) =>
    isObject(noun) ? withModifier(noun, { type: 'worn', colors: [], garment, negation: null }) : null;
  rule('Nominal', ['Colors', 'Garment', 'Nominal'], 'the yellow shirt guy', (words, word, noun) =>
    dressed(entity({ type: 'garment', word }, { attributes: [{ type: 'color', words }] }), noun),
  );
  rule('Nominal', ['Garment', 'Nominal'], 'the safety vest worker', (word, noun) =>
    word.sense.colors ? dressed(entity({ type: 'garment', word }), noun) : null,
  );
  rule(
    'Nominal',
    ['Distinct', 'Nominal'],
    'two separate people',
    (_, noun) => (isObject(noun) && noun.plural ? noun : null),
    MODIFIER,
  );
  rule('Nominal', ['Different', 'Nominal'], 'two different people', ({ span, text, id }, noun) =>
    isObject(noun) && noun.plural
      ? withAttribute(noun, {
          type: 'vague',
          word: { span, text, id, sense: { type: 'vague', reason: REASONS.apart } },
        })
      : null,
  );
  rule(
    'Nominal',
    ['Empty', 'Nominal'],
    'a person in an empty room',
    ({ span, text, id }, noun) =>
      noun.head.type === 'place'
        ? withAttribute(noun, {
            type: 'vague',
            word: { span, text, id, sense: { type: 'vague', reason: REASONS.aside } },
          })
        : null,
    0.3,
  );
  rule(
    'Nominal',
    ['Direction', 'State', 'Nominal'],
    'upwards moving birds',
    (direction, word, noun) =>
      isObject(noun) && !noun.doing && word.sense.state === 'moving'
        ? { ...noun, doing: modified(predicate({ type: 'state', word }), { type: 'direction', word: direction }) }
        : null,
    MODIFIER,
  );

  rule('NounPhrase', ['Nominal'], 'cars', (noun) => noun);
  rule('NounPhrase', ['Determiner', 'Nominal'], ['a car', 'a bus stops'], (determiner, noun) => {
    const made = { ...noun, determiner };
    const isCountable = noun.head.type === 'object' || noun.head.type === 'place';
    return isCountable && noun.plural && OF_ONE.test(determiner.text) ? new Unlikely(made, DISAGREEMENT) : made;
  });
  rule('NounPhrase', ['Other', 'Nominal'], 'the other car', (determiner, noun) =>
    isObject(noun) ? { ...noun, determiner } : null,
  );
  rule('NounPhrase', ['Possessive', 'Nominal'], 'a person in his car', (_, noun) => noun);
  rule('NounPhrase', ['Amount', 'Nominal'], 'two cars', (amount, noun) =>
    isObject(noun) && !noun.negation ? { ...noun, amount, plural: true } : null,
  );
  rule('NounPhrase', ['Determiner', 'Amount', 'Nominal'], 'the two cars', (determiner, amount, noun) =>
    isObject(noun) ? { ...noun, determiner, amount, plural: true } : null,
  );
  rule('NounPhrase', ['No', 'Nominal'], 'no car', (negation, noun) =>
    isObject(noun) || noun.head.type === 'text' || noun.head.type === 'light' ? { ...noun, negation } : null,
  );
  rule(
    'NounPhrase',
    ['Pronoun'],
    'it stops',
    (word) => entity({ type: 'pronoun', word, person: word.person }, { plural: word.plural === true }),
    MODIFIER,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Complement'],
    'a person near a car',
    (noun, modifier) => {
      const isAnother = noun.head.type === 'pronoun' && noun.head.other === true;
      if (!(isObject(noun) || isAnother) || noun.doing) return null;
      const made = withModifier(noun, modifier);
      return noun.modifiers.length > 0 ? new Unlikely(made, 0.05) : made;
    },
    MODIFIER,
  );
  const anyOne = ({ span, text, id }: Leaf) =>
    entity(
      { type: 'object', word: { span, text, id, sense: { type: 'noun', classes: [] } }, indefinite: false, one: true },
      { plural: /s$/i.test(text) },
    );
  rule('NounPhrase', ['OnePhrase'], 'the red one', ({ attribute, one }) => withAttribute(anyOne(one), attribute), 0.5);
  rule('Nominal', ['One'], ['the one on the left moves', 'which one leaves first'], (one) => anyOne(one), 0.8);
  rule(
    'NounPhrase',
    ['Noun', 'Attribute'],
    'anything red',
    (word, attribute) =>
      word.indefinite && !word.doing && (attribute.type === 'color' || attribute.type === 'vague')
        ? withAttribute(entity({ type: 'object', word, indefinite: true }), attribute)
        : null,
    0.2,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Alone'],
    'a person alone',
    (noun, word) =>
      isObject(noun) && !noun.plural && !noun.amount && !noun.negation
        ? { ...noun, amount: { words: [word], min: 1, max: 1, vague: false } }
        : null,
    MODIFIER,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Who', 'Be', 'Alone'],
    'a person who is alone',
    (noun, _, _be, word) =>
      isObject(noun) && !noun.plural && !noun.amount && !noun.negation
        ? { ...noun, amount: { words: [word], min: 1, max: 1, vague: false } }
        : null,
    MODIFIER,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Limit'],
    'people at least 3',
    (noun, amount) => (isObject(noun) && noun.plural && !noun.amount && !noun.negation ? { ...noun, amount } : null),
    0.8,
  );
  rule('NounPhrase', ['NounPhrase', 'OrMore'], 'three people or more', (noun, word) => {
    const { amount } = noun;
    const isOpen = amount !== null && amount.max === null && !amount.vague && /more$/i.test(word.text);
    return isOpen ? { ...noun, amount: { ...amount, words: [...amount.words, word] } } : null;
  });
  rule('NounPhrase', ['Count', 'Limit'], 'a crowd of over twenty', (count, amount) => ofPeople(count, amount), 0.5);
  rule(
    'NounPhrase',
    ['Noun', 'Setting'],
    'person driveway',
    (word, place) =>
      word.sense.classes.join() === 'person' && word.number === 'one' && place.number === 'one'
        ? withModifier(
            entity({ type: 'object', word, indefinite: false }),
            atPlace(entity({ type: 'place', word: place }), place),
          )
        : null,
    UNSEEN,
  );
  rule(
    'NounPhrase',
    ['Determiner', 'Colors', 'Or', 'Determiner', 'Nominal'],
    'a red or a blue car',
    (_, words, _or, _the, noun) => {
      const [attribute, ...others] = noun.attributes;
      return isObject(noun) && attribute?.type === 'color'
        ? { ...noun, attributes: [{ type: 'color', words: [...words, ...attribute.words] }, ...others] }
        : null;
    },
    0.1,
  );
  rule('NounPhrase', ['NounPhrase', 'Met'], 'the first person we meet', (noun) => (isObject(noun) ? noun : null), 0.1);
  rule(
    'NounPhrase',
    ['NounPhrase', 'Who', 'Met'],
    'the first person that we meet',
    (noun) => (isObject(noun) ? noun : null),
    0.1,
  );
  rule('NounPhrase', ['NounPhrase', 'Else'], 'anyone else', (noun, word) =>
    noun.head.type === 'object' && !noun.determiner ? { ...noun, determiner: { ...word, type: 'other' } } : null,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Who', 'VerbPhrase'],
    'a car that stops',
    (noun, who, { form, predicate: doing }) => {
      const { head, negation } = doing;
      // "A dog near a person who runs": it is the person who does.
      if (/^who$/i.test(who.text) && !wears(noun) && noun.modifiers.some(isBesidePerson)) return null;
      // "Cars that are not white".
      if (head.type === 'color' && negation && isObject(noun) && doing.modifiers.length === 0)
        return withModifier(noun, {
          type: 'excluded',
          words: [negation],
          attribute: { type: 'color', words: head.words },
          other: null,
        });
      const described = isObject(noun) && !noun.doing && !describes(form) ? describedBy(noun, doing) : null;
      // "A person next to a car that is white": the car.
      if (described) return noun.modifiers.length > 0 ? new Unlikely(described, 0.05) : described;
      const agrees = form === 'present' || form === 'past' || (form === 'base' && noun.plural);
      return agrees && isObject(noun) && !noun.doing ? { ...noun, doing } : null;
    },
    MODIFIER,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Who', 'VerbPhrase', 'Pick'],
    'the man who came in first',
    (noun, _, { form, predicate: doing }, pick) =>
      isObject(noun) &&
      !describes(form) &&
      !noun.doing &&
      !noun.pick &&
      (pick.sense.pick === 'first' || pick.sense.pick === 'last')
        ? { ...noun, doing, pick }
        : null,
    MODIFIER,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Who', 'VerbPhrases'],
    'a car that is red and is moving',
    (noun, _, verbs) => {
      const folded = isObject(noun) && !noun.doing && !describes(verbs.form) ? foldPredicates(noun, verbs) : null;
      return folded && { ...folded.noun, doing: folded.main };
    },
    MODIFIER,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Complement', 'And', 'Complement'],
    'a banana left of a bowl and right of a cup',
    (noun, a, _, b) => relatedTwice(noun, a, b),
    MODIFIER,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Complement', 'But', 'Complement'],
    'a person without a dog but with a bag',
    (noun, a, _, b) => relatedTwice(noun, a, b),
    MODIFIER,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'VerbPhrase'],
    'a person entering a room',
    (noun, { form, predicate: doing }) =>
      describes(form) && isObject(noun) && !noun.doing ? { ...noun, doing } : null,
    REDUCED_CLAUSE,
  );

  rule(
    'NounPhrase',
    ['NounPhrase', 'Except', 'OnePhrase'],
    'cars but not red ones',
    (noun, word, { attribute, one }) =>
      isObject(noun) && !noun.negation
        ? withModifier(noun, { type: 'excluded', words: [word, one], attribute, other: null })
        : null,
  );
  const exceptDoing = (noun: Entity, word: Leaf, them: Leaf, { form, predicate: doing }: VerbPhrase): Entity | null => {
    const isDoing = doing.head.type === 'action' || doing.head.type === 'state';
    const isFree = isObject(noun) && !noun.negation && !noun.doing && !doing.negation && isDoing;
    return isFree && (form !== 'base' || noun.plural)
      ? { ...noun, doing: { ...doing, negation: joined(word, [them]) } }
      : null;
  };
  for (const except of ['Except', 'But'] as const) {
    const text = except === 'Except' ? 'cars except' : 'all cars but';
    const isLimited = (noun: Entity) => except === 'Except' || isUniversal(noun);
    rule(
      'NounPhrase',
      ['NounPhrase', except, 'Them', 'Who', 'VerbPhrase'],
      `${text} the ones that stop`,
      (noun, word, them, _, verb) =>
        isLimited(noun) && !describes(verb.form) ? exceptDoing(noun, word, them, verb) : null,
    );
    rule(
      'NounPhrase',
      ['NounPhrase', except, 'Them', 'VerbPhrase'],
      `${text} those parked`,
      (noun, word, them, verb) =>
        isLimited(noun) && describes(verb.form) ? exceptDoing(noun, word, them, verb) : null,
    );
  }
  rule(
    'NounPhrase',
    ['NounPhrase', 'But', 'OnePhrase'],
    'all cars but the white one',
    (noun, word, { attribute, one }) =>
      isUniversal(noun) ? withModifier(noun, { type: 'excluded', words: [word, one], attribute, other: null }) : null,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Except', 'NounPhrases'],
    'vehicles except trucks and buses',
    (noun, word, { conjunction, members }) => {
      const [other, ...others] = members;
      return isObject(noun) && !noun.negation && conjunction !== 'nor' && members.every(isObject)
        ? withModifier(noun, { type: 'excluded', words: [word], attribute: null, other: other!, others })
        : null;
    },
  );
  rule('NounPhrase', ['NounPhrase', 'But', 'NounPhrase'], 'all vehicles but trucks', (noun, word, other) =>
    isUniversal(noun) && isObject(other) && !other.negation
      ? withModifier(noun, { type: 'excluded', words: [word], attribute: null, other })
      : null,
  );
  rule(
    'NounPhrase',
    ['NounPhrase', 'Comma', 'Not', 'OnePhrase'],
    'the green bottle, not the blue one',
    (noun, _, word, { attribute, one }) =>
      isObject(noun) && !noun.negation
        ? withModifier(noun, { type: 'excluded', words: [word, one], attribute, other: null })
        : null,
  );
  rule('NounPhrase', ['NounPhrase', 'Comma', 'Not', 'NounPhrase'], 'vehicles, not trucks', (noun, _, word, other) =>
    isObject(noun) && isObject(other) && !noun.negation && !other.negation
      ? withModifier(noun, { type: 'excluded', words: [word], attribute: null, other })
      : null,
  );
  rule('NounPhrase', ['NounPhrase', 'Except', 'NounPhrase'], 'vehicles except trucks', (noun, word, other) =>
    isObject(noun) && isObject(other) && !noun.negation
      ? withModifier(noun, { type: 'excluded', words: [word], attribute: null, other })
      : null,
  );
  rule('NounPhrases', ['NounPhrase', 'And', 'NounPhrase'], 'a car and a person', (a, _, b) => group('and', a, b), 0.4);
  rule('NounPhrases', ['NounPhrase', 'Or', 'NounPhrase'], 'a car or a person', (a, _, b) => group('or', a, b), 0.4);
  rule(
    'NounPhrases',
    ['Either', 'NounPhrase', 'Or', 'NounPhrase'],
    'either a car or a truck',
    (_, a, _or, b) => group('or', a, b),
    0.2,
  );
  rule(
    'NounPhrases',
    ['NounPhrase', 'Comma', 'NounPhrases'],
    'a car, a person and a dog',
    (a, _, { conjunction, members }) => (conjunction === 'nor' ? null : group(conjunction, a, ...members)),
    0.4,
  );
  rule(
    'NounPhrases',
    ['NounPhrase', 'Comma', 'And', 'NounPhrase'],
    'a car, and a person',
    (a, _, _and, b) => group('and', a, b),
    0.5,
  );
  rule(
    'NounPhrases',
    ['NounPhrase', 'Comma', 'Or', 'NounPhrase'],
    'a car, or a person',
    (a, _, _or, b) => group('or', a, b),
    0.5,
  );
  rule('NounPhrases', ['Neither', 'NounPhrase', 'Nor', 'NounPhrase'], 'neither cars nor people', (negation, a, _, b) =>
    group('nor', { ...a, negation }, { ...b, negation }),
  );
  rule(
    'NounPhrases',
    ['No', 'Nominal', 'Nor', 'Nominal'],
    'no cars or people',
    (negation, a, _, b) => group('nor', { ...a, negation }, { ...b, negation }),
    0.2,
  );
  rule(
    'NounPhrases',
    ['No', 'Nominal', 'And', 'Nominal'],
    'no cars and people',
    (negation, a, _, b) => group('nor', { ...a, negation }, { ...b, negation }),
    0.2,
  );
  rule(
    'NounPhrases',
    ['No', 'Nominal', 'Comma', 'Nominal', 'Nor', 'Nominal'],
    'no cars, people or dogs',
    (negation, a, _, b, _nor, c) => group('nor', { ...a, negation }, { ...b, negation }, { ...c, negation }),
    0.2,
  );
  rule(
    'NounPhrases',
    ['NounPhrases', 'Complement'],
    'cars and trucks near a person',
    (nouns, modifier) =>
      nouns.members.every((member) => member.modifiers.length === 0 && !member.doing) && isOne(nouns)
        ? { ...nouns, members: nouns.members.map((member) => withModifier(member, modifier)) }
        : null,
    MODIFIER,
  );
  rule(
    'NounPhrases',
    ['NounPhrases', 'VerbPhrase'],
    'cars, trucks and buses entering',
    (nouns, { form, predicate: doing }) => {
      if (!describes(form) || nouns.members.some((member) => member.doing !== null)) return null;
      const made = { ...nouns, members: nouns.members.map((member) => ({ ...member, doing })) };
      // "A car, a dog, and a person standing": only the person stands.
      const isList = nouns.members.length > 2 && nouns.members.at(-1)!.determiner?.type === 'indefinite';
      return isList ? new Unlikely(made, UNSEEN) : made;
    },
    REDUCED_CLAUSE,
  );
  rule(
    'NounPhrases',
    ['NounPhrases', 'Who', 'VerbPhrase'],
    'cars and trucks that stop',
    (nouns, _, { form, predicate: doing }) =>
      !describes(form) && nouns.members.every((member) => member.doing === null)
        ? { ...nouns, members: nouns.members.map((member) => ({ ...member, doing })) }
        : null,
    MODIFIER,
  );
  const shared = (conjunction: NominalGroup['conjunction'], noun: Entity, ...before: readonly EntityAttribute[]) =>
    isObject(noun) && noun.attributes.length > 0 && !noun.pick
      ? group(conjunction, ...before.map((attribute) => ({ ...noun, attributes: [attribute] })), noun)
      : null;
  rule(
    'NounPhrases',
    ['Determiner', 'Attribute', 'And', 'Determiner', 'Nominal'],
    'a red and a blue car',
    (_, a, _and, _the, noun) => shared('and', noun, a),
    0.1,
  );
  rule(
    'NounPhrases',
    ['Determiner', 'Attribute', 'Comma', 'Determiner', 'Attribute', 'And', 'Determiner', 'Nominal'],
    'a red, a white and a black car',
    (_, a, _comma, _a, b, _and, _the, noun) => shared('and', noun, a, b),
    0.1,
  );
  const bothOf = (first: Categories['Pick'], next: Categories['Pick'], noun: Categories['Nominal']) =>
    noun.pick ? null : group('and', { ...noun, pick: first }, { ...noun, pick: next });
  rule(
    'NounPhrases',
    ['Pick', 'And', 'Ordinal', 'Nominal'],
    'time between the first and second car',
    (pick, _and, next, noun) => bothOf(pick, next, noun),
    0.1,
  );
  rule(
    'NounPhrases',
    ['Pick', 'And', 'Determiner', 'Ordinal', 'Nominal'],
    'time between the first and the second car',
    (pick, _and, _the, next, noun) => bothOf(pick, next, noun),
    0.1,
  );
  rule(
    'NounPhrases',
    ['Pick', 'And', 'Pick', 'Nominal'],
    ['time between the first and the last car', 'the first and the last car'],
    (pick, _and, last, noun) => bothOf(pick, last, noun),
    0.1,
  );
  rule(
    'NounPhrases',
    ['NounPhrase', 'But', 'NounPhrase'],
    'two cars but no people',
    (a, _, b) => (b.negation && !a.negation ? group('and', a, b) : null),
    0.4,
  );

  rule('Subject', ['NounPhrase'], 'a car stops', (noun) => noun);
  rule('Subject', ['NounPhrases'], 'a car and a truck stop', (nouns) => nouns);
}

const relatedTwice = (noun: Entity, a: Modifier, b: Modifier): Entity | null =>
  isObject(noun) && !noun.doing && a.type === 'relation' && b.type === 'relation'
    ? withModifier(withModifier(noun, a), b)
    : null;

/** "That is red", "who is on the left": what only describes. */
function describedBy(noun: Entity, doing: Predicate): Entity | null {
  if (doing.head.type !== 'color' && doing.head.type !== 'exists') return null;
  const folded = foldPredicates(noun, { form: 'present', join: 'and', predicates: [doing] });
  return folded && folded.main === null ? folded.noun : null;
}

/**
 * Of several predicates of one object, all but one describe it: "red and moving". Null where several do not, or where
 * they follow one another.
 */
export function foldPredicates(noun: Entity, { join, predicates }: VerbPhrases): FoldedNoun | null {
  if (join !== 'and' || predicates.some(({ negation }) => negation)) return null;
  let folded = noun;
  let main: Predicate | null = null;
  const put = (what: Predicate) => {
    const isFree = main === null;
    main = what;
    return isFree;
  };
  const states = predicates.filter(({ head }) => head.type === 'state');
  const isStateMain = predicates.every(({ head }) => head.type !== 'action' && head.type !== 'unseen');
  for (const what of predicates) {
    const { head, object, modifiers } = what;
    const isBare = modifiers.length === 0 && object === null;
    if (head.type === 'color' && isBare) {
      if (folded.attributes.some(({ type }) => type === 'color')) return null;
      folded = withAttribute(folded, { type: 'color', words: head.words });
    } else if (head.type === 'owns' && object?.kind === 'entity' && modifiers.length === 0)
      folded = withModifier(folded, owned(head.word, object));
    else if (head.type === 'exists' && modifiers.length > 0)
      folded = { ...folded, modifiers: [...folded.modifiers, ...modifiers] };
    else if (head.type === 'action' && head.word.sense.relation && object && isBare && predicates.length > 1) {
      const { span, text, id, sense } = head.word;
      const { relation, caveat } = sense;
      const word = { span, text, id, sense: { type: 'relation', relation: relation!, caveat: caveat! } as const };
      folded = withModifier(folded, { type: 'relation', word, negation: null, other: object });
    } else if (head.type === 'state' && !(isStateMain && states.length === 1)) {
      if (!isBare || folded.attributes.some(({ type }) => type === 'state')) return null;
      folded = withAttribute(folded, { type: 'state', word: head.word });
    } else if (!put(what)) return null;
  }
  return folded === noun ? null : { noun: folded, main };
}

/** An object with its descriptions, and the predicate that is not one of them (null if all are). */
type FoldedNoun = { readonly noun: Entity; readonly main: Predicate | null };

/** "Has a bag". */
const owned = ({ span, text, id }: Leaf, other: Entity): Modifier => ({
  type: 'relation',
  word: { span, text, id, sense: { type: 'relation', relation: 'with' } },
  negation: null,
  other,
});

/** "A crowd of over twenty": of people. */
function ofPeople({ span, text, id }: Leaf, amount: Quantifier): Entity | null {
  const sense = { type: 'noun', classes: ['person'] } as const;
  return entity({ type: 'object', word: { span, text, id, sense }, indefinite: false }, { amount, plural: true });
}

/** An object with an exception, which what follows belongs to. */
export const isExcepting = ({ modifiers }: Entity): boolean => modifiers.some(({ type }) => type === 'excluded');

/** Conjuncts with different descriptions are less likely one phrase. */
function group(
  conjunction: NominalGroup['conjunction'],
  ...members: readonly Entity[]
): NominalGroup | Unlikely<NominalGroup> | null {
  if (!members.every((member) => isObject(member) || member.head.type === 'garment')) return null;
  // "Except birds and cats": both are excepted.
  if (members.slice(0, -1).some(isExcepting)) return null;
  if (conjunction !== 'nor' && members.some((member) => member.negation) && !members.at(-1)!.negation) return null;
  const shape = ({ doing, modifiers, attributes }: Entity) =>
    [doing !== null, modifiers.length > 0, attributes.some(({ type }) => type === 'unseen')].join();
  const [first, ...others] = members;
  // "An unattended backpack or suitcase": it describes both.
  const isShared =
    first!.doing && first!.modifiers.length === 0 && others.every(({ doing, determiner }) => !doing && !determiner);
  const nouns: NominalGroup = {
    kind: 'group',
    conjunction,
    members: isShared ? members.map((member) => ({ ...member, doing: first!.doing })) : members,
  };
  if (
    !isShared &&
    first!.doing &&
    first!.modifiers.length === 0 &&
    others.some(({ doing, determiner }) => !doing && !determiner)
  )
    return null;
  const isUnlike = isOne(nouns) && new Set(nouns.members.map(shape)).size > 1;
  // "Next to a car and a dog": next to both.
  const isOuter = first!.modifiers.length > 0 && members.at(-1)!.modifiers.length === 0;
  return isUnlike ? new Unlikely(nouns, UNSEEN) : isOuter ? new Unlikely(nouns, 0.05) : nouns;
}

/** Nouns that share their determiner, or alternatives: what follows describes all of them. */
const isOne = ({ conjunction, members }: NominalGroup): boolean =>
  conjunction !== 'and' || members.slice(1).every(({ determiner }) => determiner === null);

const isBesidePerson = (modifier: Modifier): boolean =>
  'other' in modifier && modifier.other?.kind === 'entity' && wears(modifier.other);

const EVERYONE = /^every(?:one|body)$/i;
/** "All vehicles", "anything": of which some may be excepted. */
const isUniversal = (noun: Entity): boolean =>
  isObject(noun) &&
  !noun.negation &&
  !noun.amount &&
  (noun.determiner?.whole === 'all' ||
    noun.determiner?.type === 'any' ||
    (noun.head.type === 'object' && noun.head.indefinite));

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;
/** Attributes that a noun has at most once. */
const ONCE: ReadonlySet<EntityAttribute['type']> = new Set(['color', 'state', 'side']);

/** "The doctor's": nobody can see whose it is. */
function ownedBy(owner: Leaf, mark: Leaf): UnseenWord {
  return { ...joined(owner, [mark]), text: `${owner.text}${mark.text}`, reason: UNKNOWN_WORD };
}

/** "The side of the road": the part is not recognized, and the whole is a place or an object. */
function partOf({ span, text, id }: Leaf, whole: Entity): Entity | null {
  const isWhole = whole.head.type === 'place' || whole.head.type === 'object';
  if (!isWhole || whole.negation || whole.amount || whole.pick || whole.doing) return null;
  if (whole.head.type === 'object' && (whole.head.indefinite || whole.head.word.sense.negated)) return null;
  const reason = whole.head.type === 'place' ? REASONS.place : REASONS.partOfObject;
  return withAttribute(whole, { type: 'vague', word: { span, text, id, sense: { type: 'vague', reason } } });
}

/** Determiners of one: "a bus stops" is about a bus, and not about stops. */
const OF_ONE = /^(?:an?|another|each|every)$/i;
const DISAGREEMENT = 0.8;
