import { borderName, countSubjects, type IntervalMatch, isInstant, measureOccupancy } from '../find/index.ts';
import {
  type ObjectTarget,
  type PlannedSearch,
  type Relation,
  type Step,
  signalOf,
  type Target,
} from '../plan/index.ts';
import { quantityText } from './quantity-text.ts';
import {
  ANYBODY,
  CAMERA,
  cameraText,
  colorOf,
  FROM,
  HARD,
  isPlural,
  kindOf,
  lightText,
  momentsText,
  nameOf,
  placeText,
  pluralOf,
  RELATIONS,
  SOUNDS,
  seconds,
  speechText,
  TO,
  textText,
  VERBS,
  WAYS,
  withArticle,
} from './words.ts';

/**
 * A short description: "red car enters from the left"; for a sequence with one subject, "person moves, then stands
 * still for 5 s".
 */
export function composeLabel(match: IntervalMatch, search: PlannedSearch): string {
  const label = labelOf(match.momentOf ?? match, search.steps);
  return match.momentOf && search.moments
    ? `${momentsText(search.moments)}${search.moments.kind === 'between' ? ':' : ''} ${label}`
    : label;
}

function labelOf(match: IntervalMatch, steps: readonly Step[]): string {
  const promptOf = (i: number) => steps[i]?.text ?? '';
  if (match.stepMatches.length === 0) return labelOfPart(match, promptOf(0));
  if (match.stepMatches.length === steps.length && steps.every(isReferred))
    return inOrderText(match.stepMatches, steps);
  return match.stepMatches
    .map((part, i) => {
      const before = match.stepMatches[i - 1];
      const label = labelOfPart(part, promptOf(i));
      if (!before) return label;
      const text = hasSameSubject(before, part) ? (stayText(part, steps[i]) ?? withoutSubject(part, label)) : label;
      return `${steps[i]?.join === 'while' ? ' while ' : ', then '}${text}`;
    })
    .join('');
}

const isReferred = ({ every }: Step, at: number) => at === 0 || every !== undefined;

/** "Person enters after truck leaves": the step that counts, with those that state when. */
function inOrderText(parts: readonly IntervalMatch[], steps: readonly Step[]): string {
  return parts.slice(1).reduce(
    (own, part, i) => {
      const label = labelOfPart(part, steps[i + 1]!.text);
      return steps[i + 1]!.every === 'this' ? `${label} after ${own}` : `${own} before ${label}`;
    },
    labelOfPart(parts[0]!, steps[0]!.text),
  );
}

/** "Stays for 5 s", of an object that has to be in view for a time; null for other steps. */
function stayText(match: IntervalMatch, step: Step | undefined): string | null {
  const { what, start, end } = match;
  const isStay = what.kind === 'object' && what.action === 'present' && !what.relation && !match.negated;
  if (!isStay || !step?.duration) return null;
  return `stays${placeText(what.subject.place)} for ${seconds(end.timeS - start.timeS)}${beyondText(match)}`;
}

const labelOfPart = (match: IntervalMatch, prompt: string) => `${labelOfOne(match, prompt)}${beyondText(match)}`;

