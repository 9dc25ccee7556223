import type { DecodedFrame, FrameRequest } from '#platform/media/index';
import { createColumn, float64 } from '../columns.ts';
import { joinWords, type PixelBox } from './boxes.ts';
import { createChangeDetector } from './changes.ts';
import type { Reading } from './decode-line.ts';
import { frameSizeOf } from './frame-size.ts';
import type { Texts } from './observation.ts';
import type { RgbImage, TextReader } from './reader.ts';
import { findRegions, joinAt } from './regions.ts';
import { toGrayPlane } from './strokes.ts';
import { createTextTracker } from './text-tracker.ts';

/** Frames are read at most this often, in seconds. */
const INTERVAL_S = 1;
/** Less certain readings are dropped. */
const MIN_SCORE = 0.6;
/** Side of the squares in which frames are compared, in pixels of the image in which lines are read. */
const SQUARE = 16;
/** Intersection over union from which on two boxes are the same line in an unchanged part of the frame. */
const SAME_BOX = 0.5;

type Line = { box: PixelBox; reading: Reading };

/** Reads the texts of a video: frames that have changed, at most one each second. */
export function createTextObserver(reader: TextReader, video: { width: number; height: number }, model: string) {
  const { width, height, scale, minHeight } = frameSizeOf(video);
  const compare = createChangeDetector(SQUARE / scale);
  const tracker = createTextTracker();
  const timeS = createColumn(float64);
  const pts = createColumn(float64);
  let frames = 0;
  let lines: Line[] = [];

  /** Reads the lines of a frame; those in regions that have not changed are known. */
  async function readFrame(image: RgbImage): Promise<void> {
    const plane = toGrayPlane(image, scale);
    const { hasChanged, changedIn } = compare(plane);
    if (!hasChanged) return;
    const known = lines;
    const knownBoxes = known.map(({ box }) => box);
    const hasChangedIn = (box: PixelBox) => changedIn(scaled(box, 1 / scale));
    const boxesIn = async (region: PixelBox) =>
      hasChangedIn(region)
        ? await reader.detect(image, scale, region)
        : knownBoxes.filter((box) => isCenterIn(box, region));
    const parts = findRegions(plane).map((region) => scaled(region, scale));
    lines = [];
    for (const box of joinWords(await searchRegions(joinAt(knownBoxes, parts), boxesIn))) {
      const same = hasChangedIn(box) ? undefined : known.find((line) => overlapOf(line.box, box) > SAME_BOX);
      lines.push({ box, reading: same?.reading ?? (await reader.recognize(image, box)) });
    }
  }

  async function takeFrame(frame: Pick<DecodedFrame, 'data' | 'timeS' | 'pts'>): Promise<void> {
    await readFrame({ width, height, data: frame.data });
    const certain = lines.filter(({ reading }) => reading.score >= MIN_SCORE && reading.text !== '');
    const sightings = certain.map(({ box, reading }) => ({
      ...reading,
      box: {
        x: (box.x0 + box.x1) / 2 / width,
        y: (box.y0 + box.y1) / 2 / height,
        width: (box.x1 - box.x0) / width,
        height: (box.y1 - box.y0) / height,
      },
    }));
    tracker.addFrame(sightings, frames++, frame.timeS);
    timeS.push(frame.timeS);
    pts.push(frame.pts);
  }

  const request: FrameRequest = { width, height, format: 'rgb', minIntervalS: INTERVAL_S, onFrame: takeFrame };
  return {
    request,
    finish: (): Texts => ({ model, minHeight, timeS: timeS.toArray(), pts: pts.toArray(), ...tracker.finish() }),
  };
}

/** Boxes of the lines in regions. Those with a line in pixels that they share are searched again, as one. */
async function searchRegions(regions: PixelBox[], boxesIn: (region: PixelBox) => Promise<PixelBox[]>) {
  const found = new Map<PixelBox, PixelBox[]>();
  for (;;) {
    for (const region of regions) if (!found.has(region)) found.set(region, await boxesIn(region));
    const boxes = regions.flatMap((region) => found.get(region)!);
    const joined = joinAt(boxes, regions);
    if (joined.length === regions.length) return boxes;
    regions = joined;
  }
}

const scaled = ({ x0, y0, x1, y1 }: PixelBox, by: number): PixelBox => ({
  x0: x0 * by,
  y0: y0 * by,
  x1: x1 * by,
  y1: y1 * by,
});

function isCenterIn({ x0, y0, x1, y1 }: PixelBox, region: PixelBox): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x >= region.x0 && x < region.x1 && y >= region.y0 && y < region.y1;
}

function overlapOf(a: PixelBox, b: PixelBox): number {
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  if (width <= 0 || height <= 0) return 0;
  const areaOf = ({ x0, y0, x1, y1 }: PixelBox) => (x1 - x0) * (y1 - y0);
  return (width * height) / (areaOf(a) + areaOf(b) - width * height);
}
