import { REASONS } from '../reasons.ts';
import type { Region } from '../schema.ts';
import { type Item, sense } from '../tokens/lexer.ts';
import type { ActionSense, SenseOf } from '../tokens/senses.ts';
import { block, caveat, changeNoun, nextContent, presume, put, type Reader, remove, takeNegation } from './reader.ts';
import { actionOf, blocked, hasPart, partOf, pathOf, subjectOf, withPath } from './syntax.ts';

export function takeAction(r: Reader, action: ActionSense, item: Item) {
  // "Were we hit by a car": a collision of the camera all the same.
  if (action.passive && action.action === 'collides' && hasPart(r.clause, 'camera'))
    return takeAction(r, { ...action, passive: false }, item);
  const hasSubject = hasPart(r.clause, 'subject');
  // "Disappears out of the frame": the same twice.
  if (action.negated && isGoing(actionOf(r.clause))) return;
  // "Stops out of view"
  const earlier = actionOf(r.clause);
  const unseen = action.negated ? earlier : earlier?.negated ? action : null;
  if (unseen && unseen.action !== 'present') return block(r, item.text, OUT_OF_VIEW);
  if (action.negated) r.negation = !r.negation;
  if (r.negation && hasSubject && action.action !== 'present' && action.action !== 'appears') {
    put(r, { kind: 'idle' });
    r.negation = false;
  } else if (!action.relation) takeNegation(r);
  if (action.relation) r.relation = { kind: action.relation, fallback: action, item, hasSubject };
  r.passive = action.passive === true && hasSubject;
  // "We are overtaken": by somebody else.
  if (action.passive) remove(r, 'camera');
  setDirection(r, action.direction);
  caveat(r, item, action.caveat, action.decides);
  const isAdjacent = sense(r.items[r.items.indexOf(item) - 1], 'action') !== null;
  // "Does the driver drive stop"
  if (earlier?.weak && earlier.action === 'moves' && !action.weak && isAdjacent) block(r, item.text, TWO_ACTIONS);
  if (!earlier || earlier.weak || earlier.action === action.action) {
    // "Stands and waits", "is seen walking": the stronger verb, or the later of two weak ones, unless it says less.
    if (!(earlier && action.weak && action.action === 'present')) put(r, { kind: 'verb', action });
  } else if (!action.weak) block(r, item.text, TWO_ACTIONS);
  r.preposition = null;
}

const isGoing = (action: ActionSense | null) => action?.action === 'disappears' || action?.action === 'leaves';

const OUT_OF_VIEW = 'what happens outside of the frame cannot be seen';
const TWO_ACTIONS = 'two actions at once: join them with "and" or "then"';

/** Sets the direction unless the clause has one. */
function setDirection(r: Reader, direction: ActionSense['direction']) {
  if (direction && pathOf(r.clause).direction === null) r.clause = withPath(r.clause, { direction });
}

export function takeState(r: Reader, state: SenseOf<'state'>, item: Item, i: number) {
  let next = nextContent(r, i + 1);
  while (sense(next, 'vague')) next = nextContent(r, r.items.indexOf(next!) + 1);
  if (state.yet && next && isAdverb(next, r.items[i - 1])) return;
  // "Parked and red" describes the noun before it.
  if (sense(next, 'noun') || (sense(next, 'color') && !sense(r.items[i + 1], 'join'))) {
    const { start, first } = r.pending;
    r.pending = { ...r.pending, state: state.state, start: start ?? item.start, first: first ?? item };
    return;
  }
  const stands = { type: 'action', action: 'stands', weak: true } as const;
  if (hasPart(r.clause, 'subject', 'camera'))
    takeAction(r, state.state === 'moving' ? { ...stands, action: 'moves' } : stands, item);
  else if (state.state === 'moving') put(r, { kind: 'motion' });
  else put(r, { kind: 'verb', action: stands });
}

/** "Still inside", "still people", "still parked"; not "still for 5 s", "a still car". */
const isAdverb = (next: Item, before: Item | undefined) =>
  !(sense(next, 'noun') && sense(before, 'filler')?.article) &&
  next.senses.some(({ type }) => CONTINUED.has(type)) &&
  !['for', 'within'].includes(sense(next, 'preposition')?.preposition ?? '');
const CONTINUED: ReadonlySet<string> = new Set(['action', 'state', 'noun', 'setting', 'preposition', 'relation']);

export function takeSignal(r: Reader, signal: SenseOf<'signal'>, item: Item, next: Item | undefined) {
  const subject = subjectOf(r.clause);
  // "He is dark"
  const isSomebody = r.items.some((each) => sense(each, 'pronoun') && !/^(?:it|itself)$/i.test(each.text));
  if (isSomebody && hasPart(r.clause, 'pronoun')) return block(r, item.text, 'this cannot be checked for an object');
  if (sense(next, 'noun')) return caveat(r, item, 'this word cannot be used to distinguish objects');
  // "We drive at night"
  const isMoving = hasPart(r.clause, 'camera') && hasPart(r.clause, 'verb');
  if ((subject || isMoving) && signal.when) {
    put(r, { kind: 'during', signal });
    return caveat(r, item, signal.caveat, signal.decides);
  }
  if (subject && subject.classes.length > 0) return block(r, item.text, 'this cannot be checked for an object');
  // "Dashcam footage freezes": the camera only names the picture.
  remove(r, 'camera');
  // "Blurry dark picture": both at once.
  const earlier = partOf(r.clause, 'signal');
  if (earlier) put(r, { kind: 'during', signal: earlier.signal });
  put(r, { kind: 'signal', signal });
  takeNegation(r);
  if (signal.indoors && signal.caveat) presume(r, item, 'vehicle', signal.caveat);
  else caveat(r, item, signal.caveat, signal.decides);
}

