import type { Line, Region } from '../schema.ts';
import { type Item, sense } from '../tokens/lexer.ts';
import type { Preposition } from '../tokens/senses.ts';
import { takeRegion } from './places.ts';
import { actionNameOf, block, isFiller, put, type Reader, remove, setAction } from './reader.ts';
import { actionOf, hasPart, partOf } from './syntax.ts';

/** Actions of motion with these words, where the verb leaves it open: "walks into zone door". */
const MOTIONS: Partial<Record<Preposition, 'enters' | 'leaves' | 'crosses'>> = {
  ...({ into: 'enters', to: 'enters', out: 'leaves', from: 'leaves', across: 'crosses' } as const),
};
/** "Comes out of zone door". */
const OUT_OF =
  /^(?:walk|go|goes|went|com|came|step|driv|drove|rid|rode|mov|run|ran|climb|get|got|jump)\w* out (?:of|from)$/i;
/** Prepositions between a verb and the zone whose border is meant. */
const AT_BORDER = {
  enters: [null, 'into', 'in', 'at', 'to'],
  leaves: [null, 'out', 'from', 'of'],
  crosses: [null, 'across', 'into', 'out'],
} as const satisfies Partial<Record<string, readonly (Preposition | null)[]>>;
const WITHIN: readonly (Preposition | null)[] = [null, 'in', 'on', 'at', 'within', 'of'];

const TWO_ZONES = 'two zones at once: name one in each part and join the parts with "then"';
const NOT_WITHIN = 'whether something is beside or past a zone is not detected, only whether it is inside';
const OUTSIDE = 'who is outside of a zone is not searched; for nobody inside write "no person in zone …"';
const NOT_CROSSED = 'a line can only be crossed';

/** "Enters zone door", "in the door zone": the border that is crossed, or the place of an object. */
export function takeZone(r: Reader, region: Region, item: Item, i: number) {
  const { preposition, relation } = r;
  r.preposition = null;
  r.relation = null;
  if (hasPart(r.clause, 'border', 'place', 'line')) return block(r, item.text, TWO_ZONES);
  if (relation && relation.kind !== 'inside' && relation.kind !== 'on') return block(r, item.text, NOT_WITHIN);
  if (isOutside(r, i)) return block(r, item.text, OUTSIDE);
  const subject = partOf(r.clause, 'subject');
  if (subject) put(r, { ...subject, plain: false });
  takeMotion(r, preposition, i);
  const action = actionNameOf(r);
  const border = action !== null && action in AT_BORDER ? AT_BORDER[action as keyof typeof AT_BORDER] : [];
  if ((border as readonly (Preposition | null)[]).includes(preposition) && !relation)
    return put(r, { kind: 'border', region });
  if (!WITHIN.includes(preposition)) return block(r, item.text, NOT_WITHIN);
  takeRegion(r, region, preposition, i + 1);
}

/** Sets the action of a motion through the border that a preposition names. */
function takeMotion(r: Reader, preposition: Preposition | null, i: number) {
  const verb = actionOf(r.clause);
  const motion = preposition && MOTIONS[preposition];
  if (motion && verb?.weak && verb.action !== 'stands') setAction(r, motion);
  const before = r.items.slice(0, i).findLast((each) => !isFiller(each));
  if (!OUT_OF.test(before?.text ?? '') || (verb && verb.action !== 'appears' && !verb.weak)) return;
  // Elsewhere, "comes out of" is appearing, and "walks out of" is not known.
  remove(r, 'unsupported_verb');
  setAction(r, 'leaves');
  r.clause = { ...r.clause, unchecked: r.clause.unchecked.filter(({ text }) => text !== before!.text) };
}

/** "A person who is not in zone door". */
function isOutside({ clause, items }: Reader, i: number): boolean {
  const verb = actionOf(clause);
  if (!hasPart(clause, 'subject') || (verb !== null && verb.action !== 'present')) return false;
  const noun = items.findIndex((each) => sense(each, 'noun'));
  return items.slice(noun + 1, i).some((each) => sense(each, 'negation') !== null);
}

/** Verbs with which a line is crossed, and which way. */
const CROSSING: Record<string, Line['way'] | null> = {
  ...{ crosses: null, passes: null, moves: null, enters: 'in', leaves: 'out' },
};

/** "Crosses line A", "drives over line A", "enters across line A". */
export function takeDrawnLine(r: Reader, line: Line, item: Item) {
  const { preposition, relation } = r;
  const verb = actionOf(r.clause);
  r.preposition = null;
  r.relation = null;
  if (hasPart(r.clause, 'line', 'border')) return block(r, item.text, TWO_ZONES);
  const way = verb ? CROSSING[verb.action] : undefined;
  const isOver = relation === null || relation.kind === 'above' || relation.fallback?.action === 'passes';
  const isBeside = preposition !== null && preposition !== 'across' && preposition !== 'past';
  if (way === undefined || !isOver || isBeside) return block(r, item.text, NOT_CROSSED);
  const subject = partOf(r.clause, 'subject');
  if (subject) put(r, { ...subject, plain: false });
  if (verb?.action !== 'crosses') setAction(r, 'crosses');
  put(r, { kind: 'line', line: way === null ? line : { way, ...line } });
}
