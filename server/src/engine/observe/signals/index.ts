import { createColumn, float32, float64 } from '../columns.ts';
import { createColors } from './color.ts';
import { correlation, cutScore } from './cut.ts';
import { BLOCKS, HEIGHT, loadKernel, QUARTER_PIXELS, VECTOR, WIDTH } from './kernel.ts';
import { createLocalMotion, REGION_COLUMNS, REGION_ROWS, REGIONS } from './local-motion.ts';
import { createMotionFit, type GlobalMotion, STILL } from './motion.ts';
import type { Signals } from './observation.ts';
import { createShots } from './shots.ts';

export { COLOR_EVERY_S, COLOR_HEIGHT, COLOR_WIDTH } from './color.ts';
export { HEIGHT, WIDTH } from './kernel.ts';

/**
 * The signals observer: figures of each frame's grey picture of `WIDTH × HEIGHT` and of its difference to the one before. The pixels are
 * looked at by the compiled kernel; everything here is sums and a few hundred blocks.
 */
export type SignalsObserver = {
  /** Takes the next frame. Returns what happened since the one before. */
  take(picture: Uint8Array, timeS: number, pts: number): FrameStep;
  /** Takes a picture in colour, `COLOR_WIDTH × COLOR_HEIGHT` RGB pixels, every `COLOR_EVERY_S` or so. */
  takeColor(rgb: Uint8Array, timeS: number): void;
  finish(): Signals;
};

/** What happened from one frame to the next. */
export type FrameStep = {
  /** How the picture as a whole moved, in pixels of the analysis picture. */
  motion: GlobalMotion;
  /** How different the content is, as in `Signals.cut`. */
  cut: number;
  /** 1 for each block of `COLUMNS × ROWS` that moves otherwise than the whole. Valid until the next call. */
  moving: Uint8Array;
};

const NOTHING: Uint8Array = new Uint8Array(BLOCKS);
const PIXELS = WIDTH * HEIGHT;
/** Sum of the squared Laplacian is over every second row, without borders. */
const LAPLACIAN_PIXELS = (HEIGHT / 2 - 1) * (WIDTH - 32);
/** A change in which no motion is looked for. */
const CHANGED = 50;

type Sums = { sum: number; squares: number; contrast: number };

export function createSignalsObserver(): SignalsObserver {
  const kernel = loadKernel();
  const fitMotion = createMotionFit();
  const localMotion = createLocalMotion(kernel);
  const shots = createShots(kernel);
  const colors = createColors();
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
  let before: (Sums & { timeS: number }) | null = null;

  function compare(now: Sums, then: Sums & { timeS: number }, timeS: number): FrameStep {
    kernel.match(slot);
    const [difference, product] = [kernel.stats[7]!, kernel.stats[8]!];
    let residual = 0;
    for (let at = 2; at < BLOCKS * VECTOR; at += VECTOR) residual += kernel.vectors[at]!;
    const change = cutScore({
      residual: residual / PIXELS,
      contrast: (now.contrast + then.contrast) / 2,
      correlation: correlation(now, then, product, QUARTER_PIXELS),
    });
    const cut = shots.take(kernel.quarters[slot]!, now, timeS, change);
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
    return { motion, cut, moving: change >= CHANGED ? NOTHING : local.moving };
  }

  function compareWithNothing(now: Sums, timeS: number): FrameStep {
    shots.take(kernel.quarters[slot]!, now, timeS, 0);
    const { difference, globalX, globalY, zoom, roll, advance, localMotion: local, regions } = columns;
    for (const column of [difference, globalX, globalY, zoom, roll, advance, local]) column.push(0);
    for (let region = 0; region < REGIONS; region++) regions.push(0);
    return { motion: STILL, cut: 0, moving: NOTHING };
  }

  return {
    take(picture, timeS, pts) {
      kernel.slots[slot]!.set(picture);
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
      const step = before ? compare(now, before, timeS) : compareWithNothing(now, timeS);
      before = { ...now, timeS };
      slot = 1 - slot;
      return step;
    },
    takeColor: colors.take,
    finish: () => ({
      timeS: time.done(),
      pts: stamps.done(),
      luma: columns.luma.done(),
      contrast: columns.contrast.done(),
      dark: columns.dark.done(),
      bright: columns.bright.done(),
      sharpness: columns.sharpness.done(),
      difference: columns.difference.done(),
      ...shots.finish(),
      ...colors.finish(),
      globalX: columns.globalX.done(),
      globalY: columns.globalY.done(),
      zoom: columns.zoom.done(),
      roll: columns.roll.done(),
      advance: columns.advance.done(),
      localMotion: columns.localMotion.done(),
      regions: columns.regions.done(),
      regionRows: REGION_ROWS,
      regionColumns: REGION_COLUMNS,
    }),
  };
}
