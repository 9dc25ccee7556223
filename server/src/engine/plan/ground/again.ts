import type { Event, Leaf, Modifier, Query, Sequence, Word } from '../meaning/types.ts';
import { MOST_PLACES } from '../schema.ts';

type Again = Extract<Modifier, { type: 'again' }>;
const isAgain = (modifier: Modifier): modifier is Again => modifier.type === 'again';

/**
 * "The dog barks again": every time but the first. Of something that starts to move, "again" says no more than that it
 * stood before.
 */
export function readAgain(query: Query): Query {
  const { statement, pick } = query;
  if (statement.kind === 'sequence') return readInSequence(query, statement);
  if (statement.kind !== 'event' || !statement.predicate) return query;
  const { modifiers, head, negation } = statement.predicate;
  const [again, ...more] = modifiers.filter(isAgain);
  if (!again || more.length > 0 || negation || statement.negation) return query;
  const plain: Event = {
    ...statement,
    predicate: { ...statement.predicate, modifiers: modifiers.filter((each) => !isAgain(each)) },
  };
  if (isStart(head)) return { ...query, statement: plain, repeats: [...query.repeats, again.word] };
  if (!isOfFrame(plain) || pick || query.calculation || query.per || query.during || query.moments) return query;
  const { span, text, id } = again.word;
  const later: Word<'pick'> = {
    span,
    text,
    id,
    sense: { type: 'pick', pick: 'first', places: { from: 2, to: MOST_PLACES } },
  };
  return { ...query, statement: plain, pick: later };
}

/** "A car stops, then starts again": it stood before. */
function readInSequence(query: Query, statement: Sequence): Query {
  const repeats: Leaf[] = [];
  const steps = statement.steps.map((step) => {
    const own = readAgain({ ...query, statement: step.statement, repeats: [] });
    // Only the "again" of a start adds nothing to its step.
    if (own.repeats.length === 0) return step;
    repeats.push(...own.repeats);
    return { ...step, statement: own.statement };
  });
  return repeats.length === 0
    ? query
    : { ...query, statement: { ...statement, steps }, repeats: [...query.repeats, ...repeats] };
}

/** Of the whole frame: whether an object is the same as before is not known. */
const isOfFrame = ({ subject, predicate }: Event): boolean =>
  (subject === null ||
    (subject.kind === 'entity' && (subject.head.type === 'camera' || subject.head.type === 'light'))) &&
  predicate !== null &&
  (predicate.head.type === 'sound' ||
    predicate.head.type === 'signal' ||
    predicate.head.type === 'camera_move' ||
    predicate.head.type === 'becomes' ||
    subject !== null);

const isStart = (head: NonNullable<Event['predicate']>['head']): boolean =>
  head.type === 'action' && head.word.sense.action === 'starts';
