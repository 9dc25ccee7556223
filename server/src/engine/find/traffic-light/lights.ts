import {
  detectorOf,
  type LitInterval,
  MIN_LIGHT_HEIGHT,
  MIN_LIGHT_WIDTH,
  toDetectorSize,
} from '../../observe/objects/index.ts';
import type { Observations } from '../../observe/observations.ts';
import { trackConfidence } from '../confidence.ts';
import { overlaps } from '../limits/index.ts';
import { median } from '../time/intervals.ts';
import type { LimitDescriber, Scene, TrackEvidence, TrackView } from '../types.ts';

/** A traffic light, and one interval in which it shows one color. */
export type Lit = LitInterval & {
  view: TrackView;
  /** The interval of another color that ended when this one started; null if that is unknown. */
  before: LitInterval | null;
  /** The interval of another color that starts when this one ends; null if that is unknown. */
  after: LitInterval | null;
};

const TRAFFIC_LIGHT = 'traffic light';
/** On the labeled light, every color that is stated is right; it is one light. */
const COLOR_CERTAINTY = 0.9;

const isLight = ({ track }: TrackView) => track.className === TRAFFIC_LIGHT;
export const lightsIn = (scene: Scene): TrackView[] => scene.trackViews().filter(isLight);

/** All intervals of all lights, in order of their start. */
export function litIntervals(scene: Scene): Lit[] {
  return lightsIn(scene)
    .flatMap((view) => {
      const { lit = [] } = view.track;
      return lit.map((interval, at): Lit => {
        const [before, after] = [lit[at - 1], lit[at + 1]];
        return {
          ...interval,
          view,
          before: before?.endS === interval.startS ? before : null,
          after: after?.startS === interval.endS ? after : null,
        };
      });
    })
    .toSorted((a, b) => a.startS - b.startS);
}

/** Confidence that a light is one, and shows its color. */
export const litConfidence = ({ view }: Lit): number =>
  COLOR_CERTAINTY * trackConfidence(view.score, view.independentCount, view.plausibility().weight);

/** The entries of a light's track from one time to another. */
export function toTrackEvidence({ track, timeS }: TrackView, startS: number, endS: number): TrackEvidence {
  const from = Math.max(
    0,
    timeS.findIndex((time) => time >= startS - 1e-6),
  );
  const to = timeS.findLastIndex((time) => time <= endS + 1e-6);
  return { track, role: 'subject', from, to: Math.max(from, to) };
}

/** Reasons why the color of some lights is not known. */
export const describeUnknownLights: LimitDescriber = (_what, { window, trackViews, observations }) => {
  const lights = trackViews().filter(isLight);
  const isLit = ({ track: { lit = [] } }: TrackView) => lit.some(({ startS, endS }) => overlaps(window, startS, endS));
  const unknown = lights.filter((view) => !isLit(view));
  if (unknown.length === 0) return [];
  const small = unknown.filter((view) => isTooSmall(view, observations)).length;
  const reasons = [
    ...(small > 0 ? [`${small} ${small === 1 ? 'is' : 'are'} too small`] : []),
    ...(unknown.length > small
      ? [`${unknown.length - small} ${unknown.length - small === 1 ? 'shows' : 'show'} no lit lamp`]
      : []),
  ];
  return [
    { text: `the color of ${unknown.length} of ${lights.length} traffic lights is not known: ${reasons.join(', ')}` },
  ];
};

function isTooSmall({ track }: TrackView, { objects, video }: Pick<Observations, 'objects' | 'video'>): boolean {
  const frame = toDetectorSize(video, detectorOf(objects?.model ?? null));
  return median(track.width) * frame.width < MIN_LIGHT_WIDTH || median(track.height) * frame.height < MIN_LIGHT_HEIGHT;
}
