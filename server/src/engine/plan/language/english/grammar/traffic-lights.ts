import type { Entity, Event, Leaf, Predicate, Statement, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories, VerbPhrase } from '../categories.ts';
import { entity, event, isBase, leafOf, modified, predicate, query, questionOf, withAttribute } from './build.ts';

/** The lamps of traffic lights: "the light turns red", "we run a red light". */
export function trafficLightRules(rule: AddRule<Categories>): void {
  const light = (word: Categories['Lamp']) => entity({ type: 'light', word, isNamed: word.isNamed });
  rule('Nominal', ['Colors', 'Lamp'], 'a red light', (words, word) =>
    words.length === 1 ? withAttribute(light(word), { type: 'color', words }) : null,
  );
  rule('Nominal', ['Lamp', 'Who', 'VerbPhrase'], 'traffic lights that are red', (word, _, verb) =>
    verb.predicate.head.type === 'color' && !verb.predicate.negation && verb.predicate.modifiers.length === 0
      ? withAttribute(light(word), { type: 'color', words: verb.predicate.head.words })
      : null,
  );
  rule('Statement', ['Colors', 'And', 'Colors', 'Lamp'], 'red and green lights', (a, _, b, word) => {
    const members = [a, b].map((words) => event(withAttribute(light(word), { type: 'color', words }), null));
    return a.length === 1 && b.length === 1 ? { kind: 'list', conjunction: 'and', members } : null;
  });
  rule('LampPhrase', ['Lamp'], 'traffic light turns red', (word) => light(word));
  rule('LampPhrase', ['Determiner', 'Lamp'], 'the light turns red', (determiner, word) => ({
    ...light(word),
    determiner,
  }));

  const phrase = ({ form }: Categories['Become'], what: Predicate): VerbPhrase => ({ form, predicate: what });
  rule('VerbPhrase', ['Become', 'Colors'], 'the light turns red', (word, colors) =>
    phrase(word, predicate({ type: 'becomes', word, colors })),
  );
  rule('VerbPhrase', ['ChangeColor'], 'the traffic light changes', (word) =>
    phrase(word, predicate({ type: 'becomes', word, colors: [] })),
  );
  rule('VerbPhrase', ['Stay', 'Colors'], 'the light stays red', (word, words) =>
    phrase(word, predicate({ type: 'color', words })),
  );
  rule('VerbPhrase', ['Run', 'NounPhrase'], 'we run a red light', (word, object) =>
    object.head.type === 'light' ? phrase(word, predicate({ type: 'runs', word }, { object })) : null,
  );

  rule('Clause', ['LampPhrase', 'VerbPhrase'], 'the light turns red', (lamp, verb) => shown(lamp, verb));
  rule('Clause', ['LampPhrase', 'Colors'], 'traffic light red', (lamp, words) =>
    lamp.head.type === 'light' && (lamp.head.isNamed || lamp.determiner?.type === 'definite')
      ? event(lamp, predicate({ type: 'color', words }))
      : null,
  );
  rule('Inverted', ['Be', 'LampPhrase', 'Predication'], 'is the light red', (_, lamp, verb) => shown(lamp, verb));
  rule('Inverted', ['Do', 'LampPhrase', 'VerbPhrase'], 'does the light turn red', (_, lamp, verb) =>
    isBase(verb.form) ? shown(lamp, verb) : null,
  );
  // "Time at red lights": the recording vehicle stands there.
  const waiting = (requested: Leaf, verb: Leaf, at: Categories['In'], lamp: Entity, subject: Entity | null) => {
    if (lamp.head.type !== 'light' || at.surface === 'in') return null;
    const stands = predicate({
      type: 'action',
      word: { ...leafOf(verb), sense: { type: 'action', action: 'stands' } },
    });
    const place = { type: 'role', role: 'at', surface: at.surface, word: at, negation: null, other: lamp } as const;
    return query(event(subject, modified(stands, place)), { question: questionOf('how_long', requested) });
  };
  for (const category of ['Duration', 'WaitTime'] as const)
    rule(
      'Sought',
      [category, 'In', 'NounPhrase'],
      category === 'Duration' ? 'time at red lights' : 'waiting time at the red light',
      (word, at, lamp) => waiting(word, word, at, lamp, null),
    );
  rule(
    'Question',
    ['Questioned', 'Do', 'Subject', 'Lose', 'In', 'NounPhrase'],
    'how much time did we lose at red lights',
    (question, _, subject, lose, at, lamp) => {
      const isOurs = subject.kind === 'entity' && subject.head.type === 'camera' && isBase(lose.form);
      return isOurs && question.sense.question === 'how_long' ? waiting(question, lose, at, lamp, subject) : null;
    },
  );
  const colorOf = (question: Categories['Questioned'], lamp: Entity) =>
    question.sense.question === 'which_color' && lamp.head.type === 'light' && lamp.head.isNamed
      ? query(event(lamp, null), { question })
      : null;
  rule('Question', ['Questioned', 'Be', 'LampPhrase'], 'what color is the traffic light', (question, _, lamp) =>
    colorOf(question, lamp),
  );
  rule('Question', ['ColorOf', 'LampPhrase'], 'color of the traffic light', (question, lamp) =>
    colorOf(question, lamp),
  );
}

/** A statement about the color of a lamp, which has one of several at a time. */
function shown(lamp: Entity, { predicate: what }: VerbPhrase): Statement | null {
  const { head } = what;
  if (head.type !== 'color' && head.type !== 'becomes') return null;
  const colors = head.type === 'color' ? head.words : head.colors;
  if (colors.length > 1) {
    const each = colors.map((color) =>
      event(lamp, {
        ...what,
        head: head.type === 'color' ? { ...head, words: [color] } : { ...head, colors: [color] },
      }),
    );
    return { kind: 'list', conjunction: 'or', members: each };
  }
  const made = event(lamp, what);
  return head.type === 'becomes' && head.colors.length === 0 ? changed(lamp, head.word, made) : made;
}

/** "The light changes": of a traffic light, or of the whole picture. */
function changed(lamp: Entity, verb: Leaf, made: Event): Statement | null {
  if (lamp.head.type !== 'light') return null;
  if (lamp.head.isNamed) return made;
  const { word } = lamp.head;
  const change: Word<'signal'> = {
    span: { from: word.span.from, to: verb.span.to },
    text: `${word.text} ${verb.text}`,
    id: verb.id,
    sense: { type: 'signal', signal: 'light_change' },
  };
  return { kind: 'list', conjunction: 'or', members: [event(null, predicate({ type: 'signal', word: change })), made] };
}
