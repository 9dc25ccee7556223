import { isSilentLeaf, leavesOf } from '../meaning/leaves.ts';
import type { SingleEvent } from '../meaning/scope.ts';
import type {
  Entity,
  Leaf,
  MeasuredAmount,
  Modifier,
  Nominal,
  PlaceRole,
  Predicate,
  PredicateHead,
  SidePlace,
  Surface,
  Word,
} from '../meaning/types.ts';
import { BETWEEN, NAMES, NO_PLACES, NO_ROBOTS, REASONS } from '../reasons.ts';
import type {
  Action,
  CameraTarget,
  Line,
  ObjectQuery,
  ObjectTarget,
  Range,
  Relation,
  Side,
  Step,
  Target,
} from '../schema.ts';
import type { ActionSense } from '../tokens/senses.ts';
import {
  directionOf,
  impliedClasses,
  incapable,
  isImmobile,
  isPortable,
  isRidden,
  isRoadVehicle,
  isVehicle,
  isWalked,
  LASTING,
  MOVED,
  OF_CARRIERS,
  type Path,
  pathOf,
  RELATION_OF_SURFACE,
  TRANSITIVE,
} from './actions.ts';
import { ROAD_VEHICLES } from './classes.ts';
import {
  carrierOf,
  groundCameraAction,
  groundCameraMove,
  groundViewpoint,
  isMeasured,
  nameBeside,
  quantityOf,
} from './ego.ts';
import { type Ledger, leafKey, WHOLE } from './ledger.ts';
import { findLightStop, groundLight, isLight, leavesOfLight } from './lights.ts';
import {
  ANYTHING,
  edgeOf,
  type GroundedObject,
  groundClothes,
  groundObject,
  isPerson,
  leavesOfAttribute,
  leavesOfSide,
  placeOf,
} from './objects.ts';
import { groundPlace } from './places.ts';
import { groundFrame, LIVELY, rangeOf as measuredRange } from './signals.ts';
import { groundSpeech } from './speech.ts';
import { groundText } from './text.ts';
import { crossLine, drawnLineOf, useZone, zoneOf } from './zones.ts';

/** Context of an event besides its meaning. */
export type EventContext = {
  ledger: Ledger;
  textOf(leaves: readonly Leaf[]): string;
  isYesNo: boolean;
  isCount: boolean;
  /** The subject of the step before, for "it" and for verbs that follow. */
  antecedent: Entity | null;
  /** Other objects of the steps before, for "without it". */
  mentioned: readonly Entity[];
  isFirst: boolean;
  /** The prompt has no other search, which may name what a pronoun stands for. */
  isOnly: boolean;
  /** Its subject is that of the step before. */
  isSame: boolean;
  /** Somebody came in, in an earlier step. */
  hasEntered: boolean;
  /** It left then, or was not there. */
  hasLeft: boolean;
  /** The subject of a verb that names none, and may have either. */
  implied: 'object' | 'camera' | null;
};

/** A step without the words of the prompt and its place in a sequence. */
export type GroundedStep = Pick<Step, 'what' | 'negated' | 'duration'> & { throughout?: true };
/** The step itself, and what holds at the same time, of the same object or of the frame. */
export type GroundedEvent = { main: GroundedStep; meanwhile: readonly (GroundedStep & { same: boolean })[] };

/** The time of an event, and the modifiers that state something else. */
type Timing = {
  duration: Range | null;
  throughout: Word<'throughout'> | null;
  conditions: readonly GroundedStep[];
  others: readonly Modifier[];
};

const NO_TIMING: Timing = { duration: null, throughout: null, conditions: [], others: [] };

const rangeOf = ({ min, max }: MeasuredAmount): Range => ({ min, max });

/** Takes the modifiers for duration, time and manner; the others are for places and objects. */
function takeTiming(modifiers: readonly Modifier[], { ledger, isYesNo }: EventContext): Timing | null {
  let duration: Range | null = null;
  let throughout: Word<'throughout'> | null = null;
  const conditions: GroundedStep[] = [];
  const others: Modifier[] = [];
  for (const modifier of modifiers) {
    switch (modifier.type) {
      case 'lasting':
        if (duration !== null) return null;
        ledger.use(...modifier.amount.words);
        duration = rangeOf(modifier.amount);
        break;
      case 'throughout':
        if (throughout) return null;
        if (isYesNo) ledger.use(modifier.word);
        else ledger.note([modifier.word], REASONS.onlyYesNo);
        throughout = isYesNo ? modifier.word : null;
        break;
      case 'signal': {
        const { signal, caveat, indoors } = modifier.word.sense;
        ledger.use(modifier.word);
        ledger.caveat(modifier.word, caveat, indoors ? { presumed: 'vehicle' } : {});
        conditions.push(plain({ kind: 'signal', signal }));
        break;
      }
      case 'vague':
        ledger.note([modifier.word], modifier.word.sense.reason);
        break;
      case 'again':
        ledger.note([modifier.word], REASONS.again);
        break;
      case 'unseen':
        ledger.block([modifier.word], modifier.word.reason);
        break;
      default:
        others.push(modifier);
    }
  }
  return { duration, throughout, conditions, others };
}

const plain = (what: Target, negated = false, duration: Range | null = null): GroundedStep => ({
  what,
  negated,
  duration,
});

/** Speakers are not distinguished: "the driver says stop". */
function speakerOf(event: SingleEvent | Predicate, { ledger }: EventContext): GroundedEvent {
  ledger.block(leavesOf(event, isSilentLeaf), REASONS.speakers);
  return alone(plain({ kind: 'unknown' }));
}
const isCertain = (agent: Nominal) =>
  agent.kind === 'entity' &&
  (agent.determiner?.type === 'each' ||
    (agent.head.type === 'object' && agent.head.word.sense.caveat === REASONS.whoIs));

/** Text, and the lamp of a traffic light, are there or not. */
function ofSign(
  subject: Entity,
  predicate: Predicate | null,
  timing: Timing,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const what = groundText(subject, predicate, ledger) ?? groundLight(subject, predicate, ledger);
  if (!what || !placed(timing.others, what, context)) return null;
  const negations = [subject.negation, predicate?.negation ?? null].filter((each) => each !== null);
  ledger.use(...negations, ...(subject.pick ? [subject.pick] : []));
  const negated = (negations.length % 2 === 1) !== isNegated;
  return negated && isChange(what) ? null : alone(plain(what, negated));
}

/** Grounds one event. Null if no plan expresses it: another reader has to answer the prompt. */
export function groundEvent(event: SingleEvent, context: EventContext): GroundedEvent | null {
  const { ledger } = context;
  const { subject, predicate, negation } = event;
  if (subject && predicate?.head.type === 'speech') return speakerOf(event, context);
  const timing = takeTiming(predicate?.modifiers ?? [], context);
  if (!timing) return null;
  if (negation) ledger.use(negation);
  const isNegated = negation !== null;
  const made =
    subject === null
      ? withoutSubject(predicate!, timing, isNegated, context)
      : subject.head.type === 'text' || subject.head.type === 'light'
        ? ofSign(subject, predicate, timing, isNegated, context)
        : subject.head.type === 'camera'
          ? ofCamera(subject, predicate, timing, isNegated, context)
          : predicate?.head.type === 'empty'
            ? emptyPlace(subject, predicate, timing, context)
            : ofObject(subject, predicate, timing, isNegated, context);
  if (!made) return null;
  const conditions = timing.conditions.map((condition) => ({ ...condition, same: false }));
  const isLasting = timing.throughout !== null && isState(made.main.what) && !made.main.negated;
  if (timing.throughout && !isLasting) {
    if (made.main.negated) return null;
    ledger.caveat(timing.throughout, REASONS.onlyYesNo);
  }
  return {
    main: { ...made.main, duration: timing.duration, ...(isLasting ? { throughout: true as const } : {}) },
    meanwhile: [...made.meanwhile, ...conditions],
  };
}

function isState(what: Target): boolean {
  if (what.kind === 'object') return LASTING.has(what.action) && !what.idle;
  if (what.kind === 'camera') return what.move === 'moves' || what.move === 'still' || what.move === 'forward';
  if (what.kind === 'traffic_light') return what.event === 'shows';
  return what.kind === 'signal' || what.kind === 'motion' || what.kind === 'sound';
}

/** A change of a lamp is a moment: there are no times of its absence. */
const isChange = (what: Target) => what.kind === 'traffic_light' && what.event !== 'shows';

const alone = (main: GroundedStep): GroundedEvent => ({ main, meanwhile: [] });

