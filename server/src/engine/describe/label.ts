import { type Hit, round } from '../find/index.ts';
import type { ObjectWhat, Step, What } from '../plan/index.ts';
import {
  ANYBODY,
  CAMERA,
  colorOf,
  FROM,
  HARD,
  isPlural,
  kindOf,
  nameOf,
  pluralOf,
  RELATIONS,
  SIGNALS,
  SOUNDS,
  seconds,
  TO,
  UNITS,
  VERBS,
  WAYS,
  withArticle,
} from './words.ts';

/** What a person would write: "red car enters from the left"; of one thing in several steps, "person moves, then stands still for 5 s". */
export function labelOf(hit: Hit, steps: readonly Step[]): string {
  if (hit.parts.length === 0) return labelOfOne(hit);
  return hit.parts
    .map((part, i) => {
      const before = hit.parts[i - 1];
      if (!before) return labelOfOne(part);
      const text = isSame(before, part) ? withoutSubject(part) : labelOfOne(part);
      return `${steps[i]?.join === 'while' ? ' while ' : ', then '}${text}`;
    })
    .join('');
}

/** Whether two steps are of the one same thing. */
function isSame(a: Hit, b: Hit): boolean {
  const ids = [a, b].map((hit) => hit.tracks.filter((use) => use.role === 'subject').map((use) => use.track.id));
  return ids.every((own) => own.length === 1) && ids[0]![0] === ids[1]![0];
}

function withoutSubject(hit: Hit): string {
  const label = labelOfOne(hit);
  const { what } = hit;
  if (what.kind !== 'object' || hit.negated) return label;
  const name = nameOf(hit.tracks.find((use) => use.role === 'subject')!.track, what.subject);
  const said = label.slice(name.length + 1);
  return label.startsWith(`${name} `) && !said.startsWith('in view') ? said : label;
}

function labelOfOne(hit: Hit): string {
  const { what, negated } = hit;
  const which = negated ? 1 : 0;
  switch (what.kind) {
    case 'object':
      return negated ? noneOf(what) : objectLabel(hit, what);
    case 'signal':
      return SIGNALS[what.signal][which];
    case 'camera': {
      const way = what.direction === null ? '' : ` ${what.direction}`;
      const hard = what.hard && !negated ? HARD[what.move] : undefined;
      return `${hard ?? CAMERA[what.move][which]}${way}`;
    }
    case 'sound':
      return SOUNDS[what.sound][which];
    case 'motion': {
      const place = what.place ? ` in the ${what.place.name} of the picture` : '';
      return `${negated ? 'nothing' : 'something'} moves${place}`;
    }
    case 'quantity':
      return `${what.quantity.replaceAll('_', ' ')} ${negated ? 'not ' : ''}${rangeText(what)} ${UNITS[what.quantity]}`;
    default:
      return 'something happens';
  }
}

function rangeText({ range }: Extract<What, { kind: 'quantity' }>): string {
  if (range.min !== null && range.max !== null) return `between ${round(range.min)} and ${round(range.max)}`;
  return range.min !== null ? `above ${round(range.min)}` : `below ${round(range.max ?? 0)}`;
}

function noneOf(what: ObjectWhat): string {
  const { subject } = what;
  const name = subject.text.toLowerCase();
  const related = what.relation ? ` ${RELATIONS[what.relation.kind]} ${what.relation.other.text.toLowerCase()}` : '';
  const [one, plural] = verbsOf(what);
  const { min, max } = subject.count;
  if (min > 1 || max !== null) {
    const several = subject.classes.length === 0 ? 'things' : isPlural(name) ? name : pluralOf(name);
    const amount = max === null ? `fewer than ${min}` : max === min ? `not just ${min}` : `not ${min} to ${max}`;
    return `${amount} ${several} ${plural}${related}`;
  }
  const none = subject.classes.length === 0 ? 'nothing' : ANYBODY.has(name) ? 'nobody' : `no ${name}`;
  return `${none} ${isPlural(name) ? plural : one}${related}`;
}

