import type { Leaf, Modifier } from '../meaning/types.ts';
import { NO_PLACES, REASONS } from '../reasons.ts';
import type { Action, SignalName } from '../schema.ts';
import type { Ledger } from './ledger.ts';

type RoleModifier = Extract<Modifier, { type: 'role' }>;

/** The statement that a place belongs to. */
type PlaceContext = {
  action: Action | null;
  signal: SignalName | null;
  /** Any object at all, which is somewhere in every frame. */
  isAnything: boolean;
  isSubject: boolean;
};

/** Actions beside which a place only says where the camera is. */
const STATES: ReadonlySet<Action> = new Set(['present', 'stands', 'sits']);
/** The light of the picture is the light of what it shows. */
const LIGHT: ReadonlySet<SignalName> = new Set(['dark', 'well_lit', 'bright', 'gets_dark', 'gets_bright']);

/**
 * Grounds a place in the world, which nothing recognizes: it is named, and narrows the question. Returns false where
 * without it another question would be answered, or where it is no place.
 */
export function groundPlace(
  { role, surface, word, negation, other }: RoleModifier,
  ledger: Ledger,
  context: PlaceContext,
): boolean {
  if (other.kind === 'group' || other.head.type !== 'place') return false;
  const { head, attributes, amount, modifiers, doing, pick, determiner } = other;
  if (amount || doing || pick || modifiers.length > 0 || determiner?.type === 'other') return false;
  const { sense } = head.word;
  if (sense.zone) return false;
  for (const attribute of attributes) {
    if (attribute.type !== 'vague') return false;
    ledger.note([attribute.word], attribute.word.sense.reason);
  }
  const isAdverb = word.id === head.word.id;
  const leaves: Leaf[] = [head.word];
  if (!isAdverb) ledger.use(word);
  const isElsewhere = negation !== null;
  if (negation) ledger.use(negation);
  const isState = context.action === null || STATES.has(context.action);
  if (isElsewhere || (context.isAnything && isState && !(surface === 'in' && sense.enclosed)))
    ledger.block(leaves, NO_PLACES);
  else if (
    role === 'at' &&
    surface === 'in' &&
    isState &&
    sense.enclosed &&
    determiner?.type === 'definite' &&
    context.isSubject
  )
    ledger.note(leaves, REASONS.shown, { presumed: 'fixed' });
  else if (context.signal !== null && isAdverb)
    ledger.note(leaves, NO_PLACES, { presumed: LIGHT.has(context.signal) ? 'any' : 'vehicle' });
  else ledger.note(leaves, NO_PLACES, { ...(isEntered(context.action) && sense.passed ? { decides: true } : {}) });
  return true;
}

const isEntered = (action: Action | null) => action === 'enters' || action === 'leaves';
