import { CLASSES } from '../objects/classes.ts';
import { COLORS, nameColors } from '../objects/colors.ts';
import type { Found } from '../objects/detector.ts';
import type { Track } from '../objects/observation.ts';
import { type Detection, overlap } from '../objects/yolox.ts';

/** No second look confirms what is seen in a single picture: it has to be surer than where there are five a second. */
const SURE = 0.5;
/** Boxes that overlap this much (intersection over union) in two pictures in a row are one thing that stayed. */
const STAYED = 0.5;

type Sighting = { look: number; box: Detection; colors: Float32Array };

/** What was seen in single pictures seconds apart: things that stay in one place are one, and all others are seen anew each time. */
export function sightingsOf(looks: readonly Found[]): Track[] {
  const things: Sighting[][] = [];
  let before: Sighting[][] = [];
  looks.forEach(({ detections, colors }, look) => {
    const left = new Set(before);
    before = detections.flatMap((box, at): Sighting[][] => {
      if (box.score < SURE) return [];
      const sighting = { look, box, colors: colors.subarray(at * COLORS.length, (at + 1) * COLORS.length) };
      const same = [...left].find((thing) => isSame(thing.at(-1)!.box, box));
      if (same) {
        left.delete(same);
        same.push(sighting);
        return [same];
      }
      const thing = [sighting];
      things.push(thing);
      return [thing];
    });
  });
  return things.map((thing, index) => trackOf(thing, index + 1));
}

const isSame = (a: Detection, b: Detection) => a.classIndex === b.classIndex && overlap(a, b) >= STAYED;

function trackOf(thing: readonly Sighting[], id: number): Track {
  const column = (value: (box: Detection) => number) => Float32Array.from(thing, ({ box }) => value(box));
  const sums = new Float64Array(COLORS.length);
  for (const { colors } of thing) for (const [k, share] of colors.entries()) sums[k]! += share;
  return {
    id,
    className: CLASSES[thing[0]!.box.classIndex]!,
    colors: nameColors(sums),
    frame: Int32Array.from(thing, ({ look }) => look),
    x: column(({ x0, x1 }) => (x0 + x1) / 2),
    y: column(({ y0, y1 }) => (y0 + y1) / 2),
    width: column(({ x0, x1 }) => x1 - x0),
    height: column(({ y0, y1 }) => y1 - y0),
    score: column(({ score }) => score),
    enteredFrom: null,
    leftTo: null,
    stationary: [],
  };
}
