import { REASONS } from '../reasons.ts';
import type { ObjectQuery, Relation } from '../schema.ts';
import { type Item, isUnknown, sense } from '../tokens/lexer.ts';
import type { SenseOf } from '../tokens/senses.ts';
import { isPerson, isRoadVehicle } from './classes.ts';
import { takeSecondNoun } from './objects.ts';
import {
  block,
  caveat,
  changeNoun,
  excerpt,
  NO_PENDING,
  type PendingRelation,
  put,
  quote,
  type Reader,
} from './reader.ts';
import { actionOf, blocked, hasPart, subjectOf, withSubject } from './syntax.ts';

/** Reads a color of the following noun, or of the one before. Returns false if the word has another sense here. */
export function takeColor(r: Reader, color: SenseOf<'color'>, item: Item, next: Item | undefined): boolean {
  if (!isAttributive(r, item, next)) {
    // An orange is a fruit, but nobody is dressed in one.
    const isWorn = r.preposition === 'in' || r.preposition === 'wearing';
    if (sense(item, 'noun') && !isWorn) return false;
    const target = r.lastNoun ?? subjectOf(r.clause);
    const fixed = target && r.fixedColors.get(target);
    if (fixed) {
      block(r, item.text, fixed);
      return true;
    }
    if (target && r.negation) {
      block(r, item.text, REASONS.noExcludedColor);
      r.negation = false;
      return true;
    }
    if (target && !isWorn && r.preposition !== null && target.colors.length === 0) {
      block(r, item.text, 'a color belongs to an object, or to what somebody wears');
      return true;
    }
    if (target && (isWorn || target.colors.length === 0)) {
      changeNoun(r, target, { colors: [...target.colors, ...r.pending.colors, ...color.names] });
      r.pending = NO_PENDING;
      // The clothes of a person are measured without the background.
      const isBody = r.preposition === null || isPerson(target);
      const whole = isBody ? undefined : REASONS.wholeObject;
      caveat(r, item, color.caveat ?? whole);
      r.preposition = null;
      return true;
    }
    if (sense(item, 'signal')) return false;
  }
  r.pending = {
    ...r.pending,
    colors: [...r.pending.colors, ...color.names],
    start: r.pending.start ?? item.start,
    first: r.pending.first ?? item,
  };
  if (color.caveat) caveat(r, item, color.caveat);
  return true;
}

/** The color precedes its noun. "Black and has a ball", "red and moving": it describes the noun before it. */
function isAttributive(r: Reader, item: Item, next: Item | undefined): boolean {
  if (!next) return false;
  const isLast = sense(r.items[r.items.indexOf(item) + 1], 'join') !== null;
  return Boolean(
    sense(next, 'color') ||
      (!isLast && next.senses.some((s) => s.type === 'noun' || s.type === 'garment' || s.type === 'state')) ||
      sense(next, 'vague') ||
      (isUnknown(next) && !hasPart(r.clause, 'subject')) ||
      (sense(next, 'beyond') !== null && !sense(item, 'signal')),
  );
}

export function takeNoun(r: Reader, nounSense: SenseOf<'noun'>, item: Item) {
  if (nounSense.negated) r.negation = true;
  const wasBlocked = blocked(r.clause);
  const { colors, worn, count, state, place, start } = r.pending;
  const noun: ObjectQuery = {
    text: excerpt(quote(r.query, start ?? item.start, item)),
    classes: [...nounSense.classes],
    colors: nounSense.fixedColor ? [] : [...new Set(colors)].slice(0, 20),
    ...(worn ? { worn } : {}),
    count: count ?? { min: nounSense.min ?? 1, max: null },
    state,
    place,
    ...(nounSense.ridden ? { ridden: true } : {}),
  };
  if (nounSense.fixedColor) {
    r.fixedColors.set(noun, nounSense.fixedColor);
    if (colors.length > 0) block(r, noun.text, nounSense.fixedColor);
  }
  if (nounSense.caveat) caveat(r, item, nounSense.caveat, nounSense.decides);
  const isBare = colors.length === 0 && !count && !state && !place;
  r.pending = NO_PENDING;
  r.lastNoun = noun;
  if (hasPart(r.clause, 'subject')) return takeSecondNoun(r, noun, item);
  const relation = relationWithoutSubject(r);
  if (relation !== null) {
    put(r, { kind: 'relation', relation, other: noun, negated: r.negation });
    r.negation = false;
    r.relation = null;
    r.preposition = null;
  } else if (hasPart(r.clause, 'verb') && isSource(r, item)) block(r, noun.text, REASONS.interaction);
  else if ((nounSense.plural || isParticipleBefore(r, item)) && isTurning(r, item))
    block(r, noun.text, REASONS.notTheCamera);
  else if (isObjectOfVerb(r, item)) {
    block(r, noun.text, 'the prompt does not say who does this, and it cannot be detected for the recording vehicle');
    r.clause = withSubject(r.clause, noun);
  } else takeSubject(r, noun, nounSense, item, { isBare, wasBlocked });
}

