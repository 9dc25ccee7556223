import { rounded } from '#platform/numbers';
import type { View, ViewSet } from './store.ts';

/** An event of one view's document in its readable form, as far as it matters here. */
export type ViewEvent = {
  event_id: string;
  category: string;
  label: string;
  severity: string;
  confidence: number;
  start_s: number;
  end_s: number;
} & Record<string, unknown>;

/** A thing that an event rests on: its class, and the colour that it plainly has. */
export type ViewThing = { class: string; color: string | null };

export type ViewDocument = {
  videoId: string;
  analysisId: string;
  events: readonly ViewEvent[];
  /** What each event rests on, by its id. */
  things: ReadonlyMap<string, readonly ViewThing[]>;
};

type Seen = {
  view: View;
  analysisId: string;
  event: ViewEvent;
  things: readonly ViewThing[];
  startS: number;
  endS: number;
};

/** Clocks are set to a fraction of a second, and cameras see a thing a little sooner or later. */
const TOLERANCE_S = 1;
/** The colours that things are told by, in their order around the wheel. Greys change with the light. */
const HUES = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'];

/**
 * Makes one event of what several views saw at the same time: events of the same category that overlap on the clock of the primary view, at most one
 * of each view, unless what they saw differs. Where cameras stand is not known, so two things alike at the same time cannot be told apart. Told as
 * the surest of them; `views` says who saw it, in seconds of each video.
 */
export function fuse({ views }: ViewSet, documents: readonly ViewDocument[]) {
  const seen = documents
    .flatMap(({ videoId, analysisId, events, things }): Seen[] => {
      const view = views.find((each) => each.videoId === videoId);
      if (!view) return [];
      return events.map((event) => ({
        ...{ view, analysisId, event, things: things.get(event.event_id) ?? [] },
        startS: event.start_s + view.offsetS,
        endS: event.end_s + view.offsetS,
      }));
    })
    .sort((a, b) => a.startS - b.startS || a.view.role.localeCompare(b.view.role));
  const happenings: Seen[][] = [];
  // Those that something may still join: what comes begins later and later.
  let open: Seen[][] = [];
  for (const one of seen) {
    open = open.filter((others) => others.every(({ endS }) => endS - one.startS > -TOLERANCE_S));
    const best = open
      .filter((others) => others.every((other) => other.view !== one.view && isSame(other, one)))
      .sort((a, b) => overlap(b[0]!, one) - overlap(a[0]!, one))[0];
    if (best) best.push(one);
    else {
      happenings.push([one]);
      open.push(happenings.at(-1)!);
    }
  }
  return happenings.map((happening) => {
    const surest = happening.reduce((a, b) => (b.event.confidence > a.event.confidence ? b : a));
    const startS = Math.min(...happening.map((each) => each.startS));
    const endS = Math.max(...happening.map((each) => each.endS));
    return {
      event_id: surest.event.event_id,
      category: surest.event.category,
      label: surest.event.label,
      severity: surest.event.severity,
      confidence: surest.event.confidence,
      start_s: rounded(startS),
      end_s: rounded(endS),
      views: happening.map(({ view, analysisId, event }) => ({
        role: view.role,
        video_id: view.videoId,
        analysis_id: analysisId,
        event_id: event.event_id,
        label: event.label,
        confidence: event.confidence,
        start_s: event.start_s,
        end_s: event.end_s,
      })),
    };
  });
}

const isSame = (a: Seen, b: Seen) =>
  a.event.category === b.event.category && overlap(a, b) > -TOLERANCE_S && isAlike(a, b);

/** Things differ by class and colour, however a view words what they do; pictures, sounds and measurements have one wording each. */
function isAlike(a: Seen, b: Seen): boolean {
  if (a.things.length === 0 || b.things.length === 0) return a.event.label === b.event.label;
  const [ofA, ofB] = [a, b].map(({ things }) => Map.groupBy(things, (thing) => thing.class));
  const shared = [...ofA!.keys()].filter((name) => ofB!.has(name));
  // One view may see less of it than another, and none may see something else.
  if (shared.length < Math.min(ofA!.size, ofB!.size)) return false;
  return shared.every((name) => mayShareColor(ofA!.get(name)!, ofB!.get(name)!));
}

function mayShareColor(a: readonly ViewThing[], b: readonly ViewThing[]): boolean {
  const [huesOfA, huesOfB] = [a, b].map((things) => things.map(({ color }) => HUES.indexOf(color ?? '')));
  // Next to each other on the wheel is the same in another light.
  const isNear = (one: number, other: number) => {
    const apart = Math.abs(one - other);
    return one < 0 || other < 0 || Math.min(apart, HUES.length - apart) <= 1;
  };
  return huesOfA!.some((one) => huesOfB!.some((other) => isNear(one, other)));
}

/** Seconds that both last together; negative: how far they lie apart. */
const overlap = (a: Seen, b: Seen) => Math.min(a.endS, b.endS) - Math.max(a.startS, b.startS);
