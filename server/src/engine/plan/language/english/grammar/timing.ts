import type { Entity, Leaf, MeasuredAmount, MomentsOf, Query, Reference, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { audible, entity, event, frameEvent, isCounted, isObject, joined, LONGEST, query, sequence } from './build.ts';
import { present, stated } from './clauses.ts';
import { shotOf } from './shots.ts';
import { valueFor } from './values.ts';

/** Times relative to events: "the ten seconds before the crash", "what is there between the first and second bang". */
export function timingRules(rule: AddRule<Categories>): void {
  eventPhraseRules(rule);
  momentRules(rule);
  referenceRules(rule);
  nextRules(rule);
}

function eventPhraseRules(rule: AddRule<Categories>): void {
  rule('EventPhrase', ['Clause'], '10 seconds before a car stops', (statement) => ({ statement, pick: null }));
  rule(
    'EventPhrase',
    ['Determiner', 'Statement'],
    '10 seconds before the harsh braking',
    (_, statement) => (isSubjectless(statement) ? { statement, pick: null } : null),
    0.3,
  );
}

/** Times before and after events, which are shown instead of them. */
function momentRules(rule: AddRule<Categories>): void {
  const shown = (
    kind: MomentsOf['kind'],
    amount: MeasuredAmount,
    { statement, pick }: Categories['EventPhrase'],
    word: Leaf,
  ) =>
    amount.dimension === 'time' && amount.bare && statement.kind !== 'anything' && statement.kind !== 'fact'
      ? query(statement, { pick, moments: { kind, seconds: amount.min, words: [...amount.words, word] } })
      : null;
  for (const [category, kind, name] of [
    ['Before', 'before', 'before'],
    ['After', 'after', 'after'],
    ['AroundEvent', 'around', 'on each side of'],
    ['Around', 'around', 'around'],
  ] as const) {
    rule(
      'Utterance',
      ['Measure', category, 'EventPhrase'],
      `10 seconds ${name} each stop`,
      (amount, word, it) => (isOther(category, word) ? null : shown(kind, amount, it, word)),
      MODIFIER,
    );
    rule(
      'Utterance',
      ['Determiner', 'Measure', category, 'EventPhrase'],
      `the 10 seconds ${name} the bang`,
      (_, amount, word, it) => (isOther(category, word) ? null : shown(kind, amount, it, word)),
      MODIFIER,
    );
  }
}

/** When something is searched for: in a shot, between events, or some seconds before or after one. */
function referenceRules(rule: AddRule<Categories>): void {
  for (const order of ['Pick', 'Ordinal'] as const)
    rule(
      'Timing',
      ['In', 'Determiner', order, 'ShotNoun'],
      `how many people are in the ${order === 'Pick' ? 'last' : 'second'} shot`,
      (_, _the, pick, word) => ({ statement: shotOf(word), pick, moments: null }),
    );
  rule(
    'Timing',
    ['In', 'Determiner', 'Ranking', 'ShotNoun'],
    'how many people are in the second longest shot',
    (_, _the, pick, word) => ({
      statement: shotOf(word),
      pick,
      moments: null,
    }),
  );
  for (const determiners of [[], ['Determiner']] as const)
    rule(
      'Timing',
      ['Between', 'Determiner', 'Pick', 'And', ...determiners, 'Ordinal', 'Statement'],
      `how many cars between the first and ${determiners.length > 0 ? 'the ' : ''}second bang`,
      (...parts) => {
        const [between, , first] = parts;
        const [second, statement] = [parts.at(-2) as Categories['Ordinal'], parts.at(-1) as Statement];
        if (first.sense.pick !== 'first' || second.sense.pick !== 'second' || !isSubjectless(statement)) return null;
        const both = {
          ...joined(first, [second]),
          sense: { type: 'pick', pick: 'first', places: { from: 1, to: 2 } },
        } as const;
        return { statement, pick: both, moments: { kind: 'between', seconds: null, words: [between] } };
      },
    );
  rule(
    'Timing',
    ['Between', 'EventPhrase', 'And', 'EventPhrase'],
    'how many cars between the bang and the cut',
    (word, a, _, b) =>
      a.pick || b.pick || a.statement.kind !== 'event' || b.statement.kind !== 'event'
        ? null
        : {
            statement: sequence(a.statement, b.statement, { within: LONGEST }),
            pick: null,
            moments: { kind: 'between', seconds: null, words: [word] },
          },
    0.2,
  );
  const some = (
    kind: MomentsOf['kind'],
    amount: MeasuredAmount,
    it: Categories['EventPhrase'],
    word: Leaf,
  ): Reference | null =>
    amount.dimension === 'time' && amount.bare
      ? { ...it, moments: { kind, seconds: amount.min, words: [...amount.words, word] } }
      : null;
  for (const [category, kind] of [
    ['Before', 'before'],
    ['After', 'after'],
    ['Around', 'around'],
  ] as const)
    rule(
      'Timing',
      ['In', 'Determiner', 'Measure', category, 'EventPhrase'],
      `how many cars in the 5 seconds ${kind} the bang`,
      (_, _the, amount, word, it) => (isOther(category, word) ? null : some(kind, amount, it, word)),
    );

  const timed = (made: Query, during: Reference): Query | null =>
    made.during || made.moments || made.statement.kind === 'fact' || made.window ? null : { ...made, during };
  rule('Utterance', ['Utterance', 'Timing'], 'how many cars between the first and second bang', timed, MODIFIER);
  rule(
    'Utterance',
    ['Timing', 'Comma', 'Utterance'],
    'in the second shot, how many people are there',
    (during, _, made) => timed(made, during),
  );
  rule(
    'Utterance',
    ['Timing', 'Utterance'],
    'in the second shot how many people are there',
    (during, made) => timed(made, during),
    MODIFIER,
  );

  const kindsIn = (word: Leaf, during: Reference): Query | null => ofKinds(anything(word), [word], during);
  rule(
    'Question',
    ['Questioned', 'Subject', 'Be', 'Timing'],
    'how many people are in the second shot',
    (question, subject, _, during) => {
      const statement = question.sense.question === 'count' && !isCounted(subject) ? present(subject) : null;
      return statement && query(statement, { question, during });
    },
  );
  rule(
    'Question',
    ['WhatHappens', 'Timing'],
    ['what is in the second shot', 'what do you see in the second shot'],
    (word, during) =>
      /happen|going|descri|summar|narrat|event|moment|caption|overview|highlight|does|do$|did$/i.test(word.text)
        ? query({ kind: 'anything', words: [word] }, { during })
        : kindsIn(word, during),
  );
}

/** Questions for what comes next: "what do you hear after the rain stops". */
function nextRules(rule: AddRule<Categories>): void {
  const after = (word: Leaf, { statement, pick }: Categories['EventPhrase']): Reference => ({
    statement,
    pick,
    moments: { kind: 'after', seconds: null, words: [word] },
  });
  rule('AfterEvent', ['After', 'EventPhrase'], 'what do you hear after the bang', (word, it) => after(word, it));
  // It is over at its end, and not where silence begins.
  const ended = (word: Leaf, sound: Categories['Sound'], end: Leaf): Reference => ({
    ...after(joined(word, [end]), { statement: frameEvent({ type: 'sound', word: sound }), pick: null }),
  });
  for (const determiners of [[], ['Determiner']] as const) {
    const the = determiners.length > 0 ? 'the ' : '';
    rule(
      'AfterEvent',
      ['After', ...determiners, 'Sound', 'Cease'],
      `what do you hear after ${the}rain ends`,
      (...parts) => ended(parts[0], parts.at(-2) as Categories['Sound'], parts.at(-1) as Leaf),
    );
    rule(
      'AfterEvent',
      ['After', ...determiners, 'Sound', 'Action'],
      `what do you hear after ${the}rain stops`,
      (...parts) => {
        const end = parts.at(-1) as Categories['Action'];
        return end.sense.action === 'stops' ? ended(parts[0], parts.at(-2) as Categories['Sound'], end) : null;
      },
    );
  }

  const heard = (word: Leaf): Statement => {
    const { span, text, id } = word;
    return frameEvent({ type: 'sound', word: { span, text, id, sense: { type: 'sound', sound: 'recognized' } } });
  };
  const hears = (word: Leaf, during: Reference) => {
    const made = valueFor('length', heard(word), [word]);
    return made?.calculation ? { ...made, calculation: { ...made.calculation, by: 'kind' as const }, during } : null;
  };
  rule('Question', ['WhatHeard', 'AfterEvent'], 'what do you hear after the rain stops', (word, during) =>
    hears(word, { ...during, statement: audible(during.statement) }),
  );
  rule('Question', ['WhatHeard', 'Timing'], 'what do you hear in the second shot', (word, during) =>
    hears(word, during),
  );
  rule(
    'Question',
    ['WhatHeard'],
    'what do you hear',
    (word) => {
      const made = valueFor('length', heard(word), [word]);
      return made?.calculation ? { ...made, calculation: { ...made.calculation, by: 'kind' } } : null;
    },
    0.3,
  );

  const next = (
    subject: Entity,
    pick: Leaf,
    verb: Categories['VerbPhrase'] | null,
    during: Reference,
  ): Query | null => {
    if (!isObject(subject) || subject.plural || subject.amount || subject.pick) return null;
    const own = { ...subject, determiner: null };
    const statement = verb
      ? verb.form === 'present' || verb.form === 'past'
        ? stated(own, verb.predicate)
        : null
      : present(own);
    const made = statement && ofKinds(statement, [pick], during);
    return made && { ...made, pick: { ...pick, sense: { type: 'pick', pick: 'first' } } };
  };
  for (const [order, name] of [
    ['Other', 'the next'],
    ['Pick', 'the first'],
  ] as const) {
    const determiners = order === 'Pick' ? (['Determiner'] as const) : ([] as const);
    const firstOf = (parts: readonly unknown[], at: number) => {
      const pick = parts[at] as Categories['Pick'] | Categories['Other'];
      const isFirst = 'sense' in pick ? pick.sense.pick === 'first' : /next$/i.test(pick.text);
      return isFirst ? pick : null;
    };
    const at = 2 + determiners.length;
    rule(
      'Question',
      ['What', 'Be', ...determiners, order, 'Nominal', 'AfterEvent'],
      `what is ${name} object after the bang`,
      (...parts) => {
        const pick = firstOf(parts, at);
        return pick && next(parts.at(-2) as Entity, pick, null, parts.at(-1) as Reference);
      },
    );
    rule(
      'Question',
      ['What', 'Be', ...determiners, order, 'Nominal', 'Who', 'VerbPhrase', 'AfterEvent'],
      `what is ${name} object that appears after the bang`,
      (...parts) => {
        const pick = firstOf(parts, at);
        const verb = parts.at(-2) as Categories['VerbPhrase'];
        return pick && next(parts.at(-4) as Entity, pick, verb, parts.at(-1) as Reference);
      },
    );
    rule(
      'Question',
      ['AfterEvent', 'Comma', 'What', 'Be', ...determiners, order, 'Nominal', 'Who', 'VerbPhrase'],
      `after the bang, what is ${name} object that appears`,
      (...parts) => {
        const pick = firstOf(parts, at + 2);
        const verb = parts.at(-1) as Categories['VerbPhrase'];
        return pick && next(parts.at(-3) as Entity, pick, verb, parts[0]);
      },
    );
  }
}

/** "About": around a number, and no event. */
const isOther = (category: string, word: Leaf) => category === 'Around' && !/^a?round$/i.test(word.text);

const isSubjectless = (statement: Statement): boolean => statement.kind === 'event' && statement.subject === null;

/** Any object, as "what". */
const anything = ({ span, text, id }: Leaf): Statement =>
  event(
    entity({ type: 'object', word: { span, text, id, sense: { type: 'noun', classes: [] } }, indefinite: true }),
    null,
  );

/** The number of each kind. */
function ofKinds(statement: Statement, words: readonly Leaf[], during: Reference): Query | null {
  const made = valueFor('count', statement, words);
  return made?.calculation ? { ...made, calculation: { ...made.calculation, by: 'kind' }, during } : null;
}
