import { type Item, sense } from '../items.ts';
import type { ActionSense } from '../lexicon.ts';
import { NOT_THE_CAMERA } from './nouns.ts';
import { block, caveat, type Reader, type SenseOf, significant, takeNegation } from './state.ts';

export function takeAction(r: Reader, action: ActionSense, item: Item) {
  if (action.negated) r.negation = !r.negation;
  if (r.negation && r.clause.subject && action.action !== 'present' && action.action !== 'appears') {
    r.clause.idle = true;
    r.negation = false;
  } else if (!action.relation) takeNegation(r);
  if (action.relation) r.relation = { kind: action.relation, fallback: action, item, of: r.clause.subject };
  r.passive = action.passive === true && r.clause.subject !== null;
  // "We are overtaken": by somebody else.
  if (action.passive) r.clause.camera = false;
  if (action.direction) r.clause.direction ??= action.direction;
  if (action.caveat) caveat(r, item, action.caveat);
  const old = r.clause.action;
  if (!old || old.weak || old.action === action.action) {
    // "stands and waits", "is seen walking": the stronger verb, or the later of two weak ones, unless it says less.
    if (!(old && action.weak && action.action === 'present')) r.clause.action = action;
  } else if (!action.weak) block(r, item.text, 'two actions at once: join them with "and" or "then"');
  r.preposition = null;
}

export function takeState(r: Reader, state: SenseOf<'state'>, item: Item, i: number) {
  let next = significant(r, i + 1);
  while (sense(next, 'vague')) next = significant(r, r.items.indexOf(next!) + 1);
  if (state.yet && next && goesOn(next, r.items[i - 1])) return;
  // "Parked and red" says two things of what was named before.
  if (sense(next, 'thing') || (sense(next, 'color') && !sense(r.items[i + 1], 'join'))) {
    r.pending.state = state.state;
    r.pending.start ??= item.start;
    r.pending.said ??= item;
    return;
  }
  if (r.clause.subject || r.clause.camera) {
    takeAction(r, { type: 'action', action: state.state === 'moving' ? 'moves' : 'stands', weak: true }, item);
  } else if (state.state === 'moving') r.clause.motion = true;
  else r.clause.action = { type: 'action', action: 'stands', weak: true };
}

/** What "still" may say of, other than that it does not move: "still inside", "still people", "still parked"; not "still for 5 s", "a still car". */
const goesOn = (next: Item, before: Item | undefined) =>
  !(sense(next, 'thing') && sense(before, 'filler')?.article) &&
  next.senses.some(({ type }) => GOING_ON.has(type)) &&
  !['for', 'within'].includes(sense(next, 'preposition')?.preposition ?? '');
const GOING_ON: ReadonlySet<string> = new Set(['action', 'state', 'thing', 'setting', 'preposition', 'relation']);

export function takeSignal(r: Reader, signal: SenseOf<'signal'>, item: Item, next: Item | undefined) {
  if (sense(next, 'thing')) return caveat(r, item, 'nothing here tells things apart by this word');
  if (r.clause.subject && signal.when) {
    r.clause.during = signal;
    return caveat(r, item, signal.caveat);
  }
  if (r.clause.subject && r.clause.subject.classes.length > 0)
    return block(r, item.text, 'said of a thing, nothing here can check this');
  // "Dashcam footage freezes": whose picture it is.
  r.clause.camera = false;
  // "Blurry dark picture": both at once.
  if (r.clause.signal) r.clause.during = r.clause.signal;
  r.clause.signal = signal;
  takeNegation(r);
  caveat(r, item, signal.caveat);
}

export function takeCamera(r: Reader, item: Item) {
  // "in front of the camera", "looks at the camera": the camera is where everything is seen from.
  if (r.clause.subject && r.clause.action?.action === 'follows')
    return block(
      r,
      item.text,
      'what follows the camera is behind it; in one that looks back it is a "vehicle close ahead"',
    );
  if (r.clause.cameraMove && (r.preposition === 'into' || r.preposition === 'towards'))
    return block(r, item.text, 'what something does to the camera, or to the vehicle that carries it, is not seen');
  if (r.clause.subject || r.relation || r.preposition !== null) {
    if (r.preposition === 'towards' || r.preposition === 'to') r.clause.direction ??= 'towards';
    else if (r.preposition === 'from' && r.clause.direction === null) r.clause.direction = 'away';
    if (r.relation?.kind === 'behind')
      caveat(r, r.relation.item, 'what is behind the camera is seen by one that looks back only');
    r.relation = null;
    r.preposition = null;
  } else r.clause.camera = true;
}

export function takeCameraMove(r: Reader, move: SenseOf<'camera_move'>, item: Item, next: Item | undefined) {
  // "slow traffic", "slow moving cars"
  const vague = sense(item, 'vague');
  if (vague && (sense(next, 'thing') || sense(next, 'state') || sense(next, 'color')))
    return caveat(r, item, vague.reason);
  takeNegation(r);
  if (r.clause.subject && !r.clause.camera) {
    if (!r.clause.plainSubject) return block(r, item.text, NOT_THE_CAMERA);
    caveat(r, item, `"${r.clause.subject.text}" was read as the vehicle that carries the camera`);
    r.clause.subject = null;
    r.clause.camera = true;
  }
  r.clause.cameraMove = move;
  // "0.3 g braking"
  if (move.move === 'brakes' && r.clause.quantity === 'acceleration') r.clause.quantity = 'deceleration';
  caveat(r, item, move.caveat);
  r.preposition = null;
}
