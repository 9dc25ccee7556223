import type { Entity, Leaf, List, Modifier, Query, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { Action } from '../../../schema.ts';
import type { Categories } from '../categories.ts';
import { event, isNone, isObject, predicate, query } from './build.ts';

/** All that happens, of a kind: "anything unusual", "what happened at the gate", "what did the dog do". */
export function notableRules(rule: AddRule<Categories>): void {
  const isAnything = ({ indefinite, sense, doing }: Categories['Noun']) =>
    indefinite === true && sense.classes.length === 0 && !sense.negated && !doing;
  rule('Striking', ['Noun', 'Remarkable'], 'anything unusual', (noun, word) =>
    isAnything(noun) ? [noun, word] : null,
  );
  rule('Striking', ['Remarkable', 'Doings'], 'unusual events', (word, doings) => [word, doings]);
  rule('Striking', ['Determiner', 'Striking'], 'any unusual events', (_, words) => words);
  rule('Striking', ['Oddity'], 'anomalies', (word) => [word]);
  rule('Question', ['Striking'], 'anything unusual', (words) => striking(words));
  rule('Question', ['Be', 'There', 'Striking'], 'is there anything unusual', (_, _there, words) => striking(words));
  rule('Question', ['Do', 'Striking', 'Occur'], 'did anything unusual happen', (_, words) => striking(words));
  rule('Question', ['Be', 'Striking', 'Occur'], 'is anything unusual happening', (_, words) => striking(words));
  rule('Question', ['Striking', 'Occur'], 'anything unusual happening', (words) => striking(words));

  rule('Question', ['WhatHappens', 'Modifier'], 'what happened at the gate', (word, modifier) => {
    const place = OCCURS.test(word.text) ? placeOf(modifier) : null;
    return place && query({ kind: 'anything', words: [word, ...place] });
  });

  rule('Question', ['WhatAbout', 'Subject'], 'what happened to the red car', (word, subject) =>
    doingsOf(subject, word),
  );
  rule('Question', ['What', 'Do', 'Subject', 'DoBase'], 'what did the dog do', (_, _did, subject, word) =>
    word.form === 'base' ? doingsOf(subject, word) : null,
  );
  rule('Question', ['What', 'Be', 'Subject', 'DoBase'], 'what is the dog doing', (_, _is, subject, word) =>
    word.form === 'ing' ? doingsOf(subject, word) : null,
  );
}

/** Everything notable: nobody knows what is usual in this place. */
function striking(words: readonly Leaf[]): Query {
  return query({ kind: 'anything', words: words.map((word) => vague(word, REASONS.striking)) });
}

/** A place in the world, which nothing recognizes; null for a zone, or another part of a sentence. */
function placeOf(modifier: Modifier): readonly Leaf[] | null {
  if (modifier.type !== 'role' || modifier.role !== 'at' || modifier.negation || modifier.other.kind === 'group')
    return null;
  const { head, attributes, modifiers, amount, negation, pick, doing } = modifier.other;
  const isPlain = attributes.length + modifiers.length === 0 && !amount && !negation && !pick && !doing;
  if (head.type !== 'place' || head.word.sense.zone || !isPlain) return null;
  return [...(modifier.word.id === head.word.id ? [] : [modifier.word]), vague(head.word, REASONS.place)];
}

/** "What is on the shelf" is about objects. */
const OCCURS = /happen|go(?:es|ing) on|went on/i;

/** Actions that stand for all that an object does. */
const DOINGS: readonly Action[] = ['appears', 'moves', 'stands', 'disappears'];

function doingsOf(subject: Categories['Subject'], { span, text, id }: Leaf): Query | null {
  const members: readonly Entity[] = subject.kind === 'group' ? subject.members : [subject];
  if (!members.every((noun) => isObject(noun) && !isNone(noun) && !noun.pick)) return null;
  const each = DOINGS.map((action) =>
    event(subject, predicate({ type: 'action', word: { span, text, id, sense: { type: 'action', action } } })),
  );
  const statement: List = { kind: 'list', conjunction: 'and', members: each };
  return query(statement, { isWhich: true });
}

const vague = ({ span, text, id }: Leaf, reason: string): Word<'vague'> => ({
  span,
  text,
  id,
  sense: { type: 'vague', reason },
});
