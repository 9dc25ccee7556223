import { type ColumnReader, createColumn, createColumnLog, float32, float64, type SavedColumns } from '../columns.ts';
import { PassDiffers, type SavedPass, type SavedRange } from '../resume.ts';
import { createColorCollector } from './color.ts';
import { computeCutScore, correlation } from './cut-score.ts';
import { createMotionFit, type GlobalMotion, STILL } from './global-motion.ts';
import { BLOCKS, HEIGHT, loadKernel, QUARTER_PIXELS, VECTOR, WIDTH } from './kernel.ts';
import { createLocalMotionDetector, REGION_COLUMNS, REGION_ROWS, REGIONS } from './local-motion.ts';
import type { Signals } from './observation.ts';
import { type AddedShots, createShotBoundaryDetector, type ShotsState } from './shot-boundaries.ts';

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
  /** Compares a frame with what an earlier collector saw of it. Throws `PassDiffers` if it is another one. */
  compareFrame(frame: Uint8Array, timeS: number): void;
  /** The signals since the last call, and what later ones depend on. */
  save(): SavedRange<AddedSignals, SignalsState>;
  /** Time of the last frame in seconds. */
  untilS(): number;
  /** A copy of the signals so far; more frames may follow. */
  copy(): Signals;
  finish(): Signals;
};

export type AddedSignals = { frames: SavedColumns; colors: SavedColumns; shots: AddedShots };
export type SignalsState = { frame: Uint8Array; previous: (Sums & { timeS: number }) | null; shots: ShotsState };

/** Change from one frame to the next. */
export type FrameStep = {
  /** Motion of the whole frame in pixels of the analysis frame. */
  motion: GlobalMotion;
  /** Change of content, as in `Signals.cut`. */
  cut: number;
  /** 1 for each block of `COLUMNS × ROWS` with a motion of its own. Valid until the next call. */
  moving: Uint8Array;
};

/** Measures of single frames. */
const MEASURES = ['luma', 'contrast', 'dark', 'bright', 'sharpness'] as const;
const NO_BLOCKS: Uint8Array = new Uint8Array(BLOCKS);
const PIXELS = WIDTH * HEIGHT;
/** The sum of the squared Laplacian covers every second row, without borders. */
const LAPLACIAN_PIXELS = (HEIGHT / 2 - 1) * (WIDTH - 32);
/** Cut score from which no motion is estimated. */
const CHANGED = 50;

type Sums = { sum: number; squares: number; contrast: number };

/** Continues what an earlier collector saved. */
export function createSignalsCollector(saved: SavedPass<AddedSignals, SignalsState> | null = null): SignalsCollector {
  const kernel = loadKernel();
  const fitMotion = createMotionFit();
  const localMotion = createLocalMotionDetector(kernel);
  const shots = createShotBoundaryDetector(
    kernel,
    saved && { added: saved.added.map(({ shots }) => shots), state: saved.state.shots },
  );
  const colors = createColorCollector(saved?.added.map((range) => range.colors));
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
  const log = createColumnLog({ time, stamps, ...columns });
  if (saved) log.restore(saved.added.map(({ frames }) => frames));
  let slot = 0;
  let previous: (Sums & { timeS: number }) | null = null;
  /** Index of the next frame that is compared with those of an earlier collector; null once there are none. */
  let comparing: { timeS: Float64Array; at: number; compared: boolean } | null = null;
  if (saved) {
    previous = saved.state.previous;
    kernel.slots[1 - slot]!.set(saved.state.frame);
    kernel.ingest(1 - slot);
    comparing = { timeS: time.from(0), at: 0, compared: false };
  }

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

  /** Measures a frame by itself. */
  function measure(frame: Uint8Array) {
    kernel.slots[slot]!.set(frame);
    kernel.ingest(slot);
    const { stats } = kernel;
    const luma = stats[0]! / PIXELS;
    const contrast = Math.sqrt(Math.max(0, stats[1]! / PIXELS - luma * luma));
    const [dark, bright, sharpness] = [stats[2]! / PIXELS, stats[3]! / PIXELS, stats[4]! / LAPLACIAN_PIXELS];
    return { measured: { luma, contrast, dark, bright, sharpness }, sums: { sum: stats[6]!, squares: stats[5]! } };
  }

  const collect = (read: ColumnReader): Signals => ({
    timeS: read(time),
    pts: read(stamps),
    luma: read(columns.luma),
    contrast: read(columns.contrast),
    dark: read(columns.dark),
    bright: read(columns.bright),
    sharpness: read(columns.sharpness),
    difference: read(columns.difference),
    ...shots.finish(),
    ...colors.collect(read),
    globalX: read(columns.globalX),
    globalY: read(columns.globalY),
    zoom: read(columns.zoom),
    roll: read(columns.roll),
    advance: read(columns.advance),
    localMotion: read(columns.localMotion),
    regions: read(columns.regions),
    regionRows: REGION_ROWS,
    regionColumns: REGION_COLUMNS,
  });

  return {
    addFrame(frame, timeS, pts) {
      if (comparing && (!comparing.compared || comparing.at < comparing.timeS.length)) throw new PassDiffers();
      comparing = null;
      const { measured, sums } = measure(frame);
      time.push(timeS);
      stamps.push(pts);
      for (const name of MEASURES) columns[name].push(measured[name]);
      const now = { ...sums, contrast: measured.contrast };
      const step = previous ? compareFrames(now, previous, timeS) : addFirstFrame(now, timeS);
      previous = { ...now, timeS };
      slot = 1 - slot;
      return step;
    },
    addColorFrame: colors.addFrame,
    compareFrame(frame, timeS) {
      if (!comparing) throw new PassDiffers();
      const { timeS: times } = comparing;
      // The pass may begin at a later frame, and take fewer than all.
      while (!comparing.compared && times[comparing.at]! < timeS) comparing.at++;
      if (times[comparing.at] !== timeS) return;
      const { measured } = measure(frame);
      if (MEASURES.some((name) => columns[name].at(comparing!.at) !== Math.fround(measured[name])))
        throw new PassDiffers();
      comparing.at++;
      comparing.compared = true;
    },
    save() {
      const { added, state } = shots.save();
      return {
        added: { frames: log.save(), colors: colors.save(), shots: added },
        state: { frame: kernel.slots[1 - slot]!.slice(), previous, shots: state },
      };
    },
    untilS: () => previous?.timeS ?? 0,
    copy: () => collect((column) => column.from(0)),
    finish: () => collect((column) => column.toArray()),
  };
}
