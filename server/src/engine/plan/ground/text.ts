import type { Entity, Predicate } from '../meaning/types.ts';
import { REASONS } from '../reasons.ts';
import type { Action, Target } from '../schema.ts';
import type { Ledger } from './ledger.ts';

/** All that text does in a frame. */
const SHOWN: ReadonlySet<Action> = new Set(['present', 'appears']);
/** Longest text and name of what it is written on, in a plan. */
const MAX_TEXT = 200;
const MAX_CARRIER = 50;

/** Grounds text in the frame. Null where anything but its presence is stated. */
export function groundText(
  { head, attributes, modifiers, amount, doing, determiner }: Entity,
  predicate: Predicate | null,
  ledger: Ledger,
): Target | null {
  if (head.type !== 'text' || attributes.length + modifiers.length > 0 || amount || doing) return null;
  if (determiner?.type === 'other' || (predicate && !isShown(predicate))) return null;
  const { words, quotation, carrier, remark } = head;
  if (quotation && quotation.words.length > MAX_TEXT) return null;
  const remarked = new Set(remark?.words.map(({ span }) => span.from));
  if (quotation?.isUnsure) remarked.add(quotation.span.from);
  ledger.use(...words.filter(({ span }) => !remarked.has(span.from)));
  if (quotation?.isUnsure) {
    ledger.block([quotation], REASONS.unsureWords);
    return { kind: 'unknown' };
  }
  if (remark?.about === 'sign') ledger.note(remark.words, REASONS.signWords);
  if (remark?.about === 'kind') ledger.note(remark.words, REASONS.textOfKind);
  if (remark?.about === 'name') ledger.note(remark.words, REASONS.nameAmongTexts);
  if (predicate?.head.type === 'action') ledger.use(predicate.head.word);
  return {
    kind: 'text',
    text: quotation?.words ?? null,
    ...(carrier === null ? {} : { carrier: carrier.slice(0, MAX_CARRIER) }),
  };
}

const isShown = ({ head, object, agent }: Predicate) =>
  !object &&
  !agent &&
  (head.type === 'exists' || (head.type === 'action' && SHOWN.has(head.word.sense.action) && !head.word.sense.negated));
