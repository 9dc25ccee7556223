import type { MeasuredAmount, Modifier, Predicate } from '../../meaning/types.ts';
import type { CameraTarget, Target } from '../../schema.ts';
import { groundCameraAction, groundCameraMove, nameBeside, quantityOf } from '../ego.ts';
import { groundFrame, rangeOf as measuredRange } from '../signals.ts';
import { objectInView } from './objects/index.ts';
import { alone, plain } from './steps.ts';
import { NO_TIMING } from './timing.ts';
import type { EventContext, GroundedEvent, GroundedStep, Timing } from './types.ts';
import { placed } from './whole-frame.ts';

type CameraMotion = { what: CameraTarget; others: readonly Modifier[] };

/** A motion of the camera, with what is beside it. */
export function cameraMotion(
  predicate: Predicate,
  isNegated: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  if (predicate.head.type === 'quantity' || predicate.head.type === 'exists')
    return measuredOf(predicate, isNegated, context);
  if (isRough(predicate) || predicate.object || predicate.agent) return null;
  const [amount, ...more] = predicate.modifiers.flatMap((each) => (each.type === 'measure' ? [each.amount] : []));
  const modifiers = predicate.modifiers.filter(({ type }) => type !== 'measure');
  const own = { ...predicate, modifiers };
  const motion = groundCameraMove(own, ledger) ?? groundCameraAction(own, ledger);
  if (!motion || more.length > 0) return null;
  if (amount) return measuredMotion(motion, amount, isNegated, context);
  const { what } = motion;
  // "We stopped for 20 s": stood still.
  const isStanding = what.move === 'stops' && timing.duration !== null;
  return besideMotion(isStanding ? { ...motion, what: { ...what, move: 'still' } } : motion, isNegated, context);
}

/** "We accelerate", "we are faster than 50 km/h": measured of the recording vehicle. */
function measuredOf(predicate: Predicate, isNegated: boolean, context: EventContext): GroundedEvent | null {
  const { ledger } = context;
  const { head, object, agent } = predicate;
  const isSpeed =
    head.type === 'exists' &&
    predicate.modifiers.some((each) => each.type === 'measure' && each.amount.dimension === 'speed');
  if (object || agent || (head.type !== 'quantity' && !isSpeed)) return null;
  const frame = groundFrame({ ...predicate, head: isSpeed ? { type: 'quantity', word: null } : head }, ledger);
  return frame && placed(frame.others, frame.what, context) ? alone(plain(frame.what, isNegated)) : null;
}

/** "Braking harder than 0.4 g", "reversing faster than 10 km/h". */
function measuredMotion(
  motion: CameraMotion,
  amount: MeasuredAmount,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const found = quantityOf(motion.what, amount.dimension);
  if (!found) return null;
  context.ledger.use(...amount.words);
  const what: Target = { kind: 'quantity', quantity: found.quantity, range: measuredRange(amount) };
  if (!found.beside) return placed(motion.others, what, context) ? alone(plain(what, isNegated)) : null;
  if (isNegated) return null;
  const made = besideMotion(motion, false, context);
  return made && { ...made, meanwhile: [...made.meanwhile, { ...plain(what), same: false }] };
}

/** A motion of the camera, and the objects that its modifiers name. */
export function besideMotion(
  { what, others }: CameraMotion,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const meanwhile: (GroundedStep & { same: boolean })[] = [];
  const rest: Modifier[] = [];
  for (const modifier of others) {
    const isRelated = modifier.type === 'relation' || modifier.type === 'role';
    const isPlace = isRelated && modifier.other.kind === 'entity' && modifier.other.head.type === 'place';
    if (!isRelated || isPlace) {
      rest.push(modifier);
      continue;
    }
    const { word, negation, other } = modifier;
    if (modifier.type === 'relation' && modifier.word.sense.relation === 'with') {
      const made = isNegated || other.kind === 'group' ? null : objectInView(other, null, NO_TIMING, false, context);
      if (!made || made.meanwhile.length > 0) return null;
      if (negation === null || negation.span.from !== word.span.from) ledger.use(word);
      if (negation) ledger.use(negation);
      const isNone = (negation !== null) !== made.main.negated;
      meanwhile.push({ ...made.main, negated: isNone, same: false });
      continue;
    }
    if (negation || !nameBeside(other, what.move, ledger)) return null;
    ledger.use(word);
  }
  return placed(rest, what, context) ? { main: plain(what, isNegated), meanwhile } : null;
}

/** "Brakes hard": how hard is measured; other words for it are read elsewhere. */
const isRough = ({ head, modifiers }: Predicate) =>
  head.type === 'camera_move' &&
  (head.word.sense.move === 'brakes' || head.word.sense.move === 'turns') &&
  modifiers.some(({ type }) => type === 'vague');
