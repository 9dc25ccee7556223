import type { Leaf, Modifier, Nominal, Predicate, PredicateHead, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { Unlikely } from '../../../parse/rules.ts';
import { CLOSE_HANDS, REASONS, REMOVED, UNKNOWN_WORD } from '../../../reasons.ts';
import type { Action } from '../../../terms.ts';
import type { Categories, VerbPhrase, VerbPhrases } from '../categories.ts';
import { MODIFIER, REDUCED_CLAUSE, UNSEEN } from '../costs.ts';
import type { VerbForm } from '../morphology.ts';
import {
  describes,
  isBase,
  isClitic,
  isFiniteForm,
  joined as joinLeaves,
  leafOf,
  modified,
  phraseOf,
  predicate,
  wears,
} from './build.ts';

/** Verbs with their objects, modifiers and auxiliaries: "does not stop near a car for 10 s". */
export function predicateRules(rule: AddRule<Categories>): void {
  const phrase = (form: VerbForm, what: Predicate): VerbPhrase => ({ form, predicate: what });

  rule('VerbHead', ['Action'], 'a car stops', (word) => phrase(word.form, predicate({ type: 'action', word })));
  rule('VerbHead', ['Move'], 'the camera pans', (word) => phrase(word.form, predicate({ type: 'camera_move', word })));
  rule('VerbHead', ['SignalVerb'], 'the clip fades', (word) => phrase(word.form, predicate({ type: 'signal', word })));
  rule('VerbHead', ['SoundVerb'], 'it gets loud', (word) => phrase(word.form, predicate({ type: 'sound', word })));
  rule('VerbHead', ['UnseenVerb'], 'a person dances', (word) => phrase(word.form, predicate({ type: 'unseen', word })));
  rule('VerbHead', ['Return'], 'a car stops and returns', (word) =>
    phrase(word.form, predicate({ type: 'returns', word })),
  );

  rule('VerbPhrase', ['VerbHead'], 'a car stops', ({ form, predicate: head }) => {
    const isDangling = head.head.type === 'action' && isOfObject(head.head.word);
    // "A bag left behind": it did not leave anything behind itself.
    const isUndone =
      head.head.type === 'action' && (isFiniteForm(form) || isBase(form)) && DONE_TO.has(head.head.word.sense.action);
    return isDangling || isUndone ? null : phrase(form, { ...head, passive: form === 'participle' });
  });
  rule(
    'VerbPhrase',
    ['Get', 'Subject'],
    'a cat gets a medal',
    (word, object) =>
      phrase(word.form, predicate({ type: 'unseen', word: { ...word, reason: UNKNOWN_WORD } }, { object })),
    0.5,
  );
  rule(
    'VerbPhrase',
    ['Get', 'Determiner', 'Picture'],
    'a cat gets a shot',
    (word) => phrase(word.form, predicate({ type: 'unseen', word: { ...word, reason: UNKNOWN_WORD } })),
    0.5,
  );
  rule(
    'VerbPhrase',
    ['VerbHead', 'Subject'],
    'a person carries a bag',
    ({ form, predicate: head }, object) => withObject(form, head, object),
    0.1,
  );
  rule(
    'VerbPhrase',
    ['VerbHead', 'Reciprocal'],
    'two people approach each other',
    ({ form, predicate: head }, word) => phrase(form, modified(head, { type: 'mutual', word, relation: null })),
    0.1,
  );
  rule(
    'VerbPhrase',
    ['VerbHead', 'By', 'Subject'],
    'a bag taken away by a person',
    ({ form, predicate: head }, _, agent) =>
      form === 'participle' ? phrase(form, { ...head, passive: true, agent }) : null,
    0.1,
  );
  rule(
    'VerbPhrase',
    ['VerbHead', 'Subject'],
    'overtaken by a truck',
    ({ form, predicate: head }, agent) =>
      form === 'participle' && head.head.type === 'action' && head.head.word.sense.passive
        ? phrase(form, { ...head, passive: true, agent })
        : null,
    0.1,
  );
  rule(
    'VerbPhrase',
    ['Separable', 'Subject', 'Particle'],
    ['a person leaves a bag behind', 'a person brings a dog in'],
    ({ form, particles, ...verb }, object, particle) => {
      const sense = particles[particle.text.toLowerCase()];
      if (!sense) return null;
      const { action, relation } = sense;
      const { span, text, id } = verb;
      if (!relation) return phrase(form, predicate(actionHead(verb, action), { object }));
      const word = { span, text, id, sense: { type: 'relation', relation, caveat: CLOSE_HANDS } as const };
      return phrase(
        form,
        modified(predicate(actionHead(particle, action)), { type: 'relation', word, negation: null, other: object }),
      );
    },
    0.1,
  );
  const moved =
    (action: Action) =>
    ({ form, predicate: what }: VerbPhrase) => {
      const { head } = what;
      if (head.type !== 'action' || head.word.sense.action !== 'moves' || head.word.sense.relation) return null;
      // "Runs in": enters, which is more than a way of moving.
      const { posed, ...sense } = head.word.sense;
      const own = { ...sense, action, ...(posed && action === 'moves' ? { posed } : {}) };
      return phrase(form, { ...what, head: { type: 'action', word: { ...head.word, sense: own } } });
    };
  const inPicture = (category: 'Into' | 'Out' | 'Across', example: string, action: Action) => {
    rule('VerbPhrase', ['VerbHead', category, 'Determiner', 'Picture'], `${example} the frame`, moved(action));
    rule('VerbPhrase', ['VerbHead', category, 'Picture'], `${example} frame`, moved(action));
  };
  inPicture('Into', 'a car travels into', 'enters');
  inPicture('Out', 'a car travels out of', 'leaves');
  inPicture('Across', 'a car travels through', 'moves');
  const acrossEdge = ({ form, predicate: what }: VerbPhrase) =>
    what.head.type === 'action' && EDGES.has(what.head.word.sense.action) ? phrase(form, what) : null;
  // Of every verb of motion: "flies past", "rides out", "wanders around".
  for (const [category, action, particle, example] of [
    ['In', 'enters', /^in$/i, 'a person walks in'],
    ['Out', 'leaves', /^out$/i, 'a bird flies out'],
    ['Past', 'passes', /^past$/i, 'a bird flies past'],
    ['By', 'passes', /^by$/i, 'a bird flies by'],
    ['Across', 'crosses', /^across$/i, 'a bird flies across'],
    ['Across', 'moves', /^(?:thr|along)/i, 'a car drives through'],
    ['Around', 'moves', /^(?:around|about)$/i, 'a bird flies around'],
  ] as const)
    rule(
      'VerbPhrase',
      ['VerbHead', category],
      example,
      (verb, word) => {
        const made = particle.test(word.text) ? moved(action)(verb) : null;
        const head = made?.predicate.head;
        return head?.type === 'action'
          ? phrase(verb.form, {
              ...verb.predicate,
              head: { ...head, word: { ...head.word, ...joinLeaves(head.word, [word]) } },
            })
          : null;
      },
      0.2,
    );
  // An edge of the frame is passed; in a half or a corner of it something is.
  for (const [category, example] of [
    ['Across', 'a car leaves through the right edge'],
    ['Over', 'a car enters over the left edge'],
    ['Past', 'a car leaves past the right edge'],
    ['Out', 'a car drives out of the right side'],
    ['By', 'a car leaves by the right edge'],
  ] as const)
    rule('VerbPhrase', ['VerbHead', category, 'SidePhrase'], example, (verb, _, place) => {
      const passing = category === 'Out' ? (moved('leaves')(verb) ?? acrossEdge(verb)) : acrossEdge(verb);
      const isEdge = place.parts.some(({ sense }) => sense.part === 'edge');
      const { head } = passing?.predicate ?? verb.predicate;
      return passing && isEdge && head.type === 'action' && head.word.sense.action !== 'crosses'
        ? phrase(passing.form, modified(passing.predicate, { type: 'side', role: 'at', place }))
        : null;
    });
  rule('VerbPhrase', ['VerbHead', 'Determiner', 'Picture'], 'a car leaves the scene', acrossEdge);
  rule('VerbPhrase', ['VerbHead', 'Picture'], 'a car exits frame', acrossEdge);
  rule(
    'VerbPhrase',
    ['VerbPhrase', 'Modifier'],
    'a car stops near a truck',
    ({ form, predicate: what }, modifier) => {
      if (what.head.type === 'speech' && !isOfSpeech(modifier)) return null;
      if (modifier.type === 'worn' && isAboutWearer(what)) return null;
      const made = phrase(form, modified(what, modifier));
      return isAbandoned(made, modifier) ? new Unlikely(made, REDUCED_CLAUSE) : made;
    },
    MODIFIER,
  );
  rule(
    'VerbPhrase',
    ['Vague', 'VerbPhrase'],
    'a car suddenly stops',
    (word, { form, predicate: what }) => phrase(form, modified(what, { type: 'vague', word })),
    MODIFIER,
  );
  rule(
    'VerbPhrase',
    ['VerbPhrase', 'TimeRange'],
    'a car parked between 10 and 15 minutes',
    ({ form, predicate: what }, amount) =>
      isRest(what) ? phrase(form, modified(what, { type: 'lasting', amount })) : null,
  );
  rule(
    'VerbPhrase',
    ['VerbPhrase', 'Measure'],
    'a person stands 10 seconds before leaving',
    ({ form, predicate: what }, amount) =>
      isRest(what) && amount.dimension === 'time' && amount.bare
        ? phrase(form, modified(what, { type: 'lasting', amount }))
        : null,
    0.3,
  );
  rule('VerbPhrase', ['VerbPhrase', 'Here'], 'a car parked here for 10 minutes', (verb) => verb, MODIFIER);
  rule(
    'VerbPhrase',
    ['Action', 'Modifier'],
    'a bag was left on the bench',
    (word, modifier) => {
      const isLeft = word.form === 'perfect' && word.sense.action === 'leaves';
      const isLasting = modifier.type === 'lasting' || (modifier.type === 'role' && modifier.surface !== null);
      const what = predicate({ type: 'action', word }, { passive: true, modifiers: [modifier] });
      return isLeft && isLasting ? phrase('participle', what) : null;
    },
    MODIFIER,
  );
  rule(
    'VerbPhrase',
    ['Throughout', 'VerbPhrase'],
    'a car always stands',
    (word, { form, predicate: what }) => phrase(form, modified(what, { type: 'throughout', word })),
    MODIFIER,
  );
  rule('Throughout', ['Determiner', 'Throughout'], 'is the car parked the entire time', (_, word) => word);
  rule('VerbPhrase', ['Emphasis', 'VerbPhrase'], 'nobody absolutely moves', (_, verb) => verb, 0.3);
  rule('Predication', ['Emphasis', 'Predication'], 'the room is completely empty', (_, verb) => verb, 0.3);
  rule(
    'Predication',
    ['Intensity', 'Predication'],
    'it is very dark',
    ({ span, text, id }, { form, predicate: what }) => {
      const word = { span, text, id, sense: { type: 'vague', reason: REASONS.notMeasured } } as const;
      return STAYING.has(what.head.type) ? phrase(form, modified(what, { type: 'vague', word })) : null;
    },
    0.3,
  );
  rule('Vague', ['Intensity', 'Vague'], 'a car stops very suddenly', (word, vague) => intensified(word, vague));
  rule('Vague', ['Emphasis', 'Vague'], 'a car moves completely straight', (_, vague) => vague, 0.1);
  rule('VerbPhrase', ['VerbPhrase', 'Adverb'], 'a car stops later', (verb) => verb, MODIFIER);
  rule('VerbPhrase', ['Adverb', 'VerbPhrase'], 'a car still stands', (_, verb) => verb, MODIFIER);
  rule(
    'VerbPhrase',
    ['Not', 'VerbPhrase'],
    'a car never stops',
    (negation, { form, predicate: what }) => negated(form, what, negation),
    MODIFIER,
  );
  rule('VerbPhrase', ['Do', 'Not', 'VerbPhrase'], 'a car does not stop', (_, negation, { form, predicate: what }) =>
    isBase(form) ? negated('present', what, negation) : null,
  );
  rule(
    'VerbPhrase',
    ['Do', 'VerbPhrase'],
    'a car does stop',
    (_, { form, predicate: what }) => (isBase(form) && !what.negation ? phrase('present', what) : null),
    MODIFIER,
  );
  rule('VerbPhrase', ['DoNot', 'VerbPhrase'], "a car doesn't stop", (negation, { form, predicate: what }) =>
    isBase(form) ? negated('present', what, negation) : null,
  );
  rule('VerbPhrase', ['Have', 'VerbPhrase'], 'a car has stopped', (_, { form, predicate: what }) =>
    isPerfect(form) ? phrase('present', { ...what, passive: false }) : null,
  );
  rule('VerbPhrase', ['Have', 'All', 'VerbPhrase'], 'the people have all left', (_, _all, { form, predicate: what }) =>
    isPerfect(form) ? phrase('present', { ...what, passive: false }) : null,
  );
  rule('VerbPhrase', ['Be', 'All', 'Predication'], 'the cars are all parked', (be, _, { form, predicate: what }) =>
    be.form === 'participle' ? null : phrase(be.form, passiveOf(form, what)),
  );
  rule('VerbPhrase', ['HaveNot', 'VerbPhrase'], "a car hasn't stopped", (negation, { form, predicate: what }) =>
    isPerfect(form) ? negated('present', { ...what, passive: false }, negation) : null,
  );
  rule(
    'VerbPhrase',
    ['Have', 'Subject'],
    'a person has a bag',
    (have, object) => (isClitic(have) ? null : phrase(have.form, predicate({ type: 'owns', word: have }, { object }))),
    0.3,
  );
  rule(
    'VerbPhrase',
    ['Have', 'Get', 'Subject'],
    "she's got a bag",
    (have, get, object) =>
      get.form === 'past' ? phrase(have.form, predicate({ type: 'owns', word: have }, { object })) : null,
    0.3,
  );
  rule(
    'VerbPhrase',
    ['Have', 'Subject', 'OnIt'],
    'a truck that has a bicycle on it',
    (have, object) => phrase(have.form, predicate({ type: 'owns', word: have }, { object })),
    0.3,
  );
  rule('VerbPhrase', ['Wearing', 'Colors'], 'a person who wears red', ({ form }, colors) =>
    form && form !== 'ing'
      ? phrase(form, modified(predicate({ type: 'exists' }), { type: 'worn', colors, garment: null, negation: null }))
      : null,
  );
  rule('VerbPhrase', ['Wearing', 'NounPhrase'], 'a person who wears a red jacket', ({ form }, garment) =>
    form && form !== 'ing' && garment.head.type === 'garment'
      ? phrase(form, modified(predicate({ type: 'exists' }), { type: 'worn', colors: [], garment, negation: null }))
      : null,
  );
  rule('VerbPhrase', ['VerbPhrase', 'WithThem'], 'a person has a dog with them', (verb) =>
    verb.predicate.head.type === 'owns' ? verb : null,
  );
  rule('VerbPhrase', ['Begin', 'VerbPhrase'], 'a car starts to turn', (begin, { form, predicate: what }) =>
    isBase(form) ? phrase(begin.form, what) : null,
  );
  rule('VerbPhrase', ['BeginDoing', 'VerbPhrase'], 'a person keeps walking', (begin, { form, predicate: what }) =>
    form === 'ing' ? phrase(begin.form, what) : null,
  );
  for (const pause of [[], ['Comma']] as const)
    rule(
      'VerbPhrase',
      ['VerbPhrase', 'Comma', 'Not', 'VerbPhrase', ...pause],
      pause.length > 0 ? 'someone running, not walking, across the road' : 'someone running, not walking',
      (...parts) => contrasted(parts[0], parts[2], parts[3]),
      MODIFIER,
    );
  rule('VerbPhrase', ['Be', 'Predication'], 'a car is red', (be, { form, predicate: what }) =>
    be.form === 'participle' ? null : phrase(be.form, passiveOf(form, what)),
  );
  rule('VerbPhrase', ['Have', 'Be', 'Predication'], 'a bag has been left behind', (_, be, { form, predicate: what }) =>
    be.form === 'participle' ? phrase('present', passiveOf(form, what)) : null,
  );
  rule(
    'VerbPhrase',
    ['Stay', 'Predication'],
    'a bag stays left behind for 20 seconds',
    (stay, { form, predicate: what }) =>
      (STAYING.has(what.head.type) ||
        (isPresence(what) && !isBase(stay.form)) ||
        what.passive ||
        form === 'participle') &&
      !/^show/i.test(stay.text)
        ? phrase(stay.form, passiveOf(form, what))
        : null,
    0.1,
  );
  rule('VerbPhrase', ['Be', 'Not', 'Predication'], 'a car is not red', (be, negation, { form, predicate: what }) =>
    be.form === 'participle' ? null : negated(be.form, passiveOf(form, what), negation),
  );
  rule('VerbPhrase', ['BeNot', 'Predication'], "a car isn't moving", (negation, { form, predicate: what }) =>
    negated('present', passiveOf(form, what), negation),
  );
  rule('VerbPhrase', ['Get', 'Predication'], 'a bag gets stolen', (get, { form, predicate: what }) =>
    form === 'participle' ? phrase(get.form, passiveOf(form, what)) : null,
  );

  rule('Predication', ['VerbPhrase'], 'a car is leaving', (verb) =>
    describes(verb.form) || verb.form === 'adjective' ? verb : null,
  );
  rule('Predication', ['State'], 'a car is parked', (word) => phrase('adjective', predicate({ type: 'state', word })));
  rule('Predication', ['Colors'], 'the car is red', (words) =>
    phrase('adjective', predicate({ type: 'color', words })),
  );
  rule('Predication', ['Empty'], 'the room is empty', (word) =>
    phrase('adjective', predicate({ type: 'empty', word })),
  );
  rule(
    'Predication',
    ['Signal'],
    'it is blurry',
    (word) => phrase('adjective', predicate({ type: 'signal', word })),
    0.1,
  );
  rule('Predication', ['SignalState'], 'the wrist camera is covered', (word) =>
    phrase('adjective', predicate({ type: 'signal', word })),
  );
  rule(
    'Predication',
    ['SignalTime'],
    'it is night',
    (word) => phrase('adjective', predicate({ type: 'signal', word })),
    0.1,
  );
  rule('Predication', ['Sound'], 'it is quiet', (word) => phrase('adjective', predicate({ type: 'sound', word })), 0.1);
  rule(
    'Predication',
    ['Modifier'],
    'a person is near a car',
    (modifier) =>
      modifier.type === 'vague' ||
      (modifier.type === 'side' && modifier.role === 'bare') ||
      modifier.type === 'lasting' ||
      modifier.type === 'throughout' ||
      modifier.type === 'again'
        ? null
        : phrase('adjective', modified(predicate({ type: 'exists' }), modifier)),
    MODIFIER,
  );
  rule('Predication', ['Here'], 'a person is there', () => phrase('adjective', predicate({ type: 'exists' })));
  rule('Predication', ['InVideo'], 'a person is in the picture', () =>
    phrase('adjective', predicate({ type: 'exists' })),
  );
  rule(
    'Predication',
    ['NounPhrase'],
    'the car is a taxi',
    (other) => phrase('adjective', predicate({ type: 'is', other })),
    0.8,
  );
  rule(
    'Predication',
    ['UnseenAdjective'],
    'the cup is wooden',
    (word) => phrase('adjective', predicate({ type: 'unseen', word })),
    0.3,
  );
  rule(
    'Predication',
    ['UnseenPhrase'],
    'the car is dangerous',
    (word) => phrase('adjective', predicate({ type: 'unseen', word })),
    0.1,
  );
  rule(
    'Predication',
    ['Predication', 'Modifier'],
    'is a car parked on the left',
    ({ form, predicate: what }, modifier) => (form === 'adjective' ? phrase(form, modified(what, modifier)) : null),
    MODIFIER,
  );
  rule('Predication', ['Predication', 'Adverb'], 'is anyone there anymore', (verb) => verb, MODIFIER);
  rule('Predication', ['Adverb', 'Predication'], 'a car is still parked', (_, verb) => verb, MODIFIER);
  rule(
    'Predication',
    ['Throughout', 'Predication'],
    'the room is always empty',
    (word, { form, predicate: what }) => phrase(form, modified(what, { type: 'throughout', word })),
    MODIFIER,
  );

  // A state behind its noun: "a car parked on the left".
  rule('VerbPhrase', ['State'], 'a car parked on the left', (word) =>
    phrase('participle', predicate({ type: 'state', word })),
  );

  rule(
    'VerbPhrases',
    ['VerbPhrase', 'And', 'VerbPhrase'],
    'a car stops and leaves',
    (a, _, b) => joined('and', a, likeFirst(a, b)),
    0.4,
  );
  rule(
    'VerbPhrases',
    ['Be', 'Predication', 'And', 'Predication'],
    'the car is red and moving',
    (be, a, _, b) => ({
      form: be.form,
      join: 'and',
      predicates: [passiveOf(a.form, a.predicate), passiveOf(b.form, b.predicate)],
    }),
    0.4,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'But', 'VerbPhrase'],
    ['a car stops but does not leave', "cars enter but don't leave"],
    (a, _, b) => (isContrast(a, b) ? null : joined('while', a, likeFirst(a, b))),
    0.4,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Without', 'VerbPhrase'],
    'a car passes without stopping',
    (a, not, { form, predicate: what }) =>
      form === 'ing' && what.negation === null && a.predicate.negation === null
        ? joined('while', a, { form: a.form, predicate: { ...what, negation: leafOf(not) } })
        : null,
    0.4,
  );
  rule(
    'VerbPhrase',
    ['VerbPhrase', 'But', 'Not', 'VerbPhrase'],
    'people walking but not running',
    (a, _, not, b) => contrasted(a, not, b),
    MODIFIER,
  );
  rule(
    'VerbPhrase',
    ['VerbPhrase', 'Not', 'VerbPhrase'],
    'people running not walking',
    (a, not, b) => contrasted(a, not, b),
    MODIFIER,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Comma', 'But', 'VerbPhrase'],
    'a person approaches a car, but does not touch it',
    (a, _, _but, b) => joined('while', a, b),
    0.4,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Or', 'VerbPhrase'],
    'a car stops or leaves',
    (a, _, b) => joined('or', a, b),
    0.4,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Then', 'VerbPhrase'],
    'a car stops then leaves',
    (a, _, b) => joined('then', a, b),
    0.3,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Comma', 'Then', 'VerbPhrase'],
    'a car stops, then leaves',
    (a, _, _then, b) => joined('then', a, b),
    0.3,
  );
  rule(
    'VerbPhrases',
    ['First', 'VerbPhrases'],
    'a person first sits down and then gets up',
    (_, verbs) => (verbs.join === 'then' ? verbs : null),
    0.1,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Then', 'Modifier'],
    'a person walking left then right',
    (verb, _, modifier) => turned(verb, modifier),
    0.3,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrases', 'Then', 'Modifier'],
    'a person walking left then right then left',
    ({ form, join, predicates }, _, modifier) => {
      const made = join === 'then' ? turned({ form, predicate: predicates.at(-1)! }, modifier) : null;
      return made && { form, join, predicates: [...predicates, made.predicates[1]!] };
    },
    0.1,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Comma', 'Then', 'Modifier'],
    'a person walking left, then right',
    (verb, _, _then, modifier) => turned(verb, modifier),
    0.3,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Before', 'VerbPhrase'],
    'a person stands before leaving',
    (a, _, b) => (b.form === 'ing' ? joined('then', a, { ...b, form: a.form }) : null),
    0.3,
  );
  rule(
    'VerbPhrases',
    ['VerbPhrase', 'Comma', 'VerbPhrases'],
    'a person enters, stops and leaves',
    (a, _, b) => (agree(a.form, b.form) ? { ...b, form: a.form, predicates: [a.predicate, ...b.predicates] } : null),
    0.4,
  );
}

