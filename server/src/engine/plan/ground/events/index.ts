import { isSilentLeaf, leavesOf } from '../../meaning/leaves.ts';
import type { SingleEvent } from '../../meaning/scope.ts';
import type { Entity, Nominal, Predicate } from '../../meaning/types.ts';
import { REASONS } from '../../reasons.ts';
import type { Target } from '../../schema.ts';
import { LASTING } from '../actions.ts';
import { findLightStop, groundLight } from '../lights.ts';
import { groundFrame, LIVELY } from '../signals.ts';
import { groundSpeech } from '../speech.ts';
import { groundText } from '../text.ts';
import { cameraMotion } from './camera-motion.ts';
import { ofCamera, overtaken } from './carrier.ts';
import { emptyPlace } from './empty-place.ts';
import { impliedSubject } from './implied-subject.ts';
import { namedSubject } from './named-subject.ts';
import { blockedRest } from './objects/blocked.ts';
import { alone, plain, present } from './steps.ts';
import { takeTiming } from './timing.ts';
import type { EventContext, GroundedEvent, Timing } from './types.ts';
import { isChange, placed } from './whole-frame.ts';

/** Grounds one event. Null if no plan expresses it. */
export function groundEvent(event: SingleEvent, context: EventContext): GroundedEvent | null {
  const { ledger } = context;
  const { subject, predicate, negation } = event;
  if (subject && predicate?.head.type === 'speech') return speakerOf(event, context);
  const timing = takeTiming(predicate?.modifiers ?? [], context);
  if (!timing) return null;
  if (negation) ledger.use(negation);
  if (event.pick) ledger.use(event.pick);
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
            : namedSubject(subject, predicate, timing, isNegated, context);
  if (!made) return null;
  const conditions = timing.conditions.map((condition) => ({ ...condition, same: false }));
  const isLasting =
    (timing.throughout !== null || (context.isYesNo && stays(predicate, timing))) &&
    isState(made.main.what) &&
    !made.main.negated;
  if (timing.throughout && !isLasting) {
    if (made.main.negated) return null;
    ledger.caveat(timing.throughout, REASONS.onlyYesNo);
  }
  return {
    main: { ...made.main, duration: timing.duration, ...(isLasting ? { throughout: true as const } : {}) },
    meanwhile: [...made.meanwhile, ...conditions],
  };
}

const stays = (predicate: Predicate | null, { duration }: Timing): boolean =>
  predicate?.head.type === 'action' && predicate.head.word.sense.stays === true && duration === null;

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

function isState(what: Target): boolean {
  if (what.kind === 'object') return LASTING.has(what.action) && !what.idle;
  if (what.kind === 'camera') return what.move === 'moves' || what.move === 'still' || what.move === 'forward';
  if (what.kind === 'traffic_light') return what.event === 'shows';
  return what.kind === 'signal' || what.kind === 'motion' || what.kind === 'sound' || what.kind === 'quantity';
}

/** A verb or a statement about the frame that names nobody. */
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