/** " (began before)": what lies outside the searched part of the video is not claimed, and stated to be there. */
function beyondText({ clipped }: IntervalMatch): string {
  const parts = [clipped?.before ? 'began before' : '', clipped?.after ? 'continues after' : ''].filter((part) => part);
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** True if two steps have the same single subject. */
function hasSameSubject(a: IntervalMatch, b: IntervalMatch): boolean {
  const ids = [a, b].map((match) => match.tracks.filter((use) => use.role === 'subject').map((use) => use.track.id));
  return ids.every((own) => own.length === 1) && ids[0]![0] === ids[1]![0];
}

function withoutSubject(match: IntervalMatch, label: string): string {
  const { what } = match;
  if (what.kind !== 'object' || match.negated) return label;
  const name = nameOf(match.tracks.find((use) => use.role === 'subject')!.track, what.subject);
  const predicate = label.slice(name.length + 1);
  return label.startsWith(`${name} `) && !/^(in view|in the|ahead)/.test(predicate) ? predicate : label;
}

/** `prompt`: the words of the step, whose units are used. */
function labelOfOne(match: IntervalMatch, prompt: string): string {
  const { what, negated } = match;
  const which = negated ? 1 : 0;
  switch (what.kind) {
    case 'object':
      return negated ? noneOf(what) : objectLabel(match, what);
    case 'signal':
      return signalOf(what.signal).said[which];
    case 'camera': {
      const direction = what.direction === null ? '' : ` ${what.direction}`;
      const hard = what.hard && !negated ? HARD[what.move] : undefined;
      return `${cameraText(what, hard ?? CAMERA[what.move][which])}${direction}`;
    }
    case 'sound':
      return SOUNDS[what.sound][which];
    case 'speech':
      return match.quote === undefined ? speechText(what, negated) : `"${match.quote}"`;
    case 'text':
      return textText(what, negated);
    case 'traffic_light':
      return lightText(what, negated);
    case 'motion': {
      const { place } = what;
      const isZone = place !== null && 'points' in place && place.zone;
      const where = isZone ? placeText(place) : place ? ` in the ${place.name} of the picture` : '';
      return `${negated ? 'nothing' : 'something'} moves${where}`;
    }
    case 'quantity':
      return quantityText(what, negated, prompt);
    default:
      return 'something happens';
  }
}

/** "Nobody leaves", "no red car in view": the opposite of an event. */
export function noneOf(what: ObjectTarget): string {
  const { subject } = what;
  const name = subject.text.toLowerCase();
  const related = what.relation
    ? ` ${prepositionOf(what.action, what.relation.kind)}${what.relation.other.text.toLowerCase()}`
    : '';
  const [one, plural] =
    what.action === 'present' && subject.place
      ? ['is', 'are'].map((verb) => `${verb}${placeText(subject.place)}`)
      : verbsOf(what).map((verb) => `${verb}${placeText(subject.place)}`);
  const { min, max } = subject.count;
  if (min > 1 || max !== null) {
    const several =
      subject.classes.length === 0 ? 'things' : ANYBODY.has(name) ? 'people' : isPlural(name) ? name : pluralOf(name);
    const amount = max === null ? `fewer than ${min}` : max === min ? `not just ${min}` : `not ${min} to ${max}`;
    return `${amount} ${several} ${plural}${related}`;
  }
  const none = `${subject.classes.length === 0 ? `nothing${subject.except ? ' else' : ''}` : ANYBODY.has(name) ? 'nobody' : `no ${name}`}${colorsText(subject, name)}`;
  return `${none} ${isPlural(name) ? plural : one}${related}`;
}

/** " in red": colors that the name of what is missing does not contain. */
function colorsText({ colors, classes }: ObjectTarget['subject'], name: string): string {
  const others = colors.filter((color) => !name.includes(color));
  if (others.length === 0) return '';
  return ` ${classes.join() === 'person' ? 'in ' : ''}${others.join(' or ')}`;
}

function objectLabel(match: IntervalMatch, what: ObjectTarget): string {
  const subjects = match.tracks.filter((use) => use.role === 'subject');
  const first = subjects[0]!;
  const count = countSubjects(match);
  const many = count > 1 && !isPair(match);
  const names = new Set(subjects.map((use) => kindOf(use.track, what.subject)));
  const group =
    names.size === 1 ? pluralOf([...names][0]!) : [...names].every((n) => PATHS.has(n)) ? 'vehicles' : 'things';
  const name = many
    ? `${isSteady(match, count) ? '' : 'up to '}${count} ${inColors(group, subjects, what.subject)}`
    : nameOf(first.track, what.subject);
  const [one, plural] = verbsOf(what);
  const verb = what.idle ? `${many ? 'do' : 'does'} not ${plural}` : many ? plural : one;
  const tail = [relationText(match, what), durationText(match, what)].filter((t) => t !== '').join(' ');
  const text =
    what.idle || what.action !== 'present' || (many && tail === '')
      ? `${name} ${verb}${directionText(what)}`
      : presence(match, what, name, tail !== '');
  return tail === '' ? text : `${text} ${tail}`;
}

/** True for two objects that relate to each other, of which the label names one as the other. */
const isPair = ({ what, tracks }: IntervalMatch) =>
  what.kind === 'object' &&
  (what.relation !== null || what.action === 'collides') &&
  !tracks.some(({ role }) => role === 'other') &&
  new Set(tracks.map(({ track }) => track.id)).size === 2;

/** True if there are about as many objects most of the time as at most. */
function isSteady({ what, presences }: IntervalMatch, count: number): boolean {
  if (what.kind === 'object' && isInstant(what)) return true;
  const sinceS = Math.min(...presences.map((presence) => presence.sinceS));
  const lengthS = Math.max(...presences.map(({ untilS }) => untilS)) - sinceS;
  return lengthS <= 0 || measureOccupancy(presences).sumS / lengthS > count - STEADY;
}
const STEADY = 0.5;

/** "Red cars", "people in red": by the requested colors that were found. */
function inColors(group: string, subjects: IntervalMatch['tracks'], query: ObjectTarget['subject']): string {
  const found = new Set(subjects.map(({ track }) => colorOf(track, query)));
  const colors = query.colors.filter((color) => found.has(color)).join(' and ');
  if (colors === '') return group;
  return group === 'people' || group === 'pedestrians' ? `${group} in ${colors}` : `${colors} ${group}`;
}

const PATHS = new Set(['car', 'truck', 'bus', 'motorcycle', 'bicycle']);

/**
 * An object that only has to be present: its label says where it is, if the prompt names a place, or else where it
 * comes from and where it goes.
 */
function presence(match: IntervalMatch, { subject }: ObjectTarget, name: string, related: boolean): string {
  if (related) return name;
  if (subject.place) return `${name}${placeText(subject.place)}`;
  const use = match.tracks.find((t) => t.role === 'subject')!;
  if (measureOccupancy(match.presences).total > 1) return `${name} in view`;
  const { track } = use;
  const came = use.from === 0 && track.enteredFrom !== null ? `comes in ${FROM[track.enteredFrom]}` : '';
  const went = use.to === track.frame.length - 1 && track.leftTo !== null ? `leaves ${TO[track.leftTo]}` : '';
  if (came !== '' && went !== '') return `${name} ${came} and ${went}`;
  if (came !== '' || went !== '') return `${name} ${came}${went}`;
  return `${name} in view`;
}

/** "Enters the left third", "crosses the middle line"; without a name, the whole picture is entered or left. */
export function verbsOf({ action, line, region }: ObjectTarget): readonly [one: string, many: string] {
  const border = line ?? region;
  const way = line?.way ? ` ${line.way}wards` : '';
  return border && action in BORDERS
    ? [`${BORDERS[action]![0]} ${borderName(border)}${way}`, `${BORDERS[action]![1]} ${borderName(border)}${way}`]
    : VERBS[action];
}

const BORDERS: Partial<typeof VERBS> = {
  enters: ['enters', 'enter'],
  leaves: ['leaves', 'leave'],
  crosses: ['crosses', 'cross'],
};

/** Direction of motion: "to the left"; empty if it is unknown. */
export function directionOf(what: Target): string {
  if (what.kind === 'camera') return what.direction ?? '';
  return what.kind === 'object' ? directionText(what).trim() : '';
}

function directionText(what: ObjectTarget): string {
  if (what.action === 'enters' || what.action === 'overtakes') return what.from ? ` ${FROM[what.from]}` : '';
  if (what.action === 'leaves') return what.to ? ` ${TO[what.to]}` : '';
  return what.direction ? ` ${WAYS[what.direction]}` : '';
}

function relationText(match: IntervalMatch, what: ObjectTarget): string {
  if (!what.relation) return '';
  const other = match.tracks.find((t) => t.role === 'other') ?? match.tracks[1];
  const { kind, negated } = what.relation;
  if (negated)
    return `with no ${what.relation.other.text.toLowerCase()}${kind === 'with' ? '' : ` ${RELATIONS[kind]} it`}`;
  const state = what.relation.other.state === 'stationary' ? 'standing ' : '';
  const name = other ? `${state}${nameOf(other.track, what.relation.other)}` : what.relation.other.text.toLowerCase();
  return `${prepositionOf(what.action, kind)}${withArticle(name)}`;
}

/** "With " of "in a collision with a car"; empty for verbs that take the other object without a preposition. */
export function prepositionOf(action: ObjectTarget['action'], kind: Relation): string {
  if (action === 'collides') return 'with ';
  return VERBS_WITH_OBJECT.has(action) ? '' : `${RELATIONS[kind]} `;
}

const VERBS_WITH_OBJECT: ReadonlySet<ObjectTarget['action']> = new Set([
  'approaches',
  'passes',
  'overtakes',
  'follows',
]);

function durationText(match: IntervalMatch, what: ObjectTarget): string {
  if (what.action !== 'stands' && what.action !== 'loiters') return '';
  return `for ${seconds(match.end.timeS - match.start.timeS)}`;
}