/** "In view". */
const isPresence = ({ head }: Predicate): boolean =>
  head.type === 'action' && head.word.sense.action === 'present' && !head.word.sense.negated;

/** "Come in but don't leave": the negated verb has the form of the third person. */
const likeFirst = (a: VerbPhrase, b: VerbPhrase): VerbPhrase =>
  isBase(a.form) && b.form === 'present' && b.predicate.negation !== null ? { ...b, form: a.form } : b;

/** "Walking but not running": the negated motion is another kind of the first one. */
const isContrast = (a: VerbPhrase, b: VerbPhrase): boolean =>
  b.predicate.negation !== null &&
  contrasted(a, b.predicate.negation, { ...b, predicate: { ...b.predicate, negation: null } }) !== null;

/** "Running, not walking": motions that are searched as the same. The other one is named. */
function contrasted(verb: VerbPhrase, not: Leaf, other: VerbPhrase): VerbPhrase | null {
  const [a, b] = [verb.predicate, other.predicate];
  const isSame =
    verb.form === other.form &&
    a.head.type === 'action' &&
    b.head.type === 'action' &&
    a.head.word.sense.action === b.head.word.sense.action &&
    b.modifiers.length === 0 &&
    !b.object &&
    !a.negation &&
    !b.negation;
  if (!isSame || b.head.type !== 'action') return null;
  const word = { ...phraseOf([not, b.head.word]), sense: { type: 'vague', reason: REASONS.apart } as const };
  return { ...verb, predicate: modified(a, { type: 'vague', word }) };
}