/** Places in the world narrow a statement about the frame, and "again" says nothing about it; nothing else can. */
function placed(others: readonly Modifier[], what: Target, { ledger }: EventContext): boolean {
  const signal = what.kind === 'signal' ? what.signal : null;
  const again = others.flatMap((each) => (each.type === 'again' ? [each.word] : []));
  if (again.length > 0) ledger.note(again, REASONS.again);
  return others.every(
    (each) =>
      each.type === 'again' ||
      (each.type === 'side' && signal !== null && onWholeFrame(each.place)) ||
      (each.type === 'relation' && besidePlace(each)) ||
      (each.type === 'role' &&
        groundPlace(each, ledger, { action: null, signal, isAnything: false, isSubject: false })),
  );

  function onWholeFrame(place: SidePlace): boolean {
    ledger.note(leavesOfSide(place), REASONS.wholeFrame);
    return true;
  }

  /** "Motion near the door". */
  function besidePlace({ word, negation, other }: Extract<Modifier, { type: 'relation' }>): boolean {
    if (negation || other.kind === 'group' || other.head.type !== 'place' || other.head.word.sense.zone) return false;
    if (other.attributes.length + other.modifiers.length > 0 || other.amount || other.doing) return false;
    ledger.use(word);
    ledger.note([other.head.word], REASONS.place);
    return true;
  }
}

function withoutSubject(
  predicate: Predicate,
  timing: Timing,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const own = { ...predicate, modifiers: timing.others };
  const { head, negation } = predicate;
  if (negation) ledger.use(negation);
  const isNot = isNegated !== (negation !== null);
  if (isNegated && negation) return null;
  if (head.type === 'speech') {
    const what = groundSpeech(predicate, ledger);
    return placed(timing.others, what, context) ? alone(plain(what, isNot)) : null;
  }
  const stop = findLightStop(own);
  if (stop) {
    if (isNot || !placed(stop.others, stop.what, context)) return null;
    ledger.note(stop.words, REASONS.readAsCarrier);
    return alone(plain(stop.what));
  }
  // "How long does each person speak", "how many people are talking", "who talks"
  if (head.type === 'sound' && predicate.agent && (context.isCount || isCertain(predicate.agent)))
    return speakerOf(predicate, context);
  const frame = groundFrame(own, ledger);
  if (frame) {
    const isOfAgent = predicate.agent !== null && frame.what.kind !== 'sound' && frame.what.kind !== 'signal';
    if (predicate.object || isOfAgent || !placed(frame.others, frame.what, context)) return null;
    return alone(plain(frame.what, isNot !== frame.negated));
  }
  if (head.type === 'empty') {
    ledger.use(head.word);
    const isThere = head.word.sense.negated === true;
    return placed(timing.others, { kind: 'unknown' }, context)
      ? alone(plain(present(LIVELY), isNot === isThere))
      : null;
  }
  if (head.type === 'camera_move') return cameraMotion(own, isNot, timing, context);
  if (head.type === 'state' || (head.type === 'action' && !predicate.passive))
    return impliedSubject(own, isNot, timing, context);
  if (head.type === 'action' && head.word.sense.action === 'overtakes') return overtaken(own, isNot, timing, context);
  if (head.type === 'unseen') {
    ledger.block([head.word], head.word.reason);
    return blockedRest(own, context);
  }
  return null;
}

