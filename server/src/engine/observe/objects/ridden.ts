import { CLASSES, GROUP_OF } from './classes.ts';
import { bestOf, type Judged, votesOf } from './mover.ts';
import { type Look, MOTION_SCORE, type RawEntry } from './tracker.ts';
import type { Detection } from './yolox.ts';

const PERSON = 'person';
const BIKES = GROUP_OF[CLASSES.indexOf('bicycle')]!;
/** How a bike lies below its rider, in the rider's sizes: how far off its middle may be, and its lower and upper edges from his. */
const OFF_MIDDLE = 0.75;
const LOWEST = 0.4;
const HIGHEST = -0.2;
const TOP = 0.25;
/** In what share of the rider's looks it has to be seen, and in how many of them surely: legs in a crowd look like one, too. */
const LEAST_SHARE = 0.2;
const SURE = 0.45;
const LEAST_SURE = 2;

/**
 * The bike below a person who rides it. From the front and from behind a bike is a line, which the detector finds now and then and unsurely; where it does so
 * again and again below the same person, it is there all the time.
 */
export function findRidden({ className, entries }: Judged, looks: readonly Look[]): Judged | null {
  if (className !== PERSON) return null;
  const seen = entries.map(({ look, detection: rider }) => bikeBelow(rider, looks[look]!.detections));
  const found = seen.filter((bike) => bike !== null);
  const sure = found.filter(({ score }) => score >= SURE);
  if (found.length < LEAST_SHARE * entries.length || sure.length < LEAST_SURE) return null;
  const classIndex = bestOf(votesOf(found));
  return {
    className: CLASSES[classIndex]!,
    entries: entries.flatMap((entry, at): RawEntry | [] => {
      const bike = seen[at];
      if (!bike) return [];
      const index = looks[entry.look]!.detections.indexOf(bike);
      return { ...entry, index, detection: { ...bike, score: Math.max(MOTION_SCORE, bike.score) } };
    }),
  };
}

function bikeBelow(rider: Detection, detections: readonly Detection[]): Detection | null {
  const [width, height] = [rider.x1 - rider.x0, rider.y1 - rider.y0];
  const below = detections.filter((bike) => {
    if (GROUP_OF[bike.classIndex] !== BIKES) return false;
    const off = (bike.x0 + bike.x1 - rider.x0 - rider.x1) / 2;
    const lower = (bike.y1 - rider.y1) / height;
    return (
      Math.abs(off) <= OFF_MIDDLE * width && lower <= LOWEST && lower >= HIGHEST && bike.y0 >= rider.y0 + TOP * height
    );
  });
  return below.toSorted((a, b) => b.score - a.score)[0] ?? null;
}
