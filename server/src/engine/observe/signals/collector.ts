import { createColumn, float32, float64 } from '../columns.ts';
import { createColorCollector } from './color.ts';
import { computeCutScore, correlation } from './cut-score.ts';
import { createMotionFit, type GlobalMotion, STILL } from './global-motion.ts';
import { BLOCKS, HEIGHT, loadKernel, QUARTER_PIXELS, VECTOR, WIDTH } from './kernel.ts';
import { createLocalMotionDetector, REGION_COLUMNS, REGION_ROWS, REGIONS } from './local-motion.ts';
import type { Signals } from './observation.ts';
import { createShotBoundaryDetector } from './shot-boundaries.ts';

export { COLOR_HEIGHT, COLOR_INTERVAL_S, COLOR_WIDTH } from './color.ts';
export { HEIGHT, WIDTH } from './kernel.ts';

/**
 * Collects signals of gray frames of `WIDTH × HEIGHT` and of their difference to the previous frame. The kernel
 * processes pixels; this code works on sums and a few hundred blocks.
 */
export type SignalsCollector = {
  /** Adds the next frame. Returns the change since the previous one. */
  addFrame(frame: Uint8Array, timeS: number, pts: number): FrameStep;
  /** Adds a color frame of `COLOR_WIDTH × COLOR_HEIGHT` RGB pixels, about every `COLOR_INTERVAL_S`. */
  addColorFrame(rgb: Uint8Array, timeS: number): void;
  finish(): Signals;
};

/** Change from one frame to the next. */
export type FrameStep = {
  /** Motion of the whole frame in pixels of the analysis frame. */
  motion: GlobalMotion;
  /** Change of content, as in `Signals.cut`. */
  cut: number;
  /** 1 for each block of `COLUMNS × ROWS` with a motion of its own. Valid until the next call. */
  moving: Uint8Array;
};

const NO_BLOCKS: Uint8Array = new Uint8Array(BLOCKS);
const PIXELS = WIDTH * HEIGHT;
/** The sum of the squared Laplacian covers every second row, without borders. */
const LAPLACIAN_PIXELS = (HEIGHT / 2 - 1) * (WIDTH - 32);
/** Cut score from which no motion is estimated. */
const CHANGED = 50;

type Sums = { sum: number; squares: number; contrast: number };

export function createSignalsCollector(): SignalsCollector {
  const kernel = loadKernel();
  const fitMotion = createMotionFit();
  const localMotion = createLocalMotionDetector(kernel);
  const shots = createShotBoundaryDetector(kernel);
  const colors = createColorCollector();
  const time = createColumn(float64);
  const stamps = createColumn(float64);
  const columns = {
    luma: createColumn(float32),
    contrast: createColumn(float32),
    dark: createColumn(float32),
    bright: createColumn(float32),
    sharpness: createColumn(float32),
    difference: createColumn(float32),
    globalX: createColumn(float32),
    globalY: createColumn(float32),
    zoom: createColumn(float32),
    roll: createColumn(float32),
    advance: createColumn(float32),
    localMotion: createColumn(float32),
    regions: createColumn(float32),
  };
  let slot = 0;
  let previous: (Sums & { timeS: number }) | null = null;

  function compareFrames(now: Sums, then: Sums & { timeS: number }, timeS: number): FrameStep {
    kernel.match(slot);
    const [difference, product] = [kernel.stats[7]!, kernel.stats[8]!];
    let residual = 0;
    for (let at = 2; at < BLOCKS * VECTOR; at += VECTOR) residual += kernel.vectors[at]!;
    const change = computeCutScore({
      residual: residual / PIXELS,
      contrast: (now.contrast + then.contrast) / 2,
      correlate: correlation(now, then, product, QUARTER_PIXELS),
    });
    const cut = shots.addFrame(kernel.quarters[slot]!, now, timeS, change);
    const motion = change >= CHANGED ? STILL : fitMotion(kernel.vectors);
    const local = localMotion(slot, motion);
    const perSecond = 1 / (timeS - then.timeS);
    columns.difference.push(difference / PIXELS);
    columns.globalX.push((motion.x / WIDTH) * perSecond);
    columns.globalY.push((motion.y / HEIGHT) * perSecond);
    columns.zoom.push(motion.zoom * perSecond);
    columns.roll.push(motion.roll * perSecond);
    columns.advance.push((motion.advance / WIDTH) * perSecond);
    columns.localMotion.push(change >= CHANGED ? 0 : local.share);
    for (const share of local.regions) columns.regions.push(change >= CHANGED ? 0 : share);
    return { motion, cut, moving: change >= CHANGED ? NO_BLOCKS : local.moving };
  }

  function addFirstFrame(now: Sums, timeS: number): FrameStep {
    shots.addFrame(kernel.quarters[slot]!, now, timeS, 0);
    const { difference, globalX, globalY, zoom, roll, advance, localMotion: local, regions } = columns;
    for (const column of [difference, globalX, globalY, zoom, roll, advance, local]) column.push(0);
    for (let region = 0; region < REGIONS; region++) regions.push(0);
    return { motion: STILL, cut: 0, moving: NO_BLOCKS };
  }

  return {
    addFrame(frame, timeS, pts) {
      kernel.slots[slot]!.set(frame);
      kernel.ingest(slot);
      const { stats } = kernel;
      const luma = stats[0]! / PIXELS;
      const contrast = Math.sqrt(Math.max(0, stats[1]! / PIXELS - luma * luma));
      time.push(timeS);
      stamps.push(pts);
      columns.luma.push(luma);
      columns.contrast.push(contrast);
      columns.dark.push(stats[2]! / PIXELS);
      columns.bright.push(stats[3]! / PIXELS);
      columns.sharpness.push(stats[4]! / LAPLACIAN_PIXELS);
      const now = { sum: stats[6]!, squares: stats[5]!, contrast };
      const step = previous ? compareFrames(now, previous, timeS) : addFirstFrame(now, timeS);
      previous = { ...now, timeS };
      slot = 1 - slot;
      return step;
    },
    addColorFrame: colors.addFrame,
    finish: () => ({
      timeS: time.toArray(),
      pts: stamps.toArray(),
      luma: columns.luma.toArray(),
      contrast: columns.contrast.toArray(),
      dark: columns.dark.toArray(),
      bright: columns.bright.toArray(),
      sharpness: columns.sharpness.toArray(),
      difference: columns.difference.toArray(),
      ...shots.finish(),
      ...colors.finish(),
      globalX: columns.globalX.toArray(),
      globalY: columns.globalY.toArray(),
      zoom: columns.zoom.toArray(),
      roll: columns.roll.toArray(),
      advance: columns.advance.toArray(),
      localMotion: columns.localMotion.toArray(),
      regions: columns.regions.toArray(),
      regionRows: REGION_ROWS,
      regionColumns: REGION_COLUMNS,
    }),
  };
}
