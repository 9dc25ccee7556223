import { inflectEnglish } from '../english/inflect.ts';
import type { ForeignClause } from './clause.ts';
import { type NounPhrase, pluralOf, renderNounPhrase } from './noun-phrase.ts';

/** Joins between clauses, as they are written in English. */
const JOINS: Record<string, string> = { 'and then': ', then ', and: ' and ', or: ' or ', while: ' while ' };

export type LinkedClause = { join: string | null; clause: ForeignClause };

/** Writes clauses as one sentence of controlled English. */
export function renderSentence(clauses: readonly LinkedClause[], isQuestion: boolean): string {
  let plural = false;
  return clauses
    .map(({ join, clause }, i) => {
      plural = clause.subject?.plural ?? plural;
      const asks = clause.ask !== null || (isQuestion && i === 0);
      const text = asks ? renderQuestion(clause) : renderStatement(clause, plural, i === 0);
      return `${join === null ? '' : JOINS[join]}${text}`;
    })
    .join('')
    .concat(isQuestion || clauses[0]?.clause.ask ? '?' : '');
}

function renderStatement(clause: ForeignClause, plural: boolean, isFirst: boolean): string {
  const { subject, relation, where, setting, duration } = clause;
  const action = actionOf(clause);
  const near = relation === null ? null : `${relation.english} ${renderNounPhrase(relation.other)}`;
  return words(
    subject === null ? null : renderNounPhrase(subject),
    relation?.early ? near : null,
    action === null
      ? duration === null
        ? null
        : be('visible', plural)
      : verb(action, plural, subject === null && isFirst),
    relation?.early ? null : near,
    setting,
    where,
    duration,
  );
}

/** "A bus stops" looks like several bus stops. */
const actionOf = ({ subject, action }: ForeignClause) =>
  action === 'stop' && subject?.noun === 'bus' ? 'halt' : action;

const be = (what: string, plural: boolean) => `${plural ? 'are' : 'is'} ${what}`;

/** A verb without a subject is a command: "turn left". */
function verb(action: string, plural: boolean, isAlone: boolean): string {
  const [head = '', ...rest] = action.split(' ');
  const form = isAlone ? head : plural ? head : inflectEnglish(head, 'verb')[1]!;
  return [form, ...rest].join(' ');
}

function renderQuestion(clause: ForeignClause): string {
  const { ask, subject, relation, where, setting, duration } = clause;
  const action = actionOf(clause);
  const near = relation === null ? null : `${relation.english} ${renderNounPhrase(relation.other)}`;
  const rest = words(near, setting, where, duration);
  if (subject === null) return words(ask, action, rest);
  if (ask === 'how many') return words(ask, manyOf(subject), action ?? (rest === '' ? 'are there' : 'are'), rest);
  const plural = subject.plural;
  const noun = renderNounPhrase(subject);
  if (action !== null) return words(ask, plural ? 'do' : 'does', noun, action, rest);
  if (ask === null) return words(plural ? 'are there' : 'is there', noun, rest);
  return words(ask, plural ? 'are' : 'is', noun, rest === '' ? 'visible' : rest);
}

const manyOf = ({ noun, attributes }: NounPhrase) => words(...attributes, pluralOf(noun));

const words = (...parts: (string | null)[]) => parts.filter((part) => part !== null && part !== '').join(' ');
