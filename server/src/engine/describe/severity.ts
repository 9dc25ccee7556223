import type { IntervalMatch } from '../find/index.ts';
import { type ObjectTarget, SIGNAL_NAMES, type SoundName, signalOf } from '../plan/index.ts';

type Severity = 'low' | 'medium' | 'high';

type Rule = { severity: Severity; when: string; holds: (match: IntervalMatch) => boolean };

const LONG_S = 5;
const VEHICLES: ReadonlySet<string> = new Set(['car', 'truck', 'bus', 'motorcycle', 'train']);

const signalSeverity = ({ what }: IntervalMatch) =>
  what.kind === 'signal' ? signalOf(what.signal).severity : undefined;
/** Statements about the signals of a severity: "picture is black". */
const signalsOf = (severity: 'medium' | 'lost') =>
  SIGNAL_NAMES.flatMap((name) => (signalOf(name).severity === severity ? signalOf(name).said[0] : []));
const does = (match: IntervalMatch, ...actions: ObjectTarget['action'][]) =>
  match.what.kind === 'object' && actions.includes(match.what.action);
const isLost = (match: IntervalMatch) => signalSeverity(match) === 'lost';
const hasPerson = (match: IntervalMatch) => match.tracks.some(({ track }) => track.className === 'person');
const hasVehicle = (match: IntervalMatch) => match.tracks.some(({ track }) => VEHICLES.has(track.className));
const relates = ({ what }: IntervalMatch) => what.kind === 'object' && what.relation !== null && !what.relation.negated;
const overlaps = ({ what }: IntervalMatch) => what.kind === 'object' && what.relation?.kind === 'overlaps';
const personMeetsVehicle = (match: IntervalMatch) => relates(match) && hasPerson(match) && hasVehicle(match);

/**
 * Severity by explicit rules: the first that holds counts, and the default is low. A sequence has the highest
 * severity of its steps; a negated match is low.
 */
export const SEVERITY_RULES: readonly Rule[] = [
  {
    severity: 'high',
    when: `${signalsOf('lost').join(', ')}: for ${LONG_S} s or longer`,
    holds: (match) => isLost(match) && match.end.timeS - match.start.timeS >= LONG_S,
  },
  {
    severity: 'high',
    when: 'something is left behind or taken away',
    holds: (match) => does(match, 'left_behind', 'taken_away'),
  },
  {
    severity: 'high',
    when: 'a person and a vehicle overlap',
    holds: (match) => personMeetsVehicle(match) && overlaps(match),
  },
  {
    severity: 'high',
    when: 'a person falls or lies on the ground',
    holds: (match) => does(match, 'falls', 'lies'),
  },
  {
    severity: 'high',
    when: 'vehicles collide, or the recording vehicle jolts as in a collision',
    holds: (match) => does(match, 'collides') || (match.what.kind === 'camera' && match.what.move === 'jolts'),
  },
  {
    severity: 'medium',
    when: `${signalsOf('lost').join(', ')}: for a shorter time`,
    holds: isLost,
  },
  {
    severity: 'medium',
    when: signalsOf('medium').join(', '),
    holds: (match) => signalSeverity(match) === 'medium',
  },
  {
    severity: 'medium',
    when: 'the camera, or the vehicle that carries it, brakes',
    holds: ({ what }) => what.kind === 'camera' && what.move === 'brakes',
  },
  {
    severity: 'medium',
    when: 'a bang, a gunshot, an explosion, breaking glass, an alarm, a siren or a scream is heard',
    holds: ({ what }) => what.kind === 'sound' && ALARMING.has(what.sound),
  },
  {
    severity: 'medium',
    when: 'a person stays in one place or crosses the picture',
    holds: (match) => hasPerson(match) && does(match, 'loiters', 'crosses'),
  },
  { severity: 'medium', when: 'a person and a vehicle are in any other relation', holds: personMeetsVehicle },
  {
    severity: 'medium',
    when: 'something comes towards the camera',
    holds: (match) => does(match, 'moves') && match.what.kind === 'object' && match.what.direction === 'towards',
  },
];

/** Sounds of danger. */
const ALARMING: ReadonlySet<SoundName> = new Set([
  'bang',
  'gunshot',
  'explosion',
  'glass_breaking',
  'alarm',
  'siren',
  'scream',
]);

export function rateSeverity(match: IntervalMatch): Severity {
  if (match.stepMatches.length > 0) return match.stepMatches.map(rateSeverity).reduce(graver, 'low');
  if (match.negated) return 'low';
  return SEVERITY_RULES.find(({ holds }) => holds(match))?.severity ?? 'low';
}

const ORDER: readonly Severity[] = ['low', 'medium', 'high'];
const graver = (a: Severity, b: Severity): Severity => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);
