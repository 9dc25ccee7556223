import { ANYTHING, type Clause, NONE, sideDirection } from './clause/index.ts';
import { asCamera, doerOf, isDriver, READ_AS_CARRIER, restsAlone, TAILS, VEHICLES } from './doers.ts';
import type { Action, CameraMove, CameraWhat, ObjectWhat, Step, Thing, Unchecked, What } from './schema.ts';

/** Turns what a segment says into a step of a plan. What that kind of step has no use for is noted, never dropped in silence. */
export function stepOf(said: Clause): Step {
  const clause = isDriver(said) ? asCamera(said) : said;
  const unchecked = [...clause.unchecked];
  const { what, negated } = orNone(clause, whatOf(clause, unchecked));
  noteUnused(clause, what, unchecked);
  // With nothing left to look for, what only narrowed it is why.
  if (what.kind === 'unknown' && unchecked.length === 0)
    unchecked.push({ text: clause.text.slice(0, 200), reason: 'who or what does this was not said', blocks: true });
  const blocks = what.kind === 'unknown' && !unchecked.some((u) => u.blocks);
  return {
    text: clause.text.slice(0, 2000),
    what,
    negated,
    duration: clause.duration,
    join: null,
    within: null,
    same: false,
    unchecked: unchecked.slice(0, 200).map((u) => ({ ...u, blocks: u.blocks || blocks })),
  };
}

/** "Fewer than 3 people" are there whenever there are not 3 of them; of what they do, one at least is meant. */
function orNone({ subject, also }: Clause, read: Read): Read {
  const { what, negated } = read;
  const max = subject?.count.min === NONE ? subject.count.max : null;
  if (max === null || what.kind !== 'object' || what.action !== 'present' || what.relation || also.length > 0)
    return read;
  return { what: { ...what, subject: { ...what.subject, count: { min: max + 1, max: null } } }, negated: !negated };
}

const APART = 'looked for without this; to ask for both at once, join them with "while"';

function noteUnused({ subject, place, action, relation }: Clause, what: What, unchecked: Unchecked[]) {
  const note = (text: string, reason: string) => unchecked.push({ text: text.slice(0, 200), reason, blocks: false });
  const deaf = what.kind === 'camera' && UNDIRECTED.has(what.move);
  if (deaf && what.direction) {
    note(what.direction, 'this motion is looked for whichever way it goes');
    what.direction = null;
  }
  const whole = what.kind === 'signal' || what.kind === 'sound' || what.kind === 'camera';
  if ((what.kind === 'signal' || what.kind === 'sound') && action && (!action.weak || action.by))
    note(action.action, APART);
  if (whole && relation && relation.other !== subject) note(relation.other.text, APART);
  if (whole && subject) note(subject.text, APART);
  else if (whole && place) note(place.name, 'this is looked for in the picture as a whole');
  const other = what.kind === 'object' ? what.relation?.other : undefined;
  if (other && hasCount(other) && !unchecked.some((u) => u.text === other.text))
    note(other.text, 'how many of the second thing is not counted: one is enough');
}

/** Motions of the camera that are not told apart by their direction. */
const UNDIRECTED: ReadonlySet<CameraMove> = new Set([
  'moves',
  'still',
  'forward',
  'backward',
  'stops',
  'starts',
  'brakes',
]);

const hasCount = ({ count }: Thing) => count.min !== 1 || count.max !== null;

type Read = { what: What; negated: boolean };