function takeSubject(
  r: Reader,
  noun: ObjectQuery,
  { plural, carrier }: SenseOf<'noun'>,
  item: Item,
  { isBare, wasBlocked }: { isBare: boolean; wasBlocked: boolean },
) {
  const hasVerb = hasPart(r.clause, 'verb');
  // "Scenes at night on people"
  const isTied = r.preposition !== null && r.preposition !== 'of' && !isToSee(r, item);
  if (isTied && hasPart(r.clause, 'signal', 'sound', 'motion')) block(r, noun.text, REASONS.interaction);
  const isUnqualified = r.clause.unchecked.every((u) => u.text === item.text);
  put(r, {
    kind: 'subject',
    noun,
    // "The lead vehicle" is another one.
    plain: isBare && isUnqualified && !plural && !isIndefinite(r, item) && (isRoadVehicle(noun) || carrier === true),
    definite: before(r, item).some((each) => sense(each, 'filler')?.article === 'definite'),
    verbFirst: hasVerb || wasBlocked,
    agent: null,
  });
  // "Clips with two cars": nobody has them.
  if (r.relation?.kind === 'with' && !r.relation.hasSubject && !r.relation.fallback && !hasVerb) r.relation = null;
  if (r.relation && !r.relation.hasSubject && !r.relation.fallback)
    put(r, { kind: 'leading_relation', relation: r.relation.kind, text: r.relation.item.text });
  r.plural = plural === true || noun.count.min > 1;
  // "No person": the whole clause; "no" before a verb is read there.
  if (r.negation) put(r, { kind: 'negation' });
  r.negation = false;
  r.preposition = null;
}

/** "Too dark to see anything". */
function isToSee(r: Reader, item: Item): boolean {
  const items = before(r, item);
  const to = items.findLastIndex((each) => sense(each, 'preposition')?.preposition === 'to');
  return to >= 0 && items.slice(to + 1).some((each) => sense(each, 'filler') && !sense(each, 'filler')?.article);
}

/** "A car", "another truck": one of those in the frame. */
const isIndefinite = (r: Reader, item: Item): boolean =>
  before(r, item).some((each) => sense(each, 'filler')?.indefinite !== undefined);

const before = (r: Reader, item: Item) => r.items.slice(0, r.items.indexOf(item));

/** "Rolls off the table": the table does not roll. */
const isSource = (r: Reader, item: Item): boolean =>
  sense(
    before(r, item).findLast((each) => !each.senses.every((s) => s.type === 'filler')),
    'direction',
  ) !== null;

/** "Turning vehicles": a camera motion that describes objects. */
const isTurning = (r: Reader, item: Item): boolean => {
  const verb = before(r, item).findLast(({ senses }) => !senses.some((s) => DESCRIBING.has(s.type)));
  return !hasPart(r.clause, 'camera') && sense(verb, 'camera_move') !== null;
};
/** "Turning car", "reversing truck": not "braking for a car". */
const isParticipleBefore = (r: Reader, item: Item) =>
  /ing$/i.test(before(r, item).findLast(({ senses }) => !senses.some((s) => DESCRIBING.has(s.type)))?.text ?? '');
