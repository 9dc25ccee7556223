import { rounded } from '#platform/numbers';
import type { FusedEvent } from './schema.ts';
import type { View, ViewSet } from './store.ts';

/** An event of a document in its readable form, with the fields that fusion needs. */
export type ViewEvent = {
  event_id: string;
  category: string;
  label: string;
  severity: string;
  confidence: number;
  start_s: number;
  end_s: number;
} & Record<string, unknown>;

/** A tracked object that an event is based on; `color` is null if it has no dominant color. */
export type ViewObject = { class: string; color: string | null };

export type ViewDocument = {
  videoId: string;
  analysisId: string;
  events: readonly ViewEvent[];
  /** Objects of each event, by its id. */
  objects: ReadonlyMap<string, readonly ViewObject[]>;
};

/** An event of one view, with times on the clock of the primary view. */
type Sighting = {
  view: View;
  analysisId: string;
  event: ViewEvent;
  objects: readonly ViewObject[];
  startS: number;
  endS: number;
};

/** Clocks are set to a fraction of a second, and cameras see an object a little sooner or later. */
const TOLERANCE_S = 1;
/** Colors in their order around the color wheel. Grays are absent because they change with the light. */
const HUES = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'];

/**
 * Fuses events of several views into one: events of the same category that overlap on the clock of the primary view,
 * at most one per view, unless their objects differ. Camera positions are unknown, so two similar objects at the same
 * time cannot be distinguished. The fused event has the label of the view with the highest confidence.
 */
export function fuse({ views }: ViewSet, documents: readonly ViewDocument[]): FusedEvent[] {
  const sightings = documents
    .flatMap(({ videoId, analysisId, events, objects }): Sighting[] => {
      const view = views.find((each) => each.videoId === videoId);
      if (!view) return [];
      return events.map((event) => ({
        view,
        analysisId,
        event,
        objects: objects.get(event.event_id) ?? [],
        startS: event.start_s + view.offsetS,
        endS: event.end_s + view.offsetS,
      }));
    })
    .sort((a, b) => a.startS - b.startS || a.view.role.localeCompare(b.view.role));
  const groups: Sighting[][] = [];
  // Groups that a later sighting may still join; sightings are ordered by their start.
  let open: Sighting[][] = [];
  for (const sighting of sightings) {
    open = open.filter((group) => group.every(({ endS }) => endS - sighting.startS > -TOLERANCE_S));
    const best = open
      .filter((group) => group.every((other) => other.view !== sighting.view && isSameEvent(other, sighting)))
      .sort((a, b) => overlapSeconds(b[0]!, sighting) - overlapSeconds(a[0]!, sighting))[0];
    if (best) best.push(sighting);
    else {
      groups.push([sighting]);
      open.push(groups.at(-1)!);
    }
  }
  return groups.map(toFusedEvent);
}

function toFusedEvent(group: readonly Sighting[]): FusedEvent {
  const { event } = group.reduce((a, b) => (b.event.confidence > a.event.confidence ? b : a));
  return {
    eventId: event.event_id,
    category: event.category,
    label: event.label,
    severity: event.severity,
    confidence: event.confidence,
    startS: rounded(Math.min(...group.map((each) => each.startS))),
    endS: rounded(Math.max(...group.map((each) => each.endS))),
    views: group.map(({ view, analysisId, event }) => ({
      role: view.role,
      videoId: view.videoId,
      analysisId,
      eventId: event.event_id,
      label: event.label,
      confidence: event.confidence,
      startS: event.start_s,
      endS: event.end_s,
    })),
  };
}

const isSameEvent = (a: Sighting, b: Sighting) =>
  a.event.category === b.event.category && overlapSeconds(a, b) > -TOLERANCE_S && hasSimilarObjects(a, b);

/**
 * Compares objects by class and color, because views word actions differently; events without objects have fixed
 * labels.
 */
function hasSimilarObjects(a: Sighting, b: Sighting): boolean {
  if (a.objects.length === 0 || b.objects.length === 0) return a.event.label === b.event.label;
  const [classesOfA, classesOfB] = [a, b].map(({ objects }) => Map.groupBy(objects, (object) => object.class));
  const shared = [...classesOfA!.keys()].filter((name) => classesOfB!.has(name));
  // One view may see fewer classes than the other, but none that the other lacks.
  if (shared.length < Math.min(classesOfA!.size, classesOfB!.size)) return false;
  return shared.every((name) => mayHaveSameColor(classesOfA!.get(name)!, classesOfB!.get(name)!));
}

function mayHaveSameColor(a: readonly ViewObject[], b: readonly ViewObject[]): boolean {
  const [huesOfA, huesOfB] = [a, b].map((objects) => objects.map(({ color }) => HUES.indexOf(color ?? '')));
  // Neighbors on the wheel may be one color in different light.
  const isNear = (one: number, other: number) => {
    const distance = Math.abs(one - other);
    return one < 0 || other < 0 || Math.min(distance, HUES.length - distance) <= 1;
  };
  return huesOfA!.some((one) => huesOfB!.some((other) => isNear(one, other)));
}

/** Duration of the overlap in seconds; negative: length of the gap between them. */
const overlapSeconds = (a: Sighting, b: Sighting) => Math.min(a.endS, b.endS) - Math.max(a.startS, b.startS);