function whatOf(clause: Clause, unchecked: Unchecked[]): Read {
  const { negated } = clause;
  const heads = [clause.signal, clause.sound, clause.quantity, clause.motion, clause.camera || clause.cameraMove];
  // What is measured is measured of the camera's vehicle.
  const own = clause.quantity && (clause.cameraMove || clause.camera);
  if (heads.filter(Boolean).length > 1 && !own) {
    const reason = 'two things at once: join them with "while" or "then"';
    unchecked.push({ text: clause.text.slice(0, 200), reason, blocks: true });
    return { what: { kind: 'unknown' }, negated };
  }
  if (clause.empty && clause.subject)
    unchecked.push({ text: clause.text.slice(0, 200), reason: 'whether a thing is empty is not seen', blocks: true });
  else if (clause.empty && heads.some(Boolean)) unchecked.push({ text: 'empty', reason: APART, blocks: false });
  else if (clause.empty) return { what: object(clause, ANYTHING, unchecked), negated: !negated };
  if (isBeside(clause)) return whatOf({ ...clause, quantity: null, range: null }, unchecked);
  if (clause.quantity && clause.range) return { what: quantity(clause), negated };
  if (clause.quantity) {
    unchecked.push({
      text: clause.text.slice(0, 200),
      reason: 'a quantity needs a number with its unit, as in "above 80 km/h"',
      blocks: true,
    });
    return { what: { kind: 'unknown' }, negated };
  }
  if (clause.camera && clause.action && TAILS.has(clause.action.action) && !clause.subject) {
    const ahead = { ...ANYTHING, classes: VEHICLES };
    return {
      what: object({ ...clause, action: { type: 'action', action: 'close_ahead' } }, ahead, unchecked),
      negated,
    };
  }
  if (clause.cameraMove) return { what: camera(clause, clause.cameraMove), negated };
  if (clause.camera) return { what: cameraDoes(clause, unchecked), negated };
  if (clause.signal) return { what: { kind: 'signal', signal: clause.signal.signal }, negated };
  if (clause.sound) return { what: { kind: 'sound', sound: clause.sound.sound }, negated };
  if (clause.subject) {
    const moves = clause.motion
      ? { ...clause, action: clause.action ?? ({ type: 'action', action: 'moves' } as const) }
      : clause;
    const what = object(moves, clause.subject, unchecked);
    // "something moves": the picture's own motion says it better than a detector, which knows only its classes.
    if (isAnyMotion(what)) return { what: { kind: 'motion', place: what.subject.place }, negated };
    return { what, negated };
  }
  if (clause.motion) return { what: { kind: 'motion', place: clause.place }, negated };
  if (clause.open && (clause.place || clause.relation))
    return { what: object(clause, { ...ANYTHING, place: clause.place }, unchecked), negated };
  if (clause.open && unchecked.every((u) => !u.blocks)) return { what: { kind: 'notable' }, negated };
  if (clause.action?.by === 'camera' && unchecked.every((u) => !u.blocks)) {
    unchecked.push({ text: clause.text.slice(0, 200), reason: READ_AS_CARRIER, blocks: false });
    return { what: cameraDoes(clause, unchecked), negated };
  }
  // "The till is unattended": nobody is there.
  if (clause.setting && clause.action?.action === 'left_behind')
    return { what: object({ ...clause, action: null }, PEOPLE, unchecked), negated: !negated };
  const doer = unchecked.some((u) => u.blocks) ? null : doerOf(clause);
  if (doer) {
    const what = object(clause, doer, unchecked);
    if (restsAlone(clause, what))
      unchecked.push({
        text: clause.text.slice(0, 200),
        reason: 'what stops was not said: things in the picture are looked for, and the camera itself',
        blocks: false,
      });
    return { what, negated };
  }
  if (clause.duration && unchecked.length === 0)
    unchecked.push({ text: clause.text.slice(0, 200), reason: 'what has to last this long is not said', blocks: true });
  return { what: { kind: 'unknown' }, negated };
}

const PEOPLE: Thing = { ...ANYTHING, text: 'person', classes: ['person'] };

const quantity = ({ quantity, range }: Clause): What => ({ kind: 'quantity', quantity: quantity!, range: range! });

/** "A sharp turn at more than 30 km/h": both; "driving at more than 30 km/h": how fast says all. */
const isBeside = ({ cameraMove, action, subject, quantity, range }: Clause) =>
  quantity === 'speed' &&
  range !== null &&
  ((cameraMove !== null && !MOVES_ON.has(cameraMove.move)) ||
    (subject === null && action !== null && TAILS.has(action.action)));
const MOVES_ON: ReadonlySet<CameraMove> = new Set(['moves', 'forward', 'starts']);

/** What is so at the same time: "at night", "at more than 30 km/h". */
export function meanwhileOf(clause: Clause): What | null {
  if (clause.during) return { kind: 'signal', signal: clause.during.signal };
  return isBeside(clause) ? quantity(clause) : null;
}

/** Colours named twice, or without end, are one list of a bounded length; of a thing there is one at least. */
function tidy(thing: Thing): Thing {
  const { min, max } = thing.count;
  const count = { min: Math.max(1, min), max: max && Math.max(1, max) };
  return { ...thing, count, colors: [...new Set(thing.colors)].slice(0, MOST_COLORS) };
}
const MOST_COLORS = 20;

/** "From left to right": a way through the picture, not an edge. */
const ACROSS = { left: 'right', right: 'left', top: 'down', bottom: 'up' } as const;
const INTO = { left: 'right', right: 'left', up: 'bottom', down: 'top' } as const;
const EDGE = { left: 'left', right: 'right', up: 'top', down: 'bottom' } as const;
/** Actions that take a direction. */
const DIRECTED: ReadonlySet<Action> = new Set(['moves', 'crosses']);
/** Actions that have a border. */
const BOUNDED: ReadonlySet<Action> = new Set(['enters', 'leaves', 'crosses']);

