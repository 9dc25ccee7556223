import type { Modifier, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER, REDUCED_CLAUSE } from '../costs.ts';
import { event, joined, modified, predicate } from './build.ts';
import { stated } from './clauses.ts';

/** Nouns for motions of the camera, and participles as nouns: "a left pan", "braking of our car". */
export function participleNounRules(rule: AddRule<Categories>): void {
  rule('MoveNoun', ['Side', 'Move'], 'left pan', (side, move) => {
    const { sense, form } = move;
    const { side: direction } = side.sense;
    if (form !== 'base' || sense.direction || (direction !== 'left' && direction !== 'right')) return null;
    return { ...joined(side, [move]), sense: { ...sense, direction } };
  });
  rule('MoveNoun', ['Determiner', 'Move'], 'is there any braking', ({ type }, { form, ...word }) =>
    type === 'any' && form === 'ing' ? word : null,
  );
  rule(
    'Clause',
    ['Determiner', 'Move'],
    'a pan',
    ({ type }, { form, ...word }) =>
      form === 'base' && type === 'indefinite' ? event(null, predicate({ type: 'camera_move', word })) : null,
    MODIFIER,
  );
  rule(
    'Clause',
    ['Determiner', 'Move', 'Modifier'],
    'a pan to the left',
    ({ type }, { form, ...word }, modifier) =>
      form === 'base' && type === 'indefinite' && isCourse(modifier)
        ? event(null, modified(predicate({ type: 'camera_move', word }), modifier))
        : null,
    MODIFIER,
  );
  rule(
    'Clause',
    ['Determiner', 'MoveNoun', 'Modifier'],
    'a sharp turn to the left',
    (_, word, modifier) =>
      isCourse(modifier) ? event(null, modified(predicate({ type: 'camera_move', word }), modifier)) : null,
    MODIFIER,
  );
  rule(
    'Clause',
    ['Clause', 'Of', 'NounPhrase'],
    'a left turn of the camera',
    (statement, _, noun) => (noun.head.type === 'camera' && isMove(statement) ? { ...statement, subject: noun } : null),
    MODIFIER,
  );
  rule(
    'Clause',
    ['VerbPhrase', 'Of', 'Subject'],
    'falling of a person',
    ({ form, predicate: what }, _, subject) =>
      form === 'ing' && what.object === null && what.head.type !== 'exists' ? stated(subject, what) : null,
    REDUCED_CLAUSE,
  );
  rule(
    'Clause',
    ['NounPhrase', 'VerbPhrase'],
    'the camera panning left',
    (noun, { form, predicate: what }) => (form === 'ing' && noun.head.type === 'camera' ? stated(noun, what) : null),
    MODIFIER,
  );
}

/** Where the camera moves to. */
const isCourse = ({ type }: Modifier) => type === 'side' || type === 'direction';

const isMove = (statement: Statement) =>
  statement.kind === 'event' && statement.subject === null && statement.predicate?.head.type === 'camera_move';
