import type { ActionSense } from '../../meaning/senses.ts';
import type { MeasuredAmount, Nominal, Predicate, PredicateHead } from '../../meaning/types.ts';
import { NAMES, REASONS } from '../../reasons.ts';
import type { CameraTarget, ObjectTarget } from '../../schema.ts';
import { impliedClasses } from '../actions.ts';
import { groundCameraAction } from '../ego.ts';
import { type Ledger, WHOLE } from '../ledger.ts';
import { ANYTHING } from '../objects.ts';
import { rangeOf as measuredRange } from '../signals.ts';
import { zoneOf } from '../zones.ts';
import { besideMotion, cameraMotion } from './camera-motion.ts';
import { groundAction } from './objects/action.ts';
import { alone, plain, present, unnamed } from './steps.ts';
import type { EventContext, GroundedEvent, GroundedStep, Timing } from './types.ts';

/** "Loitering", "entering from the left". */
export function impliedSubject(
  predicate: Predicate,
  isNegated: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { head } = predicate;
  const { ledger } = context;
  if (context.implied !== null) return impliedEither(predicate, isNegated, timing, context);
  if (head.type !== 'action' || isNegated || predicate.agent || !context.isFirst) return null;
  const { action, by, or } = head.word.sense;
  const amounts = predicate.modifiers.flatMap((each) => (each.type === 'measure' ? [each.amount] : []));
  if (by === 'camera' || (action === 'moves' && amounts.length > 0)) {
    if (amounts.length === 0) ledger.caveat(WHOLE, REASONS.readAsCarrier);
    return cameraMotion(predicate, false, timing, context);
  }
  if (predicate.object) return enteredPlace(predicate, predicate.object, context);
  const classes = or ? null : action === 'moves' && isDirected(predicate) ? [] : impliedClasses(action, by);
  if (classes === null) return null;
  const meanwhile = amounts.map((amount) => speedMeanwhile(amount, ledger));
  if (!meanwhile.every((each) => each !== null)) return null;
  const text = action === 'collides' || action === 'goes_against' ? NAMES.colliding : NAMES.anything;
  const modifiers = predicate.modifiers.filter(({ type }) => type !== 'measure');
  const made = groundAction(unnamed(text, classes), null, { ...predicate, modifiers }, context);
  if (made?.main.what.kind !== 'object') return made;
  const { what } = made.main;
  const isAnyones = action === 'collides' && what.relation === null;
  return {
    main: isAnyones ? { ...made.main, what: { ...what, vehicle: 'also' } } : made.main,
    meanwhile: [...made.meanwhile, ...meanwhile],
  };
}

/** "Moves from left to right": so do objects, and not the picture. */
const isDirected = ({ head, modifiers }: Predicate): boolean =>
  (head.type === 'action' && head.word.sense.direction !== undefined) ||
  modifiers.some(({ type }) => type === 'direction');

/** "Entering a roundabout": nobody is named, and nothing recognizes where it is. */
function enteredPlace({ head, modifiers }: Predicate, object: Nominal, { ledger }: EventContext): GroundedEvent | null {
  if (object.kind === 'group' || object.head.type !== 'place' || zoneOf(object) || head.type !== 'action') return null;
  if (modifiers.length + object.modifiers.length + object.attributes.length > 0 || object.amount || object.negation)
    return null;
  ledger.block([head.word, object.head.word], REASONS.place);
  return alone(plain({ kind: 'unknown' }));
}

/** "Tailgating at over 80 km/h": the speed of the recording vehicle at the same time. */
function speedMeanwhile(amount: MeasuredAmount, ledger: Ledger): (GroundedStep & { same: boolean }) | null {
  if (amount.dimension !== 'speed') return null;
  ledger.use(...amount.words);
  return { ...plain({ kind: 'quantity', quantity: 'speed', range: measuredRange(amount) }), same: false };
}

/** "Stopped for 30 s", "waiting at a traffic light": an object in the frame, or the camera. */
export function impliedEither(
  predicate: Predicate,
  isNegated: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { head } = predicate;
  const { ledger } = context;
  if (isNegated && isMoving(head) && predicate.modifiers.length === 0) {
    ledger.use(head.word);
    ledger.caveat(WHOLE, REASONS.noSubject);
    const camera: CameraTarget = { kind: 'camera', move: 'stops', direction: null };
    return alone(plain(context.implied === 'camera' ? camera : { ...present(ANYTHING), action: 'stops' }));
  }
  if (predicate.object || predicate.agent || !isResting(head)) return null;
  if (context.implied === 'camera') {
    ledger.caveat(WHOLE, REASONS.noSubject);
    const motion = groundCameraAction(predicate, ledger);
    return motion && besideMotion({ ...motion, what: { ...motion.what, move: 'stops' } }, isNegated, context);
  }
  const made = groundAction(unnamed(NAMES.anything, []), null, predicate, context, timing);
  if (made?.main.what.kind !== 'object') return null;
  // A car that has been parked all the time has not stopped; beside something it stands there.
  const { what } = made.main;
  if (!isElsewhere(what)) ledger.caveat(WHOLE, REASONS.noSubject);
  const action = what.action === 'stands' && what.relation === null ? 'stops' : what.action;
  const negated = isNegated !== made.main.negated;
  return { ...made, main: { ...made.main, negated, what: { ...what, action } } };
}

type Resting = Extract<PredicateHead, { type: 'action' | 'state' }>;

const isMoving = (head: PredicateHead): head is Resting =>
  head.type === 'state' ? head.word.sense.state === 'moving' : head.type === 'action' && isAnyMove(head.word.sense);

const isAnyMove = ({ action, by, direction }: ActionSense) => action === 'moves' && !by && !direction;

const isResting = (head: PredicateHead): head is Resting =>
  head.type === 'state'
    ? head.word.sense.state === 'stationary'
    : head.type === 'action' &&
      !head.word.sense.by &&
      (head.word.sense.action === 'stops' || head.word.sense.action === 'stands');

/** In a part of the frame, so that the camera is not meant. */
const isElsewhere = ({ subject, region }: ObjectTarget) => subject.place !== null || region !== undefined;