function object(clause: Clause, subject: Thing, unchecked: Unchecked[]): ObjectWhat {
  const action = actionOf(clause);
  const entering = action === 'enters' || action === 'overtakes';
  const leaving = action === 'leaves' || action === 'disappears';
  const way = clause.direction;
  const sideways = way === 'towards' || way === 'away' ? null : way;
  const directed = DIRECTED.has(action);
  // "A car is following": another one.
  const relation =
    clause.relation ??
    (action === 'follows'
      ? ({ kind: 'near', other: { ...ANYTHING, classes: subject.classes }, negated: false } as const)
      : null);
  const what: ObjectWhat = {
    kind: 'object',
    subject: tidy(subject),
    action,
    idle: clause.idle && !clause.negated && action !== 'present' && action !== 'appears',
    direction: directed
      ? (way ?? (clause.from ? ACROSS[clause.from] : clause.to ? sideDirection(clause.to) : null))
      : action === 'approaches' && !clause.relation
        ? 'towards'
        : null,
    from: entering ? (clause.from ?? (sideways && action === 'enters' ? INTO[sideways] : null)) : null,
    to: leaving ? (clause.to ?? clause.from ?? (sideways && EDGE[sideways])) : null,
    ...(action === 'crosses' && clause.line ? { line: clause.line } : {}),
    ...(BOUNDED.has(action) && clause.region ? { region: clause.region } : {}),
    relation: relation && { ...relation, other: tidy(relation.other) },
  };
  const isUsed = directed || (entering && (what.from || !way)) || (leaving && (what.to || !way)) || what.direction;
  const said = clause.from ?? clause.to ?? way;
  if (said && !isUsed)
    unchecked.push({
      text: said,
      reason: 'which way it goes is only looked for of what moves, enters or leaves',
      blocks: false,
    });
  return what;
}

function actionOf(clause: Clause): Action {
  const said = clause.action?.action ?? (clause.direction || clause.from || clause.to ? 'moves' : 'present');
  const { relation } = clause;
  // "Stopped", of nobody: what is parked has not stopped.
  if (said === 'stands' && !clause.subject && !relation && !clause.action?.by) return 'stops';
  // "A truck tailgates" follows another vehicle; "we tailgate" has one ahead.
  if (said === 'close_ahead' && clause.subject) return relation ? 'follows' : said;
  if (said === 'approaches' && !relation) return clause.direction && clause.direction !== 'towards' ? 'moves' : said;
  // "passes in front of a car": moves while it is there.
  if (said === 'passes' && relation?.kind !== 'near') return 'moves';
  if (said === 'appears' && clause.from) return 'enters';
  if (said === 'disappears' && (clause.to || clause.from)) return 'leaves';
  // "appears for 5 s": is there that long.
  if (said === 'appears' && clause.duration) return 'present';
  return said;
}

function isAnyMotion(what: ObjectWhat): boolean {
  const { subject } = what;
  return (
    what.action === 'moves' &&
    !what.idle &&
    what.direction === null &&
    what.relation === null &&
    subject.classes.length === 0 &&
    subject.colors.length === 0 &&
    subject.count.min === 1 &&
    subject.count.max === null
  );
}

function camera(clause: Clause, { move, direction, hard }: NonNullable<Clause['cameraMove']>): CameraWhat {
  const said = clause.direction;
  const along = move === 'zooms' ? (said === 'away' ? 'out' : 'in') : null;
  const way = direction ?? (said === 'towards' || said === 'away' ? along : said);
  // "pans up" is a tilt, "camera motion to the left" a pan.
  if ((move === 'pans' || move === 'turns' || move === 'moves') && (way === 'up' || way === 'down'))
    return { kind: 'camera', move: 'tilts', direction: way };
  if (move === 'moves' && (way === 'left' || way === 'right')) return { kind: 'camera', move: 'pans', direction: way };
  return { kind: 'camera', move, direction: way, ...(hard ? { hard } : {}) };
}

const CAMERA_ACTIONS: Partial<Record<string, CameraMove>> = {
  stops: 'stops',
  starts: 'starts',
  stands: 'still',
  present: 'moves',
};

/** The camera as a subject: "the camera stops", "we move forward". */
function cameraDoes(clause: Clause, unchecked: Unchecked[]): What {
  const action = clause.action?.action ?? null;
  if (action === 'moves') {
    const { direction } = clause;
    if (direction === 'left' || direction === 'right') return { kind: 'camera', move: 'pans', direction };
    if (direction === 'up' || direction === 'down') return { kind: 'camera', move: 'tilts', direction };
    if (direction === 'towards' || direction === 'away')
      return { kind: 'camera', move: direction === 'towards' ? 'forward' : 'backward', direction: null };
    return { kind: 'camera', move: 'moves', direction: null };
  }
  const move = action === null ? undefined : CAMERA_ACTIONS[action];
  if (move !== undefined && action !== 'present') return { kind: 'camera', move, direction: null };
  if (!unchecked.some((u) => u.blocks))
    unchecked.push({
      text: clause.text.slice(0, 200),
      reason:
        'of the camera only its motion is seen: pan, tilt, zoom, turn, forward, backward, stop, start, brake, shake',
      blocks: true,
    });
  return { kind: 'unknown' };
}
