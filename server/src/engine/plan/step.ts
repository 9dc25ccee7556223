import { type Clause, sideDirection } from './clause/index.ts';
import type { CameraMove, CameraWhat, ObjectWhat, Step, Thing, Unchecked, What } from './schema.ts';

const ANYTHING: Thing = {
  text: 'anything',
  classes: [],
  colors: [],
  count: { min: 1, max: null },
  state: null,
  place: null,
};

/** Turns what a segment says into a step of a plan. */
export function stepOf(clause: Clause): Step {
  const unchecked = [...clause.unchecked];
  const { what, negated } = whatOf(clause, unchecked);
  return {
    text: clause.text.slice(0, 2000),
    what,
    negated,
    duration: clause.duration,
    join: null,
    within: null,
    same: false,
    unchecked: unchecked.slice(0, 200),
  };
}

function whatOf(clause: Clause, unchecked: Unchecked[]): { what: What; negated: boolean } {
  const { negated } = clause;
  if (clause.empty && !clause.subject) return { what: object(clause, ANYTHING), negated: !negated };
  if (clause.quantity && clause.range)
    return { what: { kind: 'quantity', quantity: clause.quantity, range: clause.range }, negated };
  if (clause.quantity) {
    unchecked.push({
      text: clause.text.slice(0, 200),
      reason: 'a quantity needs a number to be compared with',
      blocks: true,
    });
    return { what: { kind: 'unknown' }, negated };
  }
  if (clause.cameraMove)
    return { what: camera(clause, clause.cameraMove), negated };
  if (clause.camera) return { what: cameraDoes(clause, unchecked), negated };
  if (clause.signal) return { what: { kind: 'signal', signal: clause.signal.signal }, negated };
  if (clause.motion && clause.sound) {
    unchecked.push({
      text: clause.text.slice(0, 200),
      reason: 'two things at once: join them with "while"',
      blocks: true,
    });
    return { what: { kind: 'unknown' }, negated };
  }
  if (clause.sound) return { what: { kind: 'sound', sound: clause.sound.sound }, negated };
  if (clause.subject) {
    const moves = clause.motion
      ? { ...clause, action: clause.action ?? ({ type: 'action', action: 'moves' } as const) }
      : clause;
    const what = object(moves, clause.subject);
    // "something moves": the picture's own motion says it better than a detector, which knows only its classes.
    if (isAnyMotion(what)) return { what: { kind: 'motion', place: what.subject.place }, negated };
    return { what, negated };
  }
  if (clause.motion) return { what: { kind: 'motion', place: clause.place }, negated };
  return { what: { kind: 'unknown' }, negated };
}

/** Colours named twice, or without end, are one list of a bounded length. */
function tidy(thing: Thing): Thing {
  return { ...thing, colors: [...new Set(thing.colors)].slice(0, MOST_COLORS) };
}
const MOST_COLORS = 20;

function object(clause: Clause, subject: Thing): ObjectWhat {
  const action = clause.action?.action ?? (clause.direction || clause.from || clause.to ? 'moves' : 'present');
  const crossing = action === 'crosses' || action === 'moves';
  // "from left to right": a way through the picture, not an edge.
  const opposite = { left: 'right', right: 'left', top: 'down', bottom: 'up' } as const;
  const direction =
    clause.direction ??
    (crossing && clause.from ? opposite[clause.from] : crossing && clause.to ? sideDirection(clause.to) : null);
  const leaving = action === 'leaves' || action === 'disappears';
  const entering = action === 'enters' || action === 'appears';
  const to = clause.to ?? (leaving && (direction === 'left' || direction === 'right') ? direction : null);
  return {
    kind: 'object',
    subject: tidy(subject),
    action: (action === 'approaches' || action === 'passes') && !clause.relation ? 'moves' : action,
    idle: clause.idle && !clause.negated && action !== 'present' && action !== 'appears',
    direction: action === 'approaches' && !clause.relation ? 'towards' : leaving && to ? null : direction,
    from: entering || action === 'overtakes' ? clause.from : null,
    to: leaving ? to : null,
    relation: clause.relation && { ...clause.relation, other: tidy(clause.relation.other) },
  };
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
  const way = direction ?? (said === 'towards' ? 'in' : said === 'away' ? 'out' : said);
  // "pans up" is a tilt.
  if ((move === 'pans' || move === 'turns') && (way === 'up' || way === 'down'))
    return { kind: 'camera', move: 'tilts', direction: way };
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
