import { type Item, isStop, sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';

/** Predicates that the rules for misplaced words share. */

export type MisplacedRule = (items: readonly Item[], i: number) => boolean;

export const isOnly = (item: Item | undefined, types: ReadonlySet<Sense['type']>) =>
  item !== undefined && item.senses.length > 0 && item.senses.every(({ type }) => types.has(type));

export const POSITIONAL: ReadonlySet<Sense['type']> = new Set([
  'preposition',
  'direction',
  'relation',
  'compare',
  'action',
]);

/** A preposition, relation or direction, and nothing else: "from", "near", "away". */
export const isPositional = (item: Item | undefined) =>
  isOnly(item, POSITIONAL) &&
  (sense(item, 'preposition') !== null || sense(item, 'direction') !== null || sense(item, 'relation') !== null);

export const isArticle = (item: Item | undefined) =>
  sense(item, 'filler')?.light === true && Boolean(sense(item, 'filler')?.article);

export const isEnd = (item: Item | undefined) => item === undefined || isStop(item);

/** The first item behind a position that does not modify another one. */
export function headAfter(items: readonly Item[], i: number): Item | undefined {
  for (let k = i + 1; k < items.length; k++)
    if (!items[k]!.senses.some(({ type }) => MODIFIERS.has(type))) return items[k];
  return undefined;
}

export const MODIFIERS: ReadonlySet<Sense['type']> = new Set([
  'filler',
  'color',
  'count',
  'number',
  'state',
  'vague',
  'compare',
]);

export const FILLERS: ReadonlySet<Sense['type']> = new Set(['filler']);

export const JOINS: ReadonlySet<Sense['type']> = new Set(['join']);

export const PREPOSITIONS: ReadonlySet<Sense['type']> = new Set(['preposition']);

export const TEMPORAL: ReadonlySet<string> = new Set(['after', 'before']);

export const isTemporal = (item: Item | undefined) =>
  item?.senses.length === 1 && TEMPORAL.has(sense(item, 'join')?.join ?? '');

/** "Clips", "it", "does", "give". */
export const isLead = (item: Item) =>
  item.senses.every(
    (each) =>
      each.type === 'filler' ||
      (each.type === 'beyond' && sense(item, 'filler') !== null) ||
      each.type === 'pronoun' ||
      (each.type === 'question' && LEADING.has(each.question)),
  );

export const LEADING: ReadonlySet<string> = new Set(['yes_no', 'where', 'when', 'count']);

export const REQUESTS =
  /^(?:see|find|show|look|tell|give|let|know|want|need|like|watch|please|went|came|goes|comes|me)\b/;

export const AUXILIARIES = /^(?:is|are|was|were|be|does|do|did|has|have|had)\b/;

/** "Appears", "crosses": not a base form or participle. */
export const isFiniteVerb = (verb: Item) => /(?:[^s]s|ss?es)$/i.test(verb.text.split(' ')[0]!) && !sense(verb, 'noun');

export const isPassing = (item: Item | undefined) =>
  / (?:past|by)$/i.test(item?.text ?? '') && sense(item, 'action') !== null;

export const LEADING_ONLY = /^(?:in|on|at|to|into|of|out)$/;

export const TRANSITIVE: ReadonlySet<string> = new Set([
  'follows',
  'overtakes',
  'approaches',
  'close_ahead',
  'collides',
  'cuts_in',
]);

export const SIGNALS: ReadonlySet<Sense['type']> = new Set(['signal', 'color', 'vague']);

export const VERBS: ReadonlySet<Sense['type']> = new Set(['action', 'camera_move']);

export const isSideAfter = (items: readonly Item[], i: number) =>
  sense(
    items.slice(i + 1).find((each) => !isArticle(each)),
    'side',
  ) !== null;

export const isPlainNoun = (item: Item | undefined) => sense(item, 'noun') !== null && !sense(item, 'filler');

/** The next noun is followed by a finite verb. */
export function isSubjectAfter(items: readonly Item[], i: number): boolean {
  const noun = items.findIndex((each, k) => k > i && sense(each, 'noun') !== null);
  const verb = items[noun + 1];
  return noun > 0 && sense(verb, 'action') !== null && /[^s]s$/i.test(verb!.text.split(' ')[0]!);
}

export const REQUESTED =
  /^(?:find|look|search|check|give|list|show|see|tell|fetch|extract|retrieve|identify|locate|observe|mark|highlight|help|like|need|want|let|know|watch|monitor|report|point|flag|alert|notify|warn|log|record)$/i;

export const QUESTIONS: ReadonlySet<Sense['type']> = new Set(['question']);