/** A state that lasts, so that a range of times is its length. */
const isRest = ({ head }: Predicate): boolean =>
  (head.type === 'state' && head.word.sense.state === 'stationary') ||
  (head.type === 'action' && RESTS.has(head.word.sense.action));
const RESTS: ReadonlySet<string> = new Set(['stands', 'stops', 'loiters']);
/** Words are spoken at a time and in a place; "says hello to the driver" may be quoted as a whole. */
/** "Passes a woman in blue": it is she who wears it. */
function isAboutWearer({ object, modifiers }: Predicate): boolean {
  const last = modifiers.at(-1);
  const before = last && 'other' in last ? last.other : object;
  return before?.kind === 'entity' && wears(before);
}

const isOfSpeech = (modifier: Modifier) =>
  modifier.type === 'again' ||
  modifier.type === 'signal' ||
  (modifier.type === 'role' && modifier.other.kind === 'entity' && modifier.other.head.type === 'place');

/** Predicates that something can stay in, beside participles: parked, covered. */
const STAYING: ReadonlySet<PredicateHead['type']> = new Set(['signal', 'state', 'empty', 'sound']);

/** Actions that have an object. */
const DONE_TO: ReadonlySet<string> = new Set(['left_behind', 'taken_away']);

/** Verbs that end in a preposition have an object. */
const OF_OBJECTS = / (?:into|onto|from|between|to|with|of)$/i;

