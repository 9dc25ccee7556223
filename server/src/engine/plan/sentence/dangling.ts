import { type Item, isUnknown, sense } from '../tokens/lexer.ts';
import { block, isEnd, isFiller, type Rule, startOfClause } from './rule.ts';

/** A preposition without a noun: "a single person out", "stops into". The particle of a motion verb has none. */
export const dangling: Rule = (items, i, query) => {
  const item = items[i]!;
  const preposition = sense(item, 'preposition')?.preposition;
  if (!preposition || preposition === 'of' || item.senses.length > 1 || item.lent) return null;
  let at = i + 1;
  while (items[at] && !isEnd(items[at]) && (isModifier(items[at]!) || isFiller(items[at]))) at++;
  const object = items[at];
  const isGoverned =
    object !== undefined &&
    (isUnknown(object) ||
      (preposition === 'from' && sense(object, 'relation') !== null) ||
      object.senses.some(({ type }) => OBJECTS.has(type)));
  const hasColor = items
    .slice(i + 1, at)
    .some(
      (each) =>
        sense(each, 'color') ||
        sense(each, 'number') ||
        sense(each, 'unit') ||
        sense(each, 'count') ||
        sense(each, 'part') ||
        sense(each, 'pick') ||
        sense(each, 'beyond') ||
        sense(each, 'window') ||
        sense(each, 'vague'),
    );
  if (isGoverned || hasColor || object?.text === '-') return null;
  const verb = items.slice(startOfClause(items, i), i).findLast((each) => !isFiller(each));
  const isParticle =
    PARTICLES.has(preposition) && items.slice(startOfClause(items, i), i).some((each) => takesParticle(each));
  const isFrame = items.slice(i + 1, at).some(isFiller) && preposition !== 'into';
  const next = items[at];
  if (isParticle || isFrame || sense(next, 'join') || sense(verb, 'question')) return null;
  return block(items, i, 1, query, DANGLING);
};
/** "Walks in", "brings a dog in"; not "sits in". */
function takesParticle(item: Item): boolean {
  const action = sense(item, 'action');
  return action?.weak === true && (action.action === 'moves' || action.relation === 'with');
}
const DANGLING = 'no word follows that this word could belong to';
const PARTICLES: ReadonlySet<string> = new Set(['in', 'out', 'across', 'on']);
const isModifier = (item: Item) => !sense(item, 'noun') && item.senses.some(({ type }) => MODIFIERS.has(type));
const MODIFIERS: ReadonlySet<string> = new Set([
  'color',
  'count',
  'number',
  'compare',
  'state',
  'vague',
  'negation',
  'pick',
  'part',
  'unit',
  'identity',
  'window',
]);
const OBJECTS: ReadonlySet<string> = new Set([
  ...['noun', 'setting', 'side', 'garment', 'camera', 'direction', 'pronoun', 'line', 'reciprocal', 'signal', 'part'],
  ...['unit', 'window', 'beyond', 'quantity', 'motion', 'sound', 'empty', 'clock', 'per', 'action', 'camera_move'],
]);
