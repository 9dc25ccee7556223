import type { Line, Plan, PlannedSearch, Region, Step, Target, Unchecked } from '../schema.ts';
import { findMentions } from '../zones/find-mentions.ts';
import { namesZone } from '../zones/is-zoned.ts';
import type { Zone } from '../zones/types.ts';
import { missingReason } from '../zones/with-zones.ts';

/** Where a zone is of which only the name is known. No video is searched there: `bindZones` replaces it. */
const NOWHERE = {
  polygon: [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
  ],
  line: [
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ],
} as const satisfies Record<Zone['kind'], Zone['points']>;

const NOUNS = { polygon: 'zone', line: 'line' } as const satisfies Record<Zone['kind'], string>;

/** The known zones, and those that a prompt names without their being known. */
export function nameZones(query: string, known: readonly Zone[]): Zone[] {
  const unknown = findMentions(query, known).filter(({ zone }) => zone === null);
  return [...known, ...unknown.map(({ kind, name }) => ({ kind, name, points: NOWHERE[kind] }))];
}

/**
 * The plan with the points that its zones have among `zones`, those of the searched video. A search that names a zone
 * that is not among them is blocked, with the reason.
 */
export function bindZones(plan: Plan, zones: readonly Zone[]): Plan {
  if (!namesZone(plan)) return plan;
  const named = new Map(zones.map((zone) => [keyOf(zone.kind, zone.name), zone]));
  return { ...plan, searches: plan.searches.map((search) => bindSearch(search, named, zones)) };
}

/** The zones that a prompt names and its plan does not: drawn since it was read, or words of a text. */
export function findUnread(plan: Plan, query: string, zones: readonly Zone[]): string[] {
  const read = namesIn(plan);
  return findMentions(query, zones).flatMap(({ zone }) => {
    const key = zone && keyOf(zone.kind, zone.name);
    return key === null || read.has(key) ? [] : key;
  });
}

/** Kinds and names of the zones in a plan. */
export function namesIn(plan: Plan): Set<string> {
  const names = new Set<string>();
  for (const { what } of plan.searches.flatMap(({ steps }) => steps))
    bindTarget(what, {
      region(region) {
        names.add(keyOf('polygon', region.name));
        return region;
      },
      line(line) {
        names.add(keyOf('line', line.name));
        return line;
      },
    });
  return names;
}

const keyOf = (kind: Zone['kind'], name: string) => `${kind} ${name.toLowerCase()}`;

type NamedZones = ReadonlyMap<string, Zone>;

const bindSearch = (search: PlannedSearch, named: NamedZones, zones: readonly Zone[]): PlannedSearch => ({
  ...search,
  steps: search.steps.map((step) => bindStep(step, named, zones)),
});

function bindStep(step: Step, named: NamedZones, zones: readonly Zone[]): Step {
  const lost: Unchecked[] = [];
  const find = (kind: Zone['kind'], name: string) => {
    const zone = named.get(keyOf(kind, name));
    if (!zone) lost.push({ text: `${NOUNS[kind]} ${name}`, reason: missingReason(kind, name, zones), blocks: true });
    return zone;
  };
  const bound = bindTarget(step.what, {
    region(region) {
      const zone = find('polygon', region.name);
      return zone ? { ...region, name: zone.name, points: zone.points.map(({ x, y }) => ({ x, y })) } : region;
    },
    line(line) {
      const zone = find('line', line.name);
      if (!zone) return line;
      const [from, to] = zone.points.map(({ x, y }) => ({ x, y }));
      return { ...line, name: zone.name, from: from!, to: to! };
    },
  });
  return { ...step, what: bound, unchecked: [...step.unchecked, ...lost] };
}

type Polygon = Extract<Region, { points: unknown }>;
type Binding = { region: (zone: Polygon) => Polygon; line: (zone: Line) => Line };

function bindTarget(what: Target, { region, line }: Binding): Target {
  const place = <T extends Region | null | undefined>(of: T): T =>
    of && 'points' in of && of.zone === true ? (region(of) as T) : of;
  if (what.kind === 'motion') return { ...what, place: place(what.place) };
  if (what.kind !== 'object') return what;
  const { subject, relation } = what;
  return {
    ...what,
    subject: { ...subject, place: place(subject.place) },
    ...(what.line?.zone === true && { line: line(what.line) }),
    ...(what.region && { region: place(what.region) }),
    ...(relation && { relation: { ...relation, other: { ...relation.other, place: place(relation.other.place) } } }),
  };
}