const EDGES: ReadonlySet<Action> = new Set(['enters', 'leaves', 'crosses']);

const actionHead = ({ span, text, id }: Leaf, action: Action): PredicateHead => ({
  type: 'action',
  word: { span, text, id, sense: { type: 'action', action, ...(action === 'taken_away' ? { caveat: REMOVED } : {}) } },
});

/** "Rides on" a bicycle; "riding on the right" is another one. */
const isOfObject = ({ text, sense }: Word<'action'>) =>
  OF_OBJECTS.test(text) || (sense.relation !== undefined && / on$/i.test(text));

const isPerfect = (form: VerbForm) => form === 'participle' || form === 'perfect';

const passiveOf = (form: VerbForm, what: Predicate): Predicate => ({
  ...what,
  passive: what.passive || form === 'participle',
});

const negated = (form: VerbForm, what: Predicate, negation: Predicate['negation']): VerbPhrase | null =>
  what.negation ? null : { form, predicate: { ...what, negation } };

/** Verbs of motion have few objects; other verbs of the vocabulary have one that a table knows. */
function withObject(form: VerbForm, what: Predicate, object: Nominal): VerbPhrase | Unlikely<VerbPhrase> | null {
  const { head } = what;
  if (head.type === 'signal' || head.type === 'sound' || head.type === 'returns') return null;
  if (object.kind === 'entity' && object.head.type === 'garment') return null;
  if (head.type === 'action' || head.type === 'unseen') {
    const isTaking = TAKING.test(head.word.text);
    if (isTaking && isLuggage(object) !== (head.type === 'action')) return null;
  }
  const made = { form, predicate: { ...what, object } };
  if (head.type === 'action' && form === 'participle') return null;
  if (head.type === 'action' || head.type === 'unseen') return made;
  return new Unlikely(made, UNSEEN);
}

