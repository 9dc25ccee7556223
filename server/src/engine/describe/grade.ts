import type { Hit } from '../find/index.ts';
import type { ObjectWhat, SignalName, What } from '../plan/index.ts';

type Severity = 'low' | 'medium' | 'high';

/** The kind of happening, for filters and charts. */
export function categoryOf(hit: Hit): string {
  if (hit.parts.length > 0) return 'sequence';
  const { what } = hit;
  if (what.kind === 'object') return what.relation ? 'interaction' : 'object';
  if (what.kind !== 'signal') return what.kind;
  return SIGNAL_CATEGORIES[what.signal];
}

const SIGNAL_CATEGORIES: Record<Extract<What, { kind: 'signal' }>['signal'], string> = {
  cut: 'cut',
  dissolve: 'cut',
  fade: 'cut',
  fade_in: 'cut',
  fade_out: 'cut',
  scene_change: 'cut',
  dark: 'light',
  well_lit: 'light',
  bright: 'light',
  overexposed: 'quality',
  gets_dark: 'light',
  gets_bright: 'light',
  light_change: 'light',
  flash: 'light',
  flicker: 'light',
  monochrome: 'quality',
  color_cast: 'quality',
  black: 'quality',
  frozen: 'quality',
  blurred: 'quality',
  covered: 'quality',
  shaking: 'quality',
};

type Rule = { severity: Severity; when: string; holds: (hit: Hit) => boolean };

const LONG_S = 5;
const VEHICLES: ReadonlySet<string> = new Set(['car', 'truck', 'bus', 'motorcycle', 'train']);

const isSignal = (hit: Hit, ...names: SignalName[]) => hit.what.kind === 'signal' && names.includes(hit.what.signal);
const does = (hit: Hit, ...actions: ObjectWhat['action'][]) =>
  hit.what.kind === 'object' && actions.includes(hit.what.action);
const isLost = (hit: Hit) => isSignal(hit, 'covered', 'black', 'frozen');
const hasPerson = (hit: Hit) => hit.tracks.some(({ track }) => track.className === 'person');
const hasVehicle = (hit: Hit) => hit.tracks.some(({ track }) => VEHICLES.has(track.className));
const relates = ({ what }: Hit) => what.kind === 'object' && what.relation !== null && !what.relation.negated;
const overlaps = ({ what }: Hit) => what.kind === 'object' && what.relation?.kind === 'overlaps';
const meet = (hit: Hit) => relates(hit) && hasPerson(hit) && hasVehicle(hit);

/**
 * Severity by stated rules, so that a person can disagree with a rule and not with a mood. The first that holds counts; what none holds for is low. Of a
 * sequence, the gravest step counts. What was asked not to be there is low.
 */
export const SEVERITY_RULES: readonly Rule[] = [
  {
    severity: 'high',
    when: `the camera is covered, or the picture is black or frozen, for ${LONG_S} s or longer`,
    holds: (hit) => isLost(hit) && hit.end.timeS - hit.start.timeS >= LONG_S,
  },
  {
    severity: 'high',
    when: 'something is left behind or taken away',
    holds: (hit) => does(hit, 'left_behind', 'taken_away'),
  },
  { severity: 'high', when: 'a person and a vehicle overlap', holds: (hit) => meet(hit) && overlaps(hit) },
  {
    severity: 'medium',
    when: 'the picture is lost for a shorter time, is blurred, shakes or gets dark',
    holds: (hit) => isLost(hit) || isSignal(hit, 'blurred', 'shaking', 'gets_dark'),
  },
  {
    severity: 'medium',
    when: 'the camera, or the vehicle that carries it, brakes',
    holds: ({ what }) => what.kind === 'camera' && what.move === 'brakes',
  },
  { severity: 'medium', when: 'a bang', holds: ({ what }) => what.kind === 'sound' && what.sound === 'bang' },
  {
    severity: 'medium',
    when: 'a person stays in one place or crosses the picture',
    holds: (hit) => hasPerson(hit) && does(hit, 'loiters', 'crosses'),
  },
  { severity: 'medium', when: 'a person and a vehicle stand in any other relation', holds: meet },
  {
    severity: 'medium',
    when: 'something comes towards the camera',
    holds: (hit) => does(hit, 'moves') && hit.what.kind === 'object' && hit.what.direction === 'towards',
  },
];

export function severityOf(hit: Hit): Severity {
  if (hit.parts.length > 0) return hit.parts.map(severityOf).reduce(graver, 'low');
  if (hit.negated) return 'low';
  return SEVERITY_RULES.find(({ holds }) => holds(hit))?.severity ?? 'low';
}

const ORDER: readonly Severity[] = ['low', 'medium', 'high'];
const graver = (a: Severity, b: Severity): Severity => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);