export function takeCamera(r: Reader, item: Item) {
  const hasSubject = hasPart(r.clause, 'subject');
  // "In front of the camera", "looks at the camera": the camera is the viewpoint.
  if (hasSubject && actionOf(r.clause)?.action === 'follows')
    return block(
      r,
      item.text,
      'what follows the camera is behind it; in one that looks back it is a "vehicle close ahead"',
    );
  if (hasPart(r.clause, 'camera_move') && (r.preposition === 'into' || r.preposition === 'towards'))
    return block(r, item.text, 'actions on the camera or the recording vehicle cannot be detected');
  if (!hasSubject && !r.relation && r.preposition === null) return put(r, { kind: 'camera' });
  if (r.clause.parts.length === 0) return block(r, item.text, 'the prompt does not say what is there');
  // "What is behind us"
  const isBeside = r.relation !== null && r.relation.kind !== 'in_front_of';
  if (isBeside && !hasSubject && hasPart(r.clause, 'open')) return block(r, item.text, BESIDE);
  if (r.preposition === 'towards' || r.preposition === 'to') setDirection(r, 'towards');
  else if (r.preposition === 'from') setDirection(r, 'away');
  if (r.relation?.kind === 'behind') caveat(r, r.relation.item, 'only a rear-facing camera shows what is behind it');
  if (r.relation?.kind === 'near')
    presume(r, r.relation.item, 'vehicle', 'how close something is to the camera is not measured');
  if (r.relation && NOT_OF_CAMERA.has(r.relation.kind) && !blocked(r.clause)) return block(r, item.text, UNSEEN);
  takeAhead(r, item);
  const passing = hasSubject && actionOf(r.clause)?.action === 'passes' && !r.relation;
  if (passing)
    caveat(r, r.items.find((each) => sense(each, 'action')?.action === 'passes') ?? item, REASONS.passing, true);
  const subject = partOf(r.clause, 'subject');
  if (r.relation && subject) put(r, { ...subject, plain: false });
  r.relation = null;
  r.preposition = null;
}

const BESIDE = 'what is behind or beside the camera is not in view';
const UNSEEN = 'the camera does not see what is on, inside, above or below it';
const NOT_OF_CAMERA: ReadonlySet<string> = new Set(['on', 'inside', 'above', 'below', 'overlaps', 'with']);

/** "In front of us": the middle third of the frame. Everything visible, or that crosses, is in front of a "camera". */
function takeAhead(r: Reader, item: Item) {
  const subject = subjectOf(r.clause);
  if (r.relation?.kind !== 'in_front_of' || !sense(item, 'camera')?.carrier) return;
  // "What is in front of us"
  if (!subject && hasPart(r.clause, 'open')) put(r, { kind: 'place', region: AHEAD });
  if (!subject) return caveat(r, r.relation.item, MIDDLE);
  const action = actionOf(r.clause)?.action ?? 'present';
  if (action === 'crosses') return;
  if (!['present', 'stands', 'stops', 'moves'].includes(action))
    return caveat(r, r.relation.item, 'for this action, whether it happens ahead is not checked');
  changeNoun(r, subject, { place: subject.place ?? AHEAD });
  caveat(r, r.relation.item, MIDDLE);
}

const AHEAD: Region = { name: 'ahead', x: 0.3333, y: 0, width: 0.3333, height: 1 };
const MIDDLE = '"ahead" is taken as the middle third of the frame';

export function takeCameraMove(r: Reader, move: SenseOf<'camera_move'>, item: Item, next: Item | undefined) {
  // "Slow traffic", "slow moving cars"
  const vague = sense(item, 'vague');
  if (vague && (sense(next, 'noun') || sense(next, 'state') || sense(next, 'color')))
    return caveat(r, item, vague.reason);
  takeNegation(r);
  // "He turned left": somebody in the frame.
  const isSomebody = r.items.some((each) => sense(each, 'pronoun') && /^(?:he|she|they)\b/i.test(each.text));
  if (isSomebody && hasPart(r.clause, 'pronoun')) return block(r, item.text, REASONS.notTheCamera);
  const subject = partOf(r.clause, 'subject');
  // "Went the vehicle turns"
  if (subject?.verbFirst && actionOf(r.clause)) return block(r, item.text, TWO_ACTIONS);
  if (subject && !hasPart(r.clause, 'camera')) {
    // "The car on the left", "the car next to us": one in the frame.
    const isElsewhere =
      hasPart(r.clause, 'place', 'relation', 'setting', 'leading_relation') || subject.noun.place !== null;
    // "Truck backs up": who means the own vehicle says "the truck".
    const isOther = !subject.definite && !subject.noun.classes.some((name) => name === 'car' || name === 'person');
    if (!subject.plain || isElsewhere || isOther) return block(r, item.text, REASONS.notTheCamera);
    caveat(r, item, `"${subject.noun.text}" was read as the vehicle that carries the camera`);
    remove(r, 'subject');
    put(r, { kind: 'camera', vehicle: true });
  }
  put(r, { kind: 'camera_move', move });
  // "0.3 g braking"
  const quantity = partOf(r.clause, 'quantity');
  if (move.move === 'brakes' && quantity?.quantity === 'acceleration')
    put(r, { ...quantity, quantity: 'deceleration' });
  caveat(r, item, move.caveat, move.decides);
  r.preposition = null;
}