/** "A bag left on a bench": rather what somebody did with it. */
const isAbandoned = ({ form, predicate: { head } }: VerbPhrase, modifier: Modifier): boolean =>
  form === 'past' &&
  head.type === 'action' &&
  head.word.sense.action === 'leaves' &&
  modifier.type === 'role' &&
  modifier.surface !== null;

/** "Walks left, then right": the same verb with another path. */
function turned({ form, predicate: what }: VerbPhrase, modifier: Modifier): VerbPhrases | null {
  const isPath = ({ type }: Modifier) => type === 'side' || type === 'direction';
  const others = what.modifiers.filter((each) => !isPath(each));
  if (!isPath(modifier) || others.length === what.modifiers.length) return null;
  return { form, join: 'then', predicates: [what, { ...what, modifiers: [...others, modifier] }] };
}

/** Actions of hands are not seen, except that luggage is missing afterwards. */
const TAKING = /^(?:takes?|took|taking)$/i;
const LUGGAGE: ReadonlySet<string> = new Set([
  'backpack',
  'handbag',
  'suitcase',
  'bicycle',
  'laptop',
  'umbrella',
  'skateboard',
]);
const isLuggage = (object: Nominal): boolean =>
  object.kind === 'entity' &&
  object.head.type === 'object' &&
  object.head.word.sense.classes.length > 0 &&
  object.head.word.sense.classes.every((name) => LUGGAGE.has(name));

const agree = (a: VerbForm, b: VerbForm) =>
  a === b || (isFiniteForm(a) && isFiniteForm(b)) || (a === 'present' && isBase(b));

const joined = (join: VerbPhrases['join'], a: VerbPhrase, b: VerbPhrase): VerbPhrases | null =>
  agree(a.form, b.form) ? { form: a.form, join, predicates: [a.predicate, b.predicate] } : null;

/** "Very fast": one remark. */
const intensified = (word: Leaf, vague: Categories['Vague']): Categories['Vague'] => ({
  ...joinLeaves(word, [vague]),
  sense: vague.sense,
});