const DESCRIBING: ReadonlySet<string> = new Set(['color', 'state', 'vague']);

/** "Loitering near a car", "stopped at a stop sign": the subject is not named, and it is not the object beside it. */
function relationWithoutSubject({ clause, relation, preposition }: Reader): Relation | null {
  const action = actionOf(clause);
  const isOpen = hasPart(clause, 'open') && !action;
  if (!(action || isOpen) || action?.passive || hasPart(clause, 'camera', 'camera_move', 'relation')) return null;
  if (relation) return relation.fallback?.relation ? null : relation.kind;
  return preposition === 'at' ? 'near' : preposition === 'on' ? 'on' : preposition === 'in' ? 'inside' : null;
}

/** "Overtaking a truck", not "overtaking trucks": an article after the verb begins its object. */
function isObjectOfVerb(r: Reader, item: Item): boolean {
  const action = actionOf(r.clause);
  if (hasPart(r.clause, 'camera') || action?.passive) return false;
  const verb = action?.action;
  if (verb !== 'overtakes' && verb !== 'passes' && verb !== 'follows' && verb !== 'collides') return false;
  const items = before(r, item);
  const from = items.findLastIndex((each) => sense(each, 'action') !== null);
  return items.slice(from + 1).some((between) => sense(between, 'filler')?.light === true);
}

/** "Two cars next to each other": pairs of the same class; of three and more, so many that each have one. */
export function takeReciprocal(r: Reader, item: Item) {
  const subject = subjectOf(r.clause);
  if (!subject) return;
  const one = { min: 1, max: null };
  const each = subject.count.min <= 2 ? changeNoun(r, subject, { count: one }) : subject;
  takeSecondNoun(r, { ...each, count: one }, item);
  put(r, { kind: 'mutual' });
}

/** "People hug": each other. What somebody holds or touches has to be named. */
export function takeOneself(r: Reader, { kind, item }: PendingRelation) {
  if (kind === 'with') block(r, item.text, REASONS.carried);
  else if (r.plural) takeReciprocal(r, item);
  else block(r, item.text, 'who or what this is done to was not named');
}

/** "The yellow shirt guy", "orange shirt?", "a person in a red jacket": the color of what somebody wears. */
export function takeGarment(r: Reader, garment: SenseOf<'garment'>, item: Item) {
  const colors = [...r.pending.colors, ...(r.pending.colors.length > 0 ? [] : (garment.colors ?? []))];
  const wearer = subjectOf(r.clause);
  const isSubject = !wearer && r.clause.parts.length === 0 && !r.relation && r.preposition === null;
  const next = r.items.slice(r.items.indexOf(item) + 1).find((each) => !each.senses.every((s) => s.type === 'filler'));
  const isNamed = sense(next, 'noun')?.classes.includes('person') ?? false;
  // A garment that is known by its color alone may be another one of that color.
  const decides = r.pending.colors.length === 0;
  if (colors.length > 0 && isSubject && (isNamed || (next === undefined && r.items[0]!.start === 0))) {
    r.pending = { ...r.pending, colors, worn: garment.part ?? undefined };
    caveat(r, item, garment.caveat, decides);
    if (!isNamed) takeNoun(r, { type: 'noun', classes: ['person'] }, item);
    return;
  }
  if (colors.length === 0 || !wearer || r.negation) block(r, item.text, REASONS.clothing);
  else if (!isPerson(wearer)) {
    changeNoun(r, wearer, { colors: [...wearer.colors, ...colors] });
    caveat(r, item, REASONS.wholeObject, decides);
  } else if (wearer.colors.length > 0 && wearer.worn !== (garment.part ?? undefined))
    block(r, item.text, 'the colors of only one garment are checked');
  else {
    const worn = garment.part ? { worn: garment.part } : {};
    changeNoun(r, wearer, { colors: [...wearer.colors, ...colors], ...worn });
    caveat(r, item, garment.caveat, decides);
  }
  r.pending = NO_PENDING;
  r.relation = null;
  r.preposition = null;
}
