import type { Entity, Event, Modifier, Nominal, Predicate, Query, Statement, UnseenWord } from './types.ts';

/**
 * Classes of requests, which decide who answers a prompt: they are switched on one by one
 * (`answered-classes.ts`).
 */
export type MeaningClass =
  /** Signals, sounds, motion, measured quantities. */
  | 'frame'
  | 'camera'
  /** An object by its class, attributes and count. */
  | 'object'
  | 'action'
  | 'relation'
  | 'place'
  | 'question'
  | 'list'
  | 'sequence'
  | 'empty'
  | 'open'
  /** Facts about the recording. */
  | 'fact'
  /** Text in the frame. */
  | 'text'
  | 'speech'
  /** Lamps of traffic lights. */
  | 'light'
  /** Words that nobody can see. */
  | 'unseen'
  /** Words that observers know, in a meaning that they do not know. */
  | 'misfit'
  | 'pronoun'
  /** "Cars but not red ones". */
  | 'excluded'
  | 'returns'
  /** Values that are stated or compared. */
  | 'calculation';

/** The classes of a meaning. */
export function classesOf({ statement, question, isYesNo, calculation }: Query): ReadonlySet<MeaningClass> {
  const classes = new Set<MeaningClass>();
  if (question || isYesNo) classes.add('question');
  if (calculation) classes.add('calculation');
  for (const each of calculation?.values ?? [{ statement }]) ofStatement(each.statement, classes);
  if (calculation?.at) ofStatement(calculation.at, classes);
  return classes;
}

function ofStatement(statement: Statement, classes: Set<MeaningClass>): void {
  switch (statement.kind) {
    case 'event':
      ofEvent(statement, classes);
      return;
    case 'anything':
      classes.add('open');
      return;
    case 'fact':
      classes.add('fact');
      return;
    case 'list':
      classes.add('list');
      for (const member of statement.members) ofStatement(member, classes);
      return;
    case 'sequence':
      classes.add('sequence');
      for (const step of statement.steps) ofStatement(step.statement, classes);
  }
}

function ofEvent({ subject, predicate }: Event, classes: Set<MeaningClass>): void {
  if (subject) ofNominal(subject, classes);
  if (predicate) ofPredicate(predicate, classes);
}

function ofNominal(nominal: Nominal, classes: Set<MeaningClass>): void {
  if (nominal.kind === 'group') {
    classes.add('list');
    for (const member of nominal.members) ofEntity(member, classes);
  } else ofEntity(nominal, classes);
}

const HEADS = {
  object: 'object',
  unseen: 'unseen',
  place: 'place',
  garment: 'object',
  camera: 'camera',
  picture: 'frame',
  line: 'action',
  pronoun: 'pronoun',
  text: 'text',
  light: 'light',
} as const satisfies Record<Entity['head']['type'], MeaningClass>;

function ofEntity({ head, attributes, modifiers, doing }: Entity, classes: Set<MeaningClass>): void {
  // The motion of a robot is that in the frame.
  classes.add(head.type === 'unseen' && head.words.every(({ robot }) => robot) ? 'frame' : HEADS[head.type]);
  const unseen = [
    ...(head.type === 'unseen' ? head.words : []),
    ...attributes.flatMap((each) => (each.type === 'unseen' ? [each.word] : [])),
  ];
  ofUnseen(unseen, classes);
  for (const modifier of modifiers) ofModifier(modifier, classes);
  if (doing) ofPredicate(doing, classes);
}

const PREDICATES = {
  action: 'action',
  camera_move: 'camera',
  signal: 'frame',
  sound: 'frame',
  motion: 'frame',
  quantity: 'frame',
  state: 'action',
  color: 'object',
  empty: 'empty',
  owns: 'relation',
  exists: 'object',
  is: 'unseen',
  returns: 'returns',
  speech: 'speech',
  becomes: 'light',
  runs: 'light',
  unseen: 'unseen',
} as const satisfies Record<Predicate['head']['type'], MeaningClass>;

function ofPredicate({ head, object, agent, modifiers }: Predicate, classes: Set<MeaningClass>): void {
  classes.add(PREDICATES[head.type]);
  if (head.type === 'unseen') ofUnseen([head.word], classes);
  if (head.type === 'is') ofNominal(head.other, classes);
  for (const other of [object, agent]) if (other) ofNominal(other, classes);
  for (const modifier of modifiers) ofModifier(modifier, classes);
}

function ofModifier(modifier: Modifier, classes: Set<MeaningClass>): void {
  if (modifier.type === 'relation' || modifier.type === 'mutual') classes.add('relation');
  if (modifier.type === 'unseen') ofUnseen([modifier.word], classes);
  if (modifier.type === 'either') for (const member of modifier.members) ofModifier(member, classes);
  if (modifier.type === 'role') classes.add('place');
  if (modifier.type === 'excluded') classes.add('excluded');
  if ('other' in modifier && modifier.other) ofNominal(modifier.other, classes);
}

function ofUnseen(named: readonly UnseenWord[], classes: Set<MeaningClass>): void {
  const words = named.filter(({ robot }) => !robot);
  if (words.length > 0) classes.add('unseen');
  if (words.some(({ isKnown }) => isKnown === true)) classes.add('misfit');
}