/** "Loitering", "entering from the left". */
function impliedSubject(
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
  const classes = or ? null : impliedClasses(action, by);
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

/** An object that the prompt does not name. */
const unnamed = (text: string, classes: readonly string[]): GroundedObject => ({
  query: { ...ANYTHING, text, classes: [...classes] },
  negated: false,
  plain: false,
  definite: false,
  carrier: false,
  plural: false,
  isAtMost: false,
});

/** "Stopped for 30 s", "waiting at a traffic light": an object in the frame, or the camera. */
function impliedEither(
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

function ofCamera(
  subject: Entity,
  predicate: Predicate | null,
  timing: Timing,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  if (
    !predicate ||
    isNegated ||
    subject.head.type !== 'camera' ||
    subject.attributes.length > 0 ||
    subject.modifiers.length > 0 ||
    subject.doing ||
    subject.amount
  )
    return null;
  ledger.use(subject.head.word);
  const isCarrier = subject.head.word.sense.carrier === true;
  return ofCarrier(predicate, isCarrier, timing, context);
}

/** An event of the camera, or of the vehicle or person that carries it. */
function ofCarrier(
  predicate: Predicate,
  isCarrier: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const { head, negation } = predicate;
  if (negation) ledger.use(negation);
  const own = { ...predicate, modifiers: timing.others };
  const stop = findLightStop(own);
  if (stop) {
    if (negation || !placed(stop.others, stop.what, context)) return null;
    ledger.use(...stop.words);
    return alone(plain(stop.what));
  }
  const isNegated = negation !== null;
  if (isCarrier) {
    const made = toOthers(own, isNegated, timing, context);
    if (made !== undefined) return made;
  } else if (head.type === 'action' && head.word.sense.by === 'person') return null;
  return cameraMotion(own, isNegated, timing, context);
}

/** An event between the carrier of the camera and other objects; undefined for its own motion. */
function toOthers(
  predicate: Predicate,
  isNegated: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null | undefined {
  const { head, object, agent, passive } = predicate;
  const { ledger } = context;
  const other = object ?? agent;
  if (head.type === 'owns') return object ? inView(object, isNegated, timing, context) : null;
  if (head.type !== 'action') return undefined;
  const { action, caveat } = head.word.sense;
  const isClose = action === 'close_ahead' || (action === 'follows' && caveat !== undefined);
  if (action === 'collides' && other) {
    if (!nameHit(other, ledger)) return null;
    return cameraMotion({ ...predicate, object: null, agent: null, passive: false }, isNegated, timing, context);
  }
  if (passive) return action === 'overtakes' ? overtaken(predicate, isNegated, timing, context) : undefined;
  if (isClose && !agent) {
    const ahead = object ? takeOther(object, context) : unnamed(NAMES.traffic, ROAD_VEHICLES);
    if (!ahead || timing.others.length > 0) return null;
    ledger.use(head.word);
    ledger.caveat(head.word, caveat, head.word.sense.decides ? { decides: true } : {});
    return alone(plain({ ...present(ahead.query), action: 'close_ahead' }, isNegated));
  }
  if (!object) return undefined;
  if (action === 'passes') {
    ledger.note([head.word], REASONS.passedByVehicle);
    return inView(object, isNegated, timing, context);
  }
  if (action === 'overtakes') {
    // All that are in view may be passed, and few of them are overtaken.
    ledger.block([head.word], REASONS.overtakenByVehicle);
    const isNamed = timing.others.length === 0 && nameObject(object, context);
    return isNamed ? alone(plain({ kind: 'unknown' }, isNegated)) : null;
  }
  return undefined;
}

/** An object that the carrier of the camera meets is in view. */
function inView(object: Nominal, isNegated: boolean, timing: Timing, context: EventContext): GroundedEvent | null {
  if (object.kind === 'group' || timing.others.length > 0) return null;
  const made = ofObject(object, null, timing, false, context);
  return made && { ...made, main: { ...made.main, negated: made.main.negated !== isNegated } };
}

/** "Overtaken by a truck", "we get overtaken": by somebody who drives. */
function overtaken(
  { head, agent }: Predicate,
  isNegated: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const [side, ...more] = timing.others;
  const from = side?.type === 'side' ? edgeOf(side.place) : null;
  if (head.type !== 'action' || more.length > 0 || (side && !from)) return null;
  if (side?.type === 'side') context.ledger.use(...leavesOfSide(side.place));
  const by = agent ? takeOther(agent, context) : unnamed(NAMES.traffic, ROAD_VEHICLES);
  if (!by) return null;
  context.ledger.use(head.word);
  return alone(plain({ ...present(by.query), action: 'overtakes', from }, isNegated !== by.negated));
}

/** An object without anything else; null for a place and others that are no object. */
function takeOther(other: Nominal, { ledger, textOf }: EventContext): GroundedObject | null {
  if (other.kind === 'group' || other.modifiers.length > 0 || other.doing || other.pick) return null;
  return groundObject(other, ledger, textOf);
}

/** The recording vehicle hits something, which is not in view. */
function nameHit(other: Nominal, ledger: Ledger): boolean {
  return nameBeside(other, 'jolts', ledger);
}

type CameraMotion = { what: CameraTarget; others: readonly Modifier[] };

/** A motion of the camera, with what is beside it. */
function cameraMotion(
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
function besideMotion({ what, others }: CameraMotion, isNegated: boolean, context: EventContext): GroundedEvent | null {
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
      const made = isNegated || other.kind === 'group' ? null : ofObject(other, null, NO_TIMING, false, context);
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

/** "The room is empty": nobody is there, and nothing that comes and goes. */
function emptyPlace(
  subject: Entity,
  predicate: Predicate,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const { head, negation } = predicate;
  if (head.type !== 'empty' || timing.others.length > 0) return null;
  const { head: place, attributes, modifiers, amount, doing } = subject;
  if (modifiers.length > 0 || attributes.length > 0 || amount || doing || subject.negation) return null;
  ledger.use(head.word);
  if (negation) ledger.use(negation);
  const isThere = (negation !== null) !== (head.word.sense.negated === true);
  if (place.type === 'picture' || (place.type === 'pronoun' && !place.person)) {
    ledger.use(place.word);
    return alone(plain(present(ANYTHING), !isThere));
  }
  if (place.type !== 'place') return null;
  const { surface, enclosed, zone } = place.word.sense;
  if (zone) {
    ledger.use(place.word);
    return alone(plain(present({ ...LIVELY, place: zone }), !isThere));
  }
  ledger.note(
    [place.word],
    enclosed && subject.determiner?.type === 'definite' ? REASONS.shown : REASONS.place,
    enclosed && subject.determiner?.type === 'definite' ? { presumed: 'fixed' } : {},
  );
  return alone(plain(present(surface ? ANYTHING : LIVELY), !isThere));
}

const present = (subject: ObjectQuery): ObjectTarget => ({
  kind: 'object',
  subject,
  action: 'present',
  idle: false,
  direction: null,
  from: null,
  to: null,
  relation: null,
});

/** The rest of an event that is blocked anyway: each of its words is named. */
function blockedRest({ object, agent, modifiers }: Predicate, context: EventContext): GroundedEvent | null {
  const { ledger } = context;
  for (const nominal of [
    object,
    agent,
    ...modifiers.flatMap((each) => ('other' in each && each.other ? [each.other] : [])),
  ]) {
    if (nominal && !nameObject(nominal, context)) return null;
  }
  for (const modifier of modifiers) {
    if (modifier.type === 'relation' || modifier.type === 'role')
      ledger.use(modifier.word, ...(modifier.negation ? [modifier.negation] : []));
    else if (modifier.type === 'side') ledger.use(...leavesOfSide(modifier.place));
    else if (modifier.type === 'direction') ledger.use(modifier.word);
    else return null;
  }
  return alone(plain({ kind: 'unknown' }));
}

/** Names an object that belongs to a blocked verb. */
function nameObject(nominal: Nominal, context: EventContext): boolean {
  if (nominal.kind === 'group') return nominal.members.every((member) => nameObject(member, context));
  if (nominal.modifiers.length > 0 || nominal.doing || nominal.pick) return false;
  const { head } = nominal;
  if (head.type === 'object' || head.type === 'unseen')
    return groundObject(nominal, context.ledger, context.textOf) !== null;
  if (nominal.attributes.length > 0 || nominal.amount || nominal.negation) return false;
  context.ledger.use(...('words' in head ? head.words : [head.word]));
  return true;
}

function ofObject(
  entity: Entity,
  predicate: Predicate | null,
  timing: Timing,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger, textOf } = context;
  if (entity.head.type === 'pronoun' && predicate?.head.type === 'returns' && context.isFirst)
    return returnOfSomebody(entity.head.word, predicate, context);
  if (entity.head.type === 'pronoun' && context.implied !== null && predicate) {
    if (entity.head.person) return null;
    ledger.use(entity.head.word);
    return impliedEither(predicate, isNegated, timing, context);
  }
  if (predicate && !isNegated && hitsCamera(predicate)) return hitBy(entity, predicate, timing, context);
  const carried = isNegated ? null : ofOwnVehicle(entity, predicate, timing, context);
  if (carried) return carried;
  const motion = robotMotion(entity, predicate, timing, isNegated, context);
  if (motion) return motion;
  const resolved = resolvePronoun(entity, predicate, context);
  if (!resolved) return null;
  const subject = groundObject(resolved, ledger, textOf);
  if (!subject) return ofPlace(resolved, predicate, context);
  if (resolved.pick) {
    if (resolved.amount) return null;
    ledger.use(resolved.pick);
  }
  if (resolved.head.type === 'object' && resolved.head.word.sense.ambiguous && predicate) return null;
  const own = predicate && { ...predicate, modifiers: timing.others };
  if (own?.head.type === 'runs') return runsLight(own, context);
  const made = groundSubject(
    isNegated ? { ...subject, negated: !subject.negated } : subject,
    resolved,
    own,
    timing,
    context,
  );
  return made && withVehicle(made, subject, own);
}

/** "The car turns left", "the driver stops": the vehicle that carries the camera; null for an object in the frame. */
function ofOwnVehicle(
  entity: Entity,
  predicate: Predicate | null,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const isBare = predicate?.head.type === 'exists' && predicate.modifiers.every(({ type }) => type !== 'measure');
  const own = isBare ? entity.doing : (predicate ?? entity.doing);
  const noun = own && (entity.doing === null || own === entity.doing) ? carrierOf(entity, own) : null;
  if (!own || !noun) return null;
  const inner = own === entity.doing ? takeTiming(own.modifiers, context) : timing;
  if (!inner || (inner !== timing && (inner.conditions.length > 0 || inner.throughout))) return null;
  // Nothing else is measured.
  if (isMeasured(own)) ledger.use(noun);
  else ledger.note([noun], REASONS.readAsCarrier);
  const made = ofCarrier(own, true, inner, context);
  timing.duration ??= inner.duration;
  return made && withCarrier(made);
}

const hitsCamera = ({ head, object, passive }: Predicate): boolean =>
  head.type === 'action' &&
  head.word.sense.action === 'collides' &&
  !passive &&
  object?.kind === 'entity' &&
  object.head.type === 'camera' &&
  object.head.word.sense.carrier === true &&
  isNamed(object);

/** "Did anybody hit us": we are hit. */
function hitBy(entity: Entity, predicate: Predicate, timing: Timing, context: EventContext): GroundedEvent | null {
  const { ledger } = context;
  const { object, negation } = predicate;
  if (object?.kind !== 'entity' || object.head.type !== 'camera' || !nameHit(entity, ledger)) return null;
  ledger.use(object.head.word, ...(negation ? [negation] : []));
  const own = { ...predicate, object: null, modifiers: timing.others };
  return cameraMotion(own, negation !== null, timing, context);
}

const withCarrier = (made: GroundedEvent): GroundedEvent => ({
  ...made,
  main: made.main.what.kind === 'camera' ? { ...made.main, what: { ...made.main.what, vehicle: true } } : made.main,
});
/** "The arm stops moving": its motion is the motion in the frame. */
function robotMotion(
  { head, attributes, modifiers, doing, amount, negation, pick }: Entity,
  predicate: Predicate | null,
  { others }: Timing,
  isNegated: boolean,
  { ledger, isOnly }: EventContext,
): GroundedEvent | null {
  // Whatever else is named may move as well.
  if (!isOnly) return null;
  const isPlain = attributes.length + modifiers.length === 0 && !amount && !negation && !pick;
  const verb = predicate ?? doing;
  if (head.type !== 'unseen' || !head.words.at(-1)!.robot || !isPlain || (predicate && doing) || !verb) return null;
  if (verb.object || verb.agent || others.length > 0 || (doing && doing.modifiers.length > 0)) return null;
  const isMoving = motionOf(verb.head);
  if (isMoving === null) return null;
  ledger.note(head.words, NO_ROBOTS);
  ledger.use(
    ...('word' in verb.head && verb.head.word ? [verb.head.word] : []),
    ...(verb.negation ? [verb.negation] : []),
  );
  const isNot = [isNegated, !isMoving, verb.negation !== null].filter(Boolean).length % 2 === 1;
  return alone(plain({ kind: 'motion', place: null }, isNot));
}

/** True if the event is movement, false if it is standing still, null for other events. */
function motionOf(head: Predicate['head']): boolean | null {
  if (head.type === 'state') return head.word.sense.state === 'moving';
  if (head.type !== 'action' || head.word.sense.caveat || head.word.sense.direction) return null;
  const { action } = head.word.sense;
  if (action === 'moves' || action === 'starts') return true;
  return action === 'stops' || action === 'stands' ? false : null;
}

/** "A car runs a red light": which light is that of a vehicle in the frame is not known. */
function runsLight(predicate: Predicate, { ledger }: EventContext): GroundedEvent | null {
  const stop = findLightStop(predicate);
  if (!stop || stop.others.length > 0 || predicate.negation) return null;
  ledger.block(stop.words, REASONS.whoseLight);
  return alone(plain({ kind: 'unknown' }));
}

/** "A gate opens": nothing recognizes a place, nor its actions. */
function ofPlace(entity: Entity, predicate: Predicate | null, { ledger }: EventContext): GroundedEvent | null {
  if (entity.head.type !== 'place' || entity.head.word.sense.zone || !predicate) return null;
  const { word } = entity.head;
  ledger.block([word], NO_PLACES);
  for (const leaf of leavesOf([entity, predicate], isSilentLeaf))
    if (leafKey(leaf) !== leafKey(word)) ledger.block([leaf], reasonOf(leaf));
  return alone(plain({ kind: 'unknown' }));
}

const reasonOf = (leaf: Leaf): string =>
  'reason' in leaf && typeof leaf.reason === 'string' ? leaf.reason : NO_PLACES;

/** "Does he come back": nobody says who, and that he was there before. */
function returnOfSomebody(
  pronoun: Leaf,
  { head, negation, modifiers, object }: Predicate,
  { ledger }: EventContext,
): GroundedEvent | null {
  if (head.type !== 'returns' || modifiers.length > 0 || object) return null;
  ledger.use(pronoun, ...(negation ? [negation] : []));
  ledger.block([head.word], REASONS.noEarlier);
  return alone(plain({ kind: 'unknown' }));
}

const isPersonal = ({ sense }: Word<'noun'>) => sense.classes.includes('person');

/** "It", "she": the subject of the step before. Without one, nobody knows who is meant. */
function resolvePronoun(
  entity: Entity,
  predicate: Predicate | null,
  { antecedent, isOnly, ledger }: EventContext,
): Entity | null {
  if (entity.head.type !== 'pronoun') return entity;
  if (antecedent === null) return isOnly ? standIn(entity, predicate ?? entity.doing) : null;
  if (antecedent.head.type !== 'object') return null;
  // "A person enters while it is dark": not the person.
  const isOfKind = entity.plural
    ? antecedent.plural || isPersonal(antecedent.head.word)
    : isPersonal(antecedent.head.word) === entity.head.person || antecedent.head.word.sense.classes.length === 0;
  if (!isOfKind) return null;
  ledger.use(entity.head.word);
  return antecedent;
}

/** "Did he fall": nobody was named before, so that anybody counts. "Does it stop" may be about the vehicle. */
function standIn(entity: Entity, predicate: Predicate | null): Entity | null {
  if (entity.head.type !== 'pronoun' || !predicate) return null;
  const { word, person } = entity.head;
  const { head } = predicate;
  if (head.type !== 'action' && head.type !== 'owns' && !(head.type === 'state' && person)) return null;
  const isOfVehicle =
    head.type === 'action' && (OF_CARRIERS.has(head.word.sense.action) || head.word.sense.action === 'present');
  if (!person && isOfVehicle) return null;
  const sense = { type: 'noun', classes: person ? ['person'] : [] } as const;
  return { ...entity, head: { type: 'object', word: { ...word, sense }, indefinite: true } };
}

/** Grounds the description of the noun, and then its verb. */
function groundSubject(
  subject: GroundedObject,
  entity: Entity,
  predicate: Predicate | null,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { doing } = entity;
  if (doing === null) return groundAction(subject, entity, predicate, context, timing);
  const inner = takeTiming(doing.modifiers, context);
  if (!inner || inner.conditions.length > 0 || inner.throughout) return null;
  const own = { ...doing, modifiers: inner.others };
  if (predicate === null || predicate.head.type === 'exists') {
    if (predicate && predicate.modifiers.length > 0) return null;
    if (inner.duration && timing.duration) return null;
    timing.duration ??= inner.duration;
    return groundAction(subject, entity, own, context, timing);
  }
  // "A person carrying a bag leaves": with the bag. Two actions of one object are two steps.
  if (inner.duration) return null;
  const described = describeBy(own);
  return (
    described &&
    groundAction(
      subject,
      { ...entity, modifiers: [...entity.modifiers, ...described.modifiers] },
      predicate,
      context,
      timing,
      described.state ? { state: described.state } : {},
    )
  );

  function describeBy(what: Predicate): { modifiers: readonly Modifier[]; state?: 'stationary' | 'moving' } | null {
    const { head } = what;
    if (what.negation || what.agent || what.passive) return null;
    if (head.type === 'state' && what.modifiers.every((each) => each.type === 'side' && each.role === 'at')) {
      context.ledger.use(head.word);
      return { modifiers: what.modifiers, state: head.word.sense.state };
    }
    const relation = head.type === 'action' ? head.word.sense.relation : head.type === 'owns' ? 'with' : undefined;
    if (!relation || !what.object || what.modifiers.length > 0) return null;
    if (head.type !== 'action') return null;
    context.ledger.caveat(head.word, head.word.sense.caveat, head.word.sense.decides ? { decides: true } : {});
    return {
      modifiers: [
        {
          type: 'relation',
          word: { ...head.word, sense: { type: 'relation', relation } },
          negation: null,
          other: what.object,
        },
      ],
    };
  }
}

type RelationDraft = { kind: Relation; other: ObjectQuery; negated: boolean };

/** Grounds an object and its action, with its path and its relations. */
function groundAction(
  grounded: GroundedObject,
  entity: Entity | null,
  predicate: Predicate | null,
  context: EventContext,
  timing: Pick<Timing, 'duration'> | null = null,
  more: Partial<ObjectQuery> = {},
): GroundedEvent | null {
  const { ledger } = context;
  let subject: ObjectQuery = { ...grounded.query, ...more };
  let negated = grounded.negated;
  const head = predicate?.head ?? null;
  const relations: RelationDraft[] = [];
  const path: Path = { direction: null, from: null, to: null };
  let region: ObjectTarget['region'];
  let line: ObjectTarget['line'];
  let isUnknown = entity?.head.type === 'unseen';
  let isSelf = false;
  /** "Somebody", who drives if they do something to the vehicle with the camera. */
  const isSomebody = entity?.head.type === 'object' && entity.head.indefinite && isPerson(subject);
  // "Did anybody crash": somebody in a vehicle.
  const isCrash = head?.type === 'action' && head.word.sense.action === 'collides' && !predicate?.object;
  const isDriver = isSomebody && isCrash;
  if (isDriver) subject = { ...subject, text: NAMES.colliding, classes: [...impliedClasses('collides', undefined)!] };

  const verb = takeVerb();
  if (verb === null) return null;
  let action: Action = verb;

  for (const modifier of entity?.modifiers ?? []) if (!takeModifier(modifier, true)) return null;
  for (const modifier of predicate?.modifiers ?? []) if (!takeModifier(modifier, false)) return null;
  if (predicate?.object && !takeObject(predicate.object)) return null;
  if (predicate?.agent && !takeAgent(predicate.agent)) return null;
  if (predicate?.passive && !predicate.agent && TRANSITIVE.has(action)) {
    relations.unshift({ kind: 'near', other: subject, negated: false });
    subject = { ...ANYTHING };
  }
  // "Went in and came out": it leaves.
  if (action === 'appears' && context.hasEntered && head?.type !== 'returns') {
    if (head?.type === 'action' && head.word.sense.exits) action = 'leaves';
    else if (context.isSame) return null;
  }
  if (isUnknown && !predicate?.negation) return alone(plain(knownPart(), negated));
  if (!isUnknown && !settleAction()) return null;

  let idle = false;
  if (predicate?.negation) {
    ledger.use(predicate.negation);
    if (isUnknown) return alone(plain(knownPart(), negated));
    const last = relations.at(-1);
    const isDouble = negated && !grounded.negated;
    if (negated && !isDouble) return null;
    if (isDouble) negated = false;
    else if (action === 'present' && last) last.negated = !last.negated;
    else if (action === 'present' || action === 'appears') negated = true;
    else if (
      action === 'moves' &&
      path.direction === null &&
      path.from === null &&
      (context.isYesNo || timing?.duration)
    )
      action = 'stands';
    else idle = true;
  }
  if (action === 'appears' && timing?.duration && !negated && !idle) {
    if (relations.length > 0) return null;
    action = 'present';
  }
  if (grounded.isAtMost && action === 'present' && relations.length === 0) {
    subject = { ...subject, count: { min: subject.count.max! + 1, max: null } };
    negated = !negated;
  }
  // "A group gathering on the left": each of them is there.
  if (isSelf && subject.place)
    relations[0] = { ...relations[0]!, other: { ...relations[0]!.other, place: subject.place } };
  const steps = pathOf(action, path);
  if (!steps) return null;
  const [first, ...rest] = relations;
  const what: ObjectTarget = {
    kind: 'object',
    subject,
    action,
    idle,
    ...steps,
    ...(region ? { region } : {}),
    ...(line ? { line } : {}),
    relation: first ?? null,
  };
  if (action === 'approaches' && !first) what.direction = 'towards';
  if (incapable(what)) return null;
  if (isMotionOnly(what)) return alone(plain({ kind: 'motion', place: subject.place }, negated !== idle));
  const isMoved = MOVED.has(action) && first !== undefined;
  const there = present(subject);
  if (isSelf && relations.length > 1) return null;
  const others = (isMoved ? relations : rest).map((relation) => ({ ...plain({ ...there, relation }), same: true }));
  return { main: plain(isMoved ? { ...what, relation: null } : what, negated), meanwhile: others };

  /** The known part of an event that is not searched: a model is shown the frames with this object. */
  function knownPart(): Target {
    return entity?.head.type === 'object' && subject.classes.length > 0 ? present(subject) : { kind: 'unknown' };
  }

  /** The action of the verb; null for one that cannot be grounded here. */
  function takeVerb(): Action | null {
    if (head === null || head.type === 'exists') return 'present';
    switch (head.type) {
      case 'action': {
        const { sense } = head.word;
        if (sense.or) return null;
        // "A bag left on a bench".
        const isAbandoned = sense.action === 'leaves' && predicate!.passive;
        if (isAbandoned && !isPortable(subject) && subject.classes.length > 0) return null;
        // "Is anyone broken down": a vehicle.
        if (
          sense.action === 'stands' &&
          sense.decides &&
          !sense.by &&
          entity?.head.type === 'object' &&
          entity.head.indefinite
        )
          subject = { ...subject, classes: [...ROAD_VEHICLES] };
        const isOn = sense.relation !== undefined && sense.weak && !predicate!.object;
        if (isOn && predicate!.modifiers.some(({ type }) => type === 'side')) return null;
        // "Traffic jam": one word for the objects and what they do.
        const isJoint = entity?.head.type === 'object' && leafKey(entity.head.word) === leafKey(head.word);
        if (!isJoint) ledger.use(head.word);
        const isUnrelated = sense.relation !== undefined && predicate!.negation !== null;
        const isAtZone = predicate!.object !== null && zoneOf(predicate!.object) !== null;
        if (!isUnrelated && !isAtZone) ledger.caveat(head.word, sense.caveat, sense.decides ? { decides: true } : {});
        if (sense.direction) path.direction = sense.direction;
        if (sense.negated) negated = !negated;
        if (sense.relation && !predicate!.object && (sense.relation === 'with' || !sense.weak))
          return selfRelated(sense.relation);
        return isAbandoned ? 'left_behind' : sense.action;
      }
      case 'state':
        ledger.use(head.word);
        return head.word.sense.state === 'moving' ? 'moves' : 'stands';
      case 'color':
        if (subject.colors.length > 0 || predicate!.negation) return null;
        if (entity?.head.type === 'object' && entity.head.word.sense.fixedColor) {
          ledger.block(head.words, entity.head.word.sense.fixedColor);
          isUnknown = true;
          return 'present';
        }
        ledger.use(...head.words);
        for (const word of head.words) ledger.caveat(word, word.sense.caveat);
        subject = { ...subject, colors: [...new Set(head.words.flatMap((word) => word.sense.names))] };
        return 'present';
      case 'owns':
        ledger.use(head.word);
        return 'present';
      case 'unseen':
        ledger.block([head.word], head.word.reason);
        isUnknown = true;
        return 'present';
      case 'camera_move':
        return turned();
      case 'is':
        return isA(head.other);
      case 'returns':
        return returned(head.word);
      default:
        return null;
    }
  }

  /** "People hug": each other. */
  function selfRelated(relation: Relation): Action | null {
    const isPlaced = subject.place !== null || predicate!.modifiers.length > 0 || (entity?.modifiers.length ?? 0) > 0;
    if (relation === 'with' || !grounded.plural) return null;
    const isRelated = predicate!.modifiers.some(({ type }) => type === 'relation');
    if (isPlaced && isRelated) return 'present';
    if (isPlaced && !onlyAt(predicate!)) return null;
    relations.push({ kind: relation, other: { ...subject, count: { min: 1, max: null } }, negated: false });
    if (subject.count.min <= 2) subject = { ...subject, count: { min: 1, max: null } };
    isSelf = true;
    return 'present';
  }

  /** "The car turns left" is of the vehicle with the camera; of any other object a turn is not seen. */
  function turned(): Action | null {
    if (head?.type !== 'camera_move') return null;
    const isOther = !grounded.definite && !subject.classes.some((name) => name === 'car' || name === 'person');
    const isElsewhere = entity !== null && entity.modifiers.length > 0;
    if (grounded.plain && !isOther && !isElsewhere) return null;
    ledger.block([head.word], REASONS.notTheCamera);
    isUnknown = true;
    return 'present';
  }

  function isA(other: Nominal): Action | null {
    if (predicate!.negation || other.kind === 'group') return null;
    if (!nameBlocked(other)) return null;
    isUnknown = true;
    return 'present';
  }

  function nameBlocked(other: Entity): boolean {
    if (
      other.modifiers.length > 0 ||
      other.doing ||
      other.pick ||
      other.amount ||
      other.negation ||
      other.attributes.length > 0
    )
      return false;
    const leaves = 'words' in other.head ? other.head.words : [other.head.word];
    ledger.block(leaves, REASONS.identity);
    return true;
  }

  /** "Comes back": it was there before, and went. Only a sequence can state that. */
  function returned(word: Leaf): Action | null {
    if (context.isFirst || predicate!.negation) {
      ledger.block([word], REASONS.noEarlier);
      isUnknown = true;
    } else if (context.hasLeft) ledger.use(word);
    else ledger.note([word], REASONS.same);
    return 'appears';
  }

  function takeModifier(modifier: Modifier, isOfNoun: boolean): boolean {
    switch (modifier.type) {
      case 'relation':
        return takeRelation(modifier);
      case 'role':
        return takeRole(modifier, isOfNoun);
      case 'mutual':
        return takeMutual(modifier);
      case 'side':
        return takeSide(modifier, isOfNoun);
      case 'direction':
        if (path.direction !== null || (isOfNoun && action !== 'present')) return false;
        if (isOfNoun) action = 'moves';
        ledger.use(modifier.word);
        path.direction = modifier.word.sense.direction;
        return true;
      case 'worn': {
        if (modifier.negation) {
          if (modifier.garment !== null || subject.except) return false;
          ledger.use(modifier.negation, ...modifier.colors);
          subject = {
            ...subject,
            except: { classes: [], colors: modifier.colors.flatMap(({ sense }) => sense.names) },
          };
          return true;
        }
        const dressed = groundClothes(subject, modifier, ledger);
        if (!dressed) return false;
        subject = dressed;
        return true;
      }
      case 'vague':
        ledger.note([modifier.word], modifier.word.sense.reason);
        return true;
      case 'unseen':
        ledger.block([modifier.word], modifier.word.reason);
        isUnknown = true;
        return true;
      case 'excluded':
        return takeException(modifier);
      default:
        return false;
    }
  }

  /** "But not red ones", "except trucks". */
  function takeException({ words, attribute, other }: Extract<Modifier, { type: 'excluded' }>): boolean {
    if (subject.except) return false;
    const excepted = other && groundObject(other, ledger, context.textOf);
    if (other) {
      const isPlain =
        excepted &&
        other.modifiers.length === 0 &&
        !other.doing &&
        !other.amount &&
        !other.pick &&
        excepted.query.state === null;
      // "People but not cyclists": none on a bicycle.
      if (isPlain && excepted.query.ridden && isPerson(subject)) {
        const { ridden: _, ...ridden } = excepted.query;
        ledger.use(...words);
        relations.push({ kind: 'overlaps', other: ridden, negated: true });
        return true;
      }
      if (!isPlain || excepted.query.place || excepted.query.ridden) return false;
      const { classes: excluded, colors } = excepted.query;
      const isPart =
        excluded.length > 0 &&
        (subject.classes.length === 0 || excluded.every((each) => subject.classes.includes(each))) &&
        (colors.length > 0 || subject.classes.some((each) => !excluded.includes(each)) || subject.classes.length === 0);
      if (!isPart) return false;
      ledger.use(...words);
      subject = { ...subject, except: { classes: excluded, colors } };
      return true;
    }
    if (attribute?.type !== 'color') {
      ledger.block([...words, ...(attribute ? leavesOfAttribute(attribute) : [])], REASONS.noExclusion);
      isUnknown = true;
      return true;
    }
    ledger.use(...words, ...attribute.words);
    for (const word of attribute.words) ledger.caveat(word, word.sense.caveat);
    subject = { ...subject, except: { classes: [], colors: attribute.words.flatMap((word) => word.sense.names) } };
    return true;
  }

  /** "With a dog and a bag": a relation to each of them. */
  function takeRelation(modifier: Extract<Modifier, { type: 'relation' }>, isRepeated = false): boolean {
    const { word, negation, other } = modifier;
    if (other.kind === 'entity' && other.head.type === 'camera') return takeViewpoint({ ...modifier, other });
    if (other.kind === 'group' && other.conjunction === 'and' && other.members.some((member) => member.negation))
      return false;
    if (other.kind === 'group' && other.conjunction === 'and')
      return other.members.every((member, i) => takeRelation({ ...modifier, other: member }, i > 0));
    const zone = zoneOf(other);
    const drawn = drawnLineOf(other);
    if (zone || drawn) {
      ledger.use(word, ...(negation ? [negation] : []));
      if (drawn) return takeDrawnLine(drawn, leafOf(other), word.sense.relation === 'above');
      const isWithin = word.sense.relation === 'inside' || word.sense.relation === 'on';
      return takeZone(zone!, isWithin ? 'at' : 'past', null, negation !== null);
    }
    const object = groundOther(other, word.sense.caveat === BETWEEN);
    if (object === 'place') {
      if (negation || other.kind === 'group' || other.head.type !== 'place') return false;
      return nameSetting(other, word);
    }
    if (!object) return false;
    if (!isRepeated) {
      ledger.use(word, ...(negation && negation.span.from !== word.span.from ? [negation] : []));
      ledger.caveat(word, word.sense.caveat, word.sense.decides ? { decides: true } : {});
    }
    relations.push({ kind: word.sense.relation, other: object.query, negated: (negation !== null) !== object.negated });
    return true;
  }

  /** "In front of us", "near my car". */
  function takeViewpoint(modifier: Extract<Modifier, { type: 'relation' }> & { other: Entity }): boolean {
    const { relation } = modifier.word.sense;
    if (relation === 'overlaps' || (action === 'loiters' && relation === 'near'))
      return takeOwnCar(modifier.other, relation, modifier);
    const view = isNamed(modifier.other) ? groundViewpoint(modifier, action, ledger, subject) : null;
    if (!view || (view.place && subject.place)) return false;
    if (view.place) subject = { ...subject, place: view.place };
    return true;
  }

  /** "Touches my car": one in the frame, since somebody is at it. */
  function takeOwnCar(
    { head: other, modifiers, attributes }: Entity,
    kind: Relation,
    modifier: Extract<Modifier, { type: 'relation' }> | null,
  ): boolean {
    if (other.type !== 'camera' || !other.word.sense.carrier || modifiers.length + attributes.length > 0) return false;
    ledger.note([other.word], REASONS.ownCar);
    if (modifier?.negation) return false;
    if (modifier) {
      ledger.use(modifier.word);
      ledger.caveat(modifier.word, modifier.word.sense.caveat, modifier.word.sense.decides ? { decides: true } : {});
    }
    const car: ObjectQuery = { ...ANYTHING, text: context.textOf([other.word]), classes: [...OWN_CLASSES] };
    relations.push({ kind, other: car, negated: false });
    return true;
  }

  /** A place beside something: which nothing recognizes. */
  function nameSetting(other: Entity, relation: Word<'relation'>): boolean {
    if (
      other.modifiers.length > 0 ||
      other.doing ||
      other.pick ||
      other.amount ||
      other.attributes.length > 0 ||
      other.negation
    )
      return false;
    if (other.head.type !== 'place' || other.head.word.sense.zone) return false;
    const isAnything = subject.classes.length === 0 && subject.colors.length === 0;
    if (isAnything || predicate?.negation) ledger.block([relation, other.head.word], REASONS.place);
    else if (BESIDE.has(relation.sense.relation)) ledger.note([relation, other.head.word], REASONS.place);
    else {
      ledger.use(relation);
      ledger.caveat(relation, relation.sense.caveat);
      ledger.note([other.head.word], REASONS.place);
    }
    return true;
  }

  /** The other object of a relation; `place` for one that nothing recognizes. */
  function groundOther(other: Nominal, isEither = false): GroundedObject | 'place' | null {
    if (other.kind === 'group') return groundAlternatives(other.members, other.conjunction === 'or');
    if (other.head.type === 'place') return 'place';
    if (other.head.type === 'pronoun') return groundMentioned(other, other.head.word);
    if (other.doing || other.pick) return null;
    const isAgain = other.determiner?.type === 'other';
    const object = groundObject(isAgain ? { ...other, determiner: null } : other, ledger, context.textOf);
    if (!object || object.isAtMost) return null;
    if (isAgain) ledger.use(other.determiner!);
    let query = object.query;
    if (other.head.type === 'unseen') isUnknown = true;
    for (const modifier of other.modifiers) {
      const isNearby = modifier.type === 'role' && modifier.role === 'bare';
      if (
        isNearby &&
        groundPlace(modifier, ledger, { action: null, signal: null, isAnything: false, isSubject: false })
      )
        continue;
      if (modifier.type !== 'side' || modifier.role !== 'at' || query.place !== null) return null;
      ledger.use(...leavesOfSide(modifier.place));
      query = { ...query, place: placeOf(modifier.place) };
    }
    if (other.head.type === 'object' && other.amount && !isEither) ledger.caveat(other.head.word, REASONS.uncounted);
    return { ...object, query };
  }

  /** "Without it": the only object that the steps before name beside their subjects. */
  function groundMentioned({ plural }: Entity, pronoun: Leaf): GroundedObject | null {
    const [only, ...others] = context.mentioned.filter(
      (each) => each.head.type === 'object' && !isPersonal(each.head.word) && each.plural === plural,
    );
    if (!only || others.length > 0 || only.negation || only.doing || only.modifiers.length > 0) return null;
    ledger.use(pronoun);
    return groundObject({ ...only, determiner: null }, ledger, context.textOf);
  }

  /** "Near a car or a bus": any of these classes. */
  function groundAlternatives(members: readonly Entity[], isOr: boolean): GroundedObject | null {
    if (!isOr) return null;
    const objects = members.map((member) => groundOther(member));
    if (!objects.every((each): each is GroundedObject => each !== null && each !== 'place')) return null;
    const isBare = objects.every(
      ({ query, negated: isNone }) =>
        !isNone &&
        query.colors.length === 0 &&
        query.count.min === 1 &&
        query.count.max === null &&
        query.place === null &&
        query.state === null &&
        !query.ridden,
    );
    if (!isBare) return null;
    const classes = [...new Set(objects.flatMap(({ query }) => query.classes))];
    return { ...objects[0]!, query: { ...objects[0]!.query, classes } };
  }

  /** "The car stops at the red light": which light is that of a vehicle is not known. */
  function takeLight(at: Leaf, light: Entity): boolean {
    const leaves = [at, ...leavesOfLight(light)];
    if (grounded.plain && grounded.definite) ledger.note(leaves, REASONS.whoseLight);
    else {
      ledger.block(leaves, REASONS.whoseLight);
      isUnknown = true;
    }
    return true;
  }

  function takeRole(modifier: Extract<Modifier, { type: 'role' }>, isOfNoun: boolean): boolean {
    const { role, surface, word, negation, other } = modifier;
    const zone = zoneOf(other);
    if (zone) {
      const isName = word.id === leafOf(other).id;
      ledger.use(...(isName ? [] : [word]), ...(negation ? [negation] : []));
      return takeZone(zone, role, surface, negation !== null);
    }
    const drawn = drawnLineOf(other);
    if (drawn) {
      ledger.use(word);
      return takeDrawnLine(drawn, leafOf(other), role === 'across' || role === 'past');
    }
    if (other.kind === 'entity' && other.head.type === 'place') {
      const isAnything = subject.classes.length === 0 && subject.colors.length === 0 && context.implied === null;
      const isTowards = role === 'into' && action === 'moves';
      const isAway = role === 'out' && action === 'moves';
      if (isTowards) action = 'enters';
      if (isAway) action = 'leaves';
      if (
        (role === 'into' || role === 'out') &&
        !isTowards &&
        !isAway &&
        action !== 'enters' &&
        action !== 'leaves' &&
        action !== 'appears'
      )
        return false;
      if (role === 'out' || (isPortable(subject) && !subject.ridden && action === 'leaves' && !predicate?.passive))
        return false;
      if (predicate?.negation && action === 'present') {
        ledger.use(word);
        ledger.block([other.head.word], REASONS.place);
        return other.attributes.length + other.modifiers.length === 0;
      }
      return groundPlace(modifier, ledger, {
        action,
        signal: null,
        isAnything,
        isSubject: isOfNoun || action === 'present' || action === 'stands',
      });
    }
    if (other.kind === 'entity' && other.head.type === 'camera') {
      const { carrier } = other.head.word.sense;
      if (negation || !isNamed(other)) return false;
      if (role === 'at' && surface === 'on' && !carrier && action === 'present') {
        ledger.note([word, other.head.word], REASONS.onCamera);
        return true;
      }
      if ((role !== 'to' && role !== 'towards') || action !== 'moves' || path.direction !== null) return false;
      const isDriven = head?.type === 'action' && head.word.sense.by !== 'person';
      if (isSomebody && carrier && isDriven) subject = { ...subject, classes: [...ROAD_VEHICLES] };
      ledger.use(word, other.head.word);
      path.direction = 'towards';
      return true;
    }
    if (other.kind === 'entity' && isLight(other)) return role === 'at' && !negation && takeLight(word, other);
    const object = groundOther(other);
    if (!object || object === 'place') return false;
    ledger.use(word, ...(negation ? [negation] : []));
    if (other.kind === 'entity' && other.head.type === 'unseen') return true;
    const isNot = (negation !== null) !== object.negated;
    const near = (name: Action) => {
      action = name;
      relations.push({ kind: 'near', other: object.query, negated: isNot });
      return true;
    };
    if (role === 'at' && surface !== null) {
      if (isPortable(subject) && action === 'leaves' && !predicate?.passive) return false;
      relations.push({ kind: RELATION_OF_SURFACE[surface], other: object.query, negated: isNot });
      return true;
    }
    if (isNot) return false;
    if ((role === 'to' || role === 'towards') && action === 'moves') return near('approaches');
    if (role === 'past' && action === 'moves') return near('passes');
    if (role === 'into' && isVehicle(object.query) && (action === 'moves' || action === 'enters')) {
      ledger.caveat(leafOf(other), REASONS.intoVehicle);
      return near('disappears');
    }
    if (
      role === 'out' &&
      isVehicle(object.query) &&
      (action === 'moves' || action === 'leaves' || action === 'appears')
    ) {
      ledger.caveat(leafOf(other), REASONS.outOfVehicle);
      return near('appears');
    }
    return false;
  }

  /** A zone that was drawn: its border, or where the object is. */
  function takeZone(
    { region: zone, entity: named }: NonNullable<ReturnType<typeof zoneOf>>,
    role: PlaceRole,
    surface: Surface,
    isElsewhere: boolean,
  ): boolean {
    const leaf = leafOf(named);
    if (named.attributes.length + named.modifiers.length > 0 || named.amount || named.doing || named.pick) return false;
    const isOutside = isElsewhere || (predicate?.negation != null && action === 'present');
    const verb = action === 'leaves' && predicate?.passive ? 'left_behind' : action;
    const use = useZone(verb, role, { surface, isTaken: region !== undefined || subject.place !== null, isOutside });
    if (use.kind === 'blocked') {
      ledger.block([leaf], use.reason);
      isUnknown = true;
      return true;
    }
    ledger.use(leaf, ...(named.negation ? [named.negation] : []));
    if (use.kind === 'place') subject = { ...subject, place: zone };
    else {
      action = use.action;
      region = zone;
    }
    return true;
  }

  /** A line that was drawn, which is crossed. */
  function takeDrawnLine(drawn: Line, leaf: Leaf, isAcross: boolean): boolean {
    const crossed = isAcross ? crossLine(action, drawn) : null;
    if (!crossed || line || region) {
      ledger.block([leaf], line || region ? REASONS.twoZones : REASONS.onLine);
      isUnknown = true;
      return true;
    }
    ledger.use(leaf);
    action = 'crosses';
    line = crossed;
    return true;
  }

  function takeMutual({ word, relation, other }: Extract<Modifier, { type: 'mutual' }>): boolean {
    const kind = relation?.sense.relation ?? word.sense.relation ?? null;
    const verbRelation = head?.type === 'action' ? head.word.sense.relation : undefined;
    const isDone = TRANSITIVE.has(action);
    const related = kind ?? verbRelation ?? (isDone ? 'near' : null);
    if (!related || (!grounded.plural && !other)) return false;
    ledger.use(word, ...(relation ? [relation] : []));
    if (relation) ledger.caveat(relation, relation.sense.caveat);
    if (other) {
      const object = groundOther(other);
      if (!object || object === 'place' || object.negated) return false;
      relations.push({ kind: related, other: object.query, negated: false });
      return true;
    }
    const one = { min: 1, max: null };
    if (subject.count.min <= 2) subject = { ...subject, count: one };
    relations.push({ kind: related, other: { ...subject, count: one }, negated: false });
    return true;
  }

  function takeSide({ role, place }: Extract<Modifier, { type: 'side' }>, isOfNoun: boolean): boolean {
    const edge = edgeOf(place);
    const isBounded = action === 'enters' || action === 'leaves' || action === 'crosses';
    const isState = action === 'present' || action === 'stands' || action === 'stops' || action === 'loiters';
    if (role === 'from' && (action === 'approaches' || action === 'starts')) {
      ledger.note(leavesOfSide(place), REASONS.anyPlace);
      return true;
    }
    ledger.use(...leavesOfSide(place));
    if (role === 'from') {
      if (!edge || path.from !== null) return false;
      if (action === 'present') action = 'moves';
      if (action === 'appears') action = 'enters';
      if (action === 'disappears') action = 'leaves';
      path.from = edge;
      return true;
    }
    if (role === 'to' && edge && path.from !== null && !isOpposite(path.from, edge)) return false;
    if (role === 'to' && edge && !isOfNoun && !isState) {
      if (action === 'leaves') path.to = edge;
      else if (path.direction !== null) return false;
      else path.direction = directionOf(edge);
      if (path.from !== null && path.direction !== null) path.from = null;
      return true;
    }
    if (role === 'bare' && edge && !isState) {
      if (action === 'enters' || action === 'overtakes' || action === 'appears') {
        action = action === 'appears' ? 'enters' : action;
        path.from = edge;
      } else if (action === 'leaves') path.to = edge;
      else if (path.direction === null && place.parts.length === 0) path.direction = directionOf(edge);
      else return false;
      return true;
    }
    if (role === 'at' && edge && !isOfNoun && (action === 'enters' || action === 'overtakes')) {
      path.from = edge;
      return true;
    }
    if (role === 'at' && edge && !isOfNoun && action === 'leaves') {
      path.to = edge;
      return true;
    }
    const area = placeOf(place);
    if (!area) return false;
    const isEntered =
      (role === 'bare' || role === 'into') && !edge && (isBounded || (role === 'into' && action === 'moves'));
    if (isEntered) {
      const isMiddle = place.sides.length === 1 && place.sides[0]!.sense.side === 'middle' && place.parts.length === 0;
      if (action === 'crosses' && isMiddle) return true;
      if (action === 'moves') action = 'enters';
      region = { ...area, name: context.textOf(leavesOfSide(place)).toLowerCase() };
      return true;
    }
    if (role === 'into' || subject.place !== null) return false;
    if (role === 'bare' && !isState) return false;
    subject = { ...subject, place: area };
    return true;
  }

  /** "Carries a bag", "passes a car", "enters the room". */
  function takeObject(object: Nominal): boolean {
    if (isUnknown && head?.type === 'unseen') return nameObject(object, context);
    if (head?.type === 'owns') return ownedBy(object);
    if (head?.type !== 'action') return false;
    const { sense } = head.word;
    const zone = zoneOf(object);
    if (zone) return takeZone(zone, 'bare', null, false);
    const drawn = drawnLineOf(object);
    if (drawn) return takeDrawnLine(drawn, leafOf(object), true);
    if (object.kind === 'entity' && object.head.type === 'place') {
      if (
        object.modifiers.length > 0 ||
        object.doing ||
        object.amount ||
        object.pick ||
        object.attributes.length > 0 ||
        object.negation ||
        object.head.word.sense.zone
      )
        return false;
      const { word } = object.head;
      if (action === 'approaches') action = 'moves';
      else if (!OF_PLACES.has(action)) return false;
      if (word.sense.solid && action === 'enters') ledger.block([word], REASONS.place);
      else
        ledger.note(
          [word],
          REASONS.place,
          word.sense.passed && action !== 'moves' ? { decides: action !== 'crosses' } : {},
        );
      return true;
    }
    if (object.kind === 'entity' && object.head.type === 'line') return takeLine(object, object.head.word);
    if (object.kind === 'entity' && object.head.type === 'camera') return takeCamera(object, sense);
    const members = object.kind === 'group' && object.conjunction === 'and' ? object.members : [object];
    for (const member of members) {
      const isBetween = sense.relation !== undefined && action === 'appears';
      const other = groundOther(member, isBetween);
      if (!other || other === 'place' || other.negated) return false;
      if (member.kind === 'entity' && member.head.type === 'unseen') continue;
      if (sense.relation) {
        relations.push({ kind: sense.relation, other: other.query, negated: false });
        // "Runs out between two cars".
        if (isBetween) ledger.caveat(leafOf(member), BETWEEN);
      } else if (TRANSITIVE.has(action) || action === 'loiters')
        relations.push({ kind: 'near', other: other.query, negated: false });
      else if (sense.by === 'person' && action === 'moves' && isWalked(other.query))
        relations.push({ kind: 'with', other: other.query, negated: false });
      else if ((action === 'enters' || OUT_OF.has(action)) && isVehicle(other.query)) {
        const isIn = action === 'enters';
        ledger.caveat(leafOf(member), isIn ? REASONS.intoVehicle : REASONS.outOfVehicle);
        action = isIn ? 'disappears' : 'appears';
        relations.push({ kind: 'near', other: other.query, negated: false });
      } else if (action === 'taken_away' || action === 'left_behind') {
        if (members.length > 1 || !isPerson(subject) || subject.colors.length > 0) return false;
        subject = other.query;
      } else if (action === 'leaves' && isPortable(other.query)) {
        if (members.length > 1 || !isPerson(subject) || subject.colors.length > 0) return false;
        subject = other.query;
        action = 'left_behind';
      } else return false;
    }
    return true;
  }

  /** "Overtakes us", "cuts in front of us", "touches my car". */
  function takeCamera(object: Entity, { relation, caveat, by }: ActionSense): boolean {
    if (object.head.type !== 'camera' || !isNamed(object)) return false;
    if (relation === 'overlaps') return takeOwnCar(object, relation, null);
    if (action === 'loiters') return takeOwnCar(object, 'near', null);
    if (!TOWARDS_CAMERA.has(action)) return false;
    const isDriven = by !== 'person' && action !== 'approaches';
    if (isSomebody && isDriven && object.head.word.sense.carrier) subject = { ...subject, classes: [...ROAD_VEHICLES] };
    if (action === 'overtakes' && !isRidden(subject)) return false;
    if (action === 'passes') {
      const word = head!.type === 'action' ? head!.word : object.head.word;
      if (caveat === undefined) ledger.caveat(word, REASONS.passing, { decides: true });
      action = 'moves';
    }
    ledger.use(object.head.word);
    return true;
  }

  /** "Crosses the middle line": one that halves the frame. */
  function takeLine(object: Entity, word: Word<'line'>): boolean {
    const isPlain = object.modifiers.length + object.attributes.length === 0 && !object.amount && !object.negation;
    if (!isPlain || action !== 'crosses' || line) return false;
    if (word.sense.line === null) {
      ledger.block([word], REASONS.noLine);
      isUnknown = true;
      return true;
    }
    ledger.use(word);
    ledger.caveat(word, REASONS.halvingLine);
    line =
      typeof word.sense.line === 'object'
        ? word.sense.line
        : { name: context.textOf([word]).toLowerCase(), ...HALVES[word.sense.line] };
    return true;
  }

  function ownedBy(object: Nominal): boolean {
    const members = object.kind === 'group' ? (object.conjunction === 'and' ? object.members : []) : [object];
    return (
      members.length > 0 &&
      members.every((member) => {
        const other = groundOther(member);
        if (!other || other === 'place') return false;
        relations.push({ kind: 'with', other: other.query, negated: other.negated });
        return true;
      })
    );
  }

  /** "Overtaken by a truck": the truck does it. */
  function takeAgent(agent: Nominal): boolean {
    if (agent.kind === 'group' || !predicate!.passive) return false;
    const other = groundOther(agent);
    if (!other || other === 'place' || other.negated) return false;
    if (MOVED.has(action)) return isPerson(other.query) && other.query.colors.length === 0;
    if (!TRANSITIVE.has(action) || relations.length > 0) return false;
    relations.push({ kind: 'near', other: subject, negated: false });
    subject = other.query;
    return true;
  }

  /** Actions that need another object, or none, or that a passive means otherwise. */
  function settleAction(): boolean {
    const related = relations[0];
    // "Follows near a person": the object of the verb is missing.
    const isDone = action !== 'approaches' && action !== 'passes' && action !== 'close_ahead' && TRANSITIVE.has(action);
    if (isDone && related && !predicate!.object && !predicate!.agent && !predicate!.passive && !isMutual(predicate!))
      return false;
    const isBareEntry =
      action === 'enters' &&
      path.from === null &&
      region === undefined &&
      predicate!.modifiers.length === 0 &&
      !predicate!.object;
    if (isPortable(subject) && !subject.ridden && action === 'leaves' && !predicate?.passive) return false;
    if (isPortable(subject) && isBareEntry && entity?.head.type === 'object')
      ledger.caveat(entity.head.word, REASONS.intoFrame, { decides: true });
    if (
      MOVED.has(action) &&
      head?.type === 'action' &&
      !predicate!.passive &&
      !predicate!.object &&
      isActive(head.word)
    )
      return false;
    // "Passes a ball": hands it over.
    const isHandedOver = related && isPortable(related.other) && !related.other.classes.includes('bicycle');
    if (action === 'passes' && isHandedOver && isPerson(subject)) return false;
    if (action === 'passes' && !related) action = 'moves';
    if (action === 'passes' && related && related.kind !== 'near') action = 'moves';
    if (action === 'close_ahead' && entity !== null && related) action = 'follows';
    if (action === 'follows' && !related)
      relations.push({
        kind: 'near',
        other: { ...ANYTHING, classes: isRoadVehicle(subject) ? subject.classes : [] },
        negated: false,
      });
    if (predicate?.passive && action === 'leaves') {
      if (!isPortable(subject) && subject.classes.length > 0) return false;
      action = 'left_behind';
    }
    if (MOVED.has(action) && isPerson(subject)) return false;
    if (action === 'collides' && !related && entity !== null && !isDriver && !isRoadVehicle(subject)) return false;
    return true;
  }

  function leafOf(nominal: Nominal): Leaf {
    const entityOf = nominal.kind === 'group' ? nominal.members[0]! : nominal;
    return 'words' in entityOf.head ? entityOf.head.words[0]! : entityOf.head.word;
  }
}

/** Actions of vehicles on the one with the camera. */
const TOWARDS_CAMERA: ReadonlySet<Action> = new Set(['approaches', 'overtakes', 'passes', 'cuts_in', 'blocks_way']);
/** Class of "my car". */
const OWN_CLASSES: readonly string[] = ['car'];
/** The camera as it is, without a description. */
const isNamed = ({ modifiers, attributes, doing, amount, negation }: Entity) =>
  modifiers.length + attributes.length === 0 && !doing && !amount && !negation;
/** Actions that the name of a place completes. */
const OF_PLACES: ReadonlySet<Action> = new Set(['enters', 'leaves', 'crosses', 'appears', 'starts']);
/** Actions that begin at another object: "comes out of the truck". */
const OUT_OF: ReadonlySet<Action> = new Set(['leaves', 'appears']);
/** Lines that halve the frame. */
const HALVES = {
  vertical: { from: { x: 0.5, y: 0 }, to: { x: 0.5, y: 1 } },
  horizontal: { from: { x: 0, y: 0.5 }, to: { x: 1, y: 0.5 } },
} as const;

const onlyAt = ({ modifiers }: Predicate) => modifiers.every((each) => each.type === 'side' && each.role === 'at');

const isMutual = ({ modifiers }: Predicate) => modifiers.some(({ type }) => type === 'mutual');

/** A verb in an active form: "forgets", not "unattended". */
const isActive = (word: Leaf) =>
  'form' in word && word.form !== 'participle' && word.form !== 'adjective' && word.form !== 'base';
const isOpposite = (from: Side, to: Side) => OPPOSITE[from] === to;
const OPPOSITE = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const satisfies Record<Side, Side>;
/** "On the left side of the road": the side is a part of the place. */
const BESIDE: ReadonlySet<Relation> = new Set(['left_of', 'right_of', 'above', 'below']);

/** "Something moves": no class, color, count or direction. */
const isMotionOnly = ({ action, direction, relation, subject }: ObjectTarget): boolean =>
  action === 'moves' &&
  direction === null &&
  relation === null &&
  subject.classes.length === 0 &&
  subject.colors.length === 0 &&
  subject.count.min === 1 &&
  subject.count.max === null;

/** "The car stops": in footage from a vehicle, the vehicle with the camera is meant. */
function withVehicle(made: GroundedEvent, subject: GroundedObject, predicate: Predicate | null): GroundedEvent | null {
  const { what } = made.main;
  if (what.kind !== 'object') return made;
  if (subject.carrier) {
    // "The driver" is not in view of the camera that the vehicle carries.
    const isUnseen = subject.plain && subject.definite && what.action === 'present' && what.relation === null;
    return isUnseen ? withKind('instead') : made;
  }
  if (what.action === 'collides') return subject.plain && subject.definite && !what.relation ? withKind('also') : made;
  const isNear = what.relation === null || (what.relation.kind === 'near' && isImmobile(what.relation.other));
  const isFree = what.direction === null && what.region === undefined && what.subject.place === null;
  if (!subject.plain || !isNear || !isFree || what.line || !isOnRoad(what.subject) || !OF_CARRIERS.has(what.action))
    return made;
  // A light is where the recording vehicle stops, and no place in view.
  const isPlaced = predicate?.modifiers.some(
    (each) => each.type === 'role' && !(each.other.kind === 'entity' && isLight(each.other)),
  );
  if (isPlaced) return subject.definite ? withKind('also') : made;
  return withKind(subject.definite ? 'instead' : 'also');

  function withKind(vehicle: 'instead' | 'also'): GroundedEvent {
    return { ...made, main: { ...made.main, what: { ...(what as ObjectTarget), vehicle } } };
  }
}

const isOnRoad = ({ classes }: ObjectQuery) => classes.every((name) => ROAD_VEHICLES.includes(name));