function objectLabel(hit: Hit, what: ObjectWhat): string {
  const subjects = hit.tracks.filter((use) => use.role === 'subject');
  const first = subjects[0]!;
  const many = hit.count > 1;
  const names = new Set(subjects.map((use) => kindOf(use.track, what.subject)));
  const group =
    names.size === 1 ? pluralOf([...names][0]!) : [...names].every((n) => PATHS.has(n)) ? 'vehicles' : 'things';
  const name = many
    ? `${hit.count} ${inColors(group, subjects, what.subject.colors)}`
    : nameOf(first.track, what.subject);
  const [one, plural] = verbsOf(what);
  const verb = what.idle ? `${many ? 'do' : 'does'} not ${plural}` : many ? plural : one;
  const tail = [relationText(hit, what), durationText(hit, what)].filter((t) => t !== '').join(' ');
  const text =
    what.idle || what.action !== 'present' || (many && tail === '')
      ? `${name} ${verb}${wayText(what)}`
      : presence(hit, name, tail !== '');
  return tail === '' ? text : `${text} ${tail}`;
}

/** "Red cars", "people in red": by the colours that were asked for and found. */
function inColors(group: string, subjects: Hit['tracks'], asked: readonly string[]): string {
  const found = new Set(subjects.map(({ track }) => colorOf(track, asked)));
  const colors = asked.filter((color) => found.has(color)).join(' and ');
  if (colors === '') return group;
  return group === 'people' ? `${group} in ${colors}` : `${colors} ${group}`;
}

const PATHS = new Set(['car', 'truck', 'bus', 'motorcycle', 'bicycle']);

/** A thing that is only asked to be there: where it comes from and goes to says most about it. */
function presence(hit: Hit, name: string, related: boolean): string {
  if (related) return name;
  const use = hit.tracks.find((t) => t.role === 'subject')!;
  const { track } = use;
  const came = use.from === 0 && track.enteredFrom !== null ? `comes in ${FROM[track.enteredFrom]}` : '';
  const went = use.to === track.frame.length - 1 && track.leftTo !== null ? `leaves ${TO[track.leftTo]}` : '';
  if (came !== '' && went !== '') return `${name} ${came} and ${went}`;
  if (came !== '' || went !== '') return `${name} ${came}${went}`;
  return `${name} in view`;
}

/** "Enters the left third", "crosses the middle line"; what is entered and left without a name is the picture. */
function verbsOf({ action, line, region }: ObjectWhat): readonly [one: string, many: string] {
  const border = line ?? region;
  return border && action in BORDERS
    ? [`${BORDERS[action]![0]} the ${border.name}`, `${BORDERS[action]![1]} the ${border.name}`]
    : VERBS[action];
}

const BORDERS: Partial<typeof VERBS> = {
  enters: ['enters', 'enter'],
  leaves: ['leaves', 'leave'],
  crosses: ['crosses', 'cross'],
};

/** Which way it goes, as far as that was found: "to the left"; empty where it was not. */
export function wayOf(what: What): string {
  if (what.kind === 'camera') return what.direction ?? '';
  return what.kind === 'object' ? wayText(what).trim() : '';
}

function wayText(what: ObjectWhat): string {
  if (what.action === 'enters') return what.from ? ` ${FROM[what.from]}` : '';
  if (what.action === 'leaves') return what.to ? ` ${TO[what.to]}` : '';
  if (what.action === 'crosses' || what.action === 'moves') return what.direction ? ` ${WAYS[what.direction]}` : '';
  return '';
}

function relationText(hit: Hit, what: ObjectWhat): string {
  if (!what.relation) return '';
  const other = hit.tracks.find((t) => t.role === 'other') ?? hit.tracks[1];
  const { kind, negated } = what.relation;
  if (negated)
    return `with no ${what.relation.other.text.toLowerCase()}${kind === 'with' ? '' : ` ${RELATIONS[kind]} it`}`;
  const state = what.relation.other.state === 'stationary' ? 'standing ' : '';
  const name = other ? `${state}${nameOf(other.track, what.relation.other)}` : what.relation.other.text.toLowerCase();
  return WITH_OBJECT.has(what.action) ? withArticle(name) : `${RELATIONS[kind]} ${withArticle(name)}`;
}

/** Verbs that name the other thing without more. */
const WITH_OBJECT: ReadonlySet<ObjectWhat['action']> = new Set(['approaches', 'passes', 'overtakes', 'follows']);

function durationText(hit: Hit, what: ObjectWhat): string {
  if (what.action !== 'stands' && what.action !== 'loiters') return '';
  return `for ${seconds(hit.end.timeS - hit.start.timeS)}`;
}
