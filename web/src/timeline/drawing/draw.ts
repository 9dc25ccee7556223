import {
  type CoverageLane,
  type EventLane,
  LANE_HEIGHTS,
  type Lane,
  type MarksLane,
  type SeriesLane,
} from '../lanes.ts';
import { toX, type View } from '../scale.ts';
import { type Bar, skyline, visibleBars, visibleColumns } from './bars.ts';
import { hatch, lanePattern, type Palette } from './palette.ts';
import type { Tick } from './ticks.ts';

/** State of the canvas besides the rows themselves. */
export type Scene = {
  context: CanvasRenderingContext2D;
  view: View;
  palette: Palette;
  selected: string | undefined;
  focused: string | undefined;
  marks: { in?: number | undefined; out?: number | undefined };
};

const TAU = 2 * Math.PI;
const LABEL_FONT = '11px "JetBrains Mono Variable", ui-monospace, monospace';

/** Sizes a canvas for the display and returns its context in CSS pixels, cleared. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

export function drawRuler(context: CanvasRenderingContext2D, view: View, all: readonly Tick[], palette: Palette): void {
  context.font = LABEL_FONT;
  context.textBaseline = 'middle';
  for (const { time, label } of all) {
    const x = Math.round(toX(view, time)) + 0.5;
    context.fillStyle = palette.line;
    context.fillRect(x, label === null ? 19 : 14, 1, 10);
    if (label === null) continue;
    context.fillStyle = palette.muted;
    context.fillText(label, x + 5, 12);
  }
}

/** Draws the visible part of all rows, from the top of the canvas on. */
export function drawLanes(scene: Scene, lanes: readonly Lane[], tops: readonly number[], all: readonly Tick[]): void {
  const { context, view, palette } = scene;
  const height = tops.at(-1)!;
  context.fillStyle = palette.line;
  for (const { time, label } of all) {
    context.globalAlpha = label === null ? 0.35 : 0.9;
    context.fillRect(Math.round(toX(view, time)), 0, 1, height);
  }
  context.globalAlpha = 1;
  for (const [index, lane] of lanes.entries()) {
    const top = tops[index]!;
    context.fillStyle = palette.line;
    context.fillRect(0, tops[index + 1]! - 1, view.width, 1);
    if (lane.kind === 'events') drawEvents(scene, lane, top);
    else if (lane.kind === 'series') drawSeries(scene, lane, top);
    else if (lane.kind === 'marks') drawInstants(scene, lane, top);
    else drawCoverage(scene, lane, top);
  }
  drawOutside(scene, height);
}

/** Opacity of events that may be withdrawn. */
const PRELIMINARY_ALPHA = 0.2;
/** With more bars per pixel, their outlines cannot be distinguished. */
const DENSE = 1 / 6;
/** Height of a bar of full confidence, and that of one without any. */
const BAR_PX = [22, 7] as const;

function drawEvents(scene: Scene, { events, color, isPreliminary }: EventLane, top: number): void {
  const { context, view, palette, selected, focused } = scene;
  const bars = visibleBars(events, view);
  const base = top + LANE_HEIGHTS.events - 4;
  const path = bars.length > view.width * DENSE ? skylinePath(bars, view.width, base) : barPath(bars, base);
  const outlined = bars.filter(({ event: { id } }) => id === selected || id === focused);
  context.fillStyle = palette.lanes[color]!;
  context.globalAlpha = isPreliminary ? PRELIMINARY_ALPHA : 0.75;
  context.fill(path);
  if (isPreliminary) outlineDashed(context, path, palette.lanes[color]!);
  context.globalAlpha = 0.32;
  const pattern = lanePattern(color, palette.bg, context);
  if (pattern && !isPreliminary) {
    context.fillStyle = pattern;
    context.fill(path);
  }
  context.globalAlpha = 1;
  for (const bar of outlined) {
    const height = barHeight(bar);
    context.fillStyle = palette.lanes[color]!;
    context.beginPath();
    context.roundRect(bar.x, base - height, bar.width, height, 3);
    context.fill();
    context.strokeStyle = bar.event.id === focused ? palette.accent : palette.ink;
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(bar.x - 2, base - height - 2, bar.width + 4, height + 4, 4);
    context.stroke();
  }
}

function outlineDashed(context: CanvasRenderingContext2D, path: Path2D, color: string): void {
  context.globalAlpha = 1;
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.setLineDash([3, 2]);
  context.stroke(path);
  context.setLineDash([]);
}

function barPath(bars: readonly Bar[], base: number): Path2D {
  const path = new Path2D();
  for (const bar of bars) {
    const height = barHeight(bar);
    path.roundRect(bar.x, base - height, bar.width, height, Math.min(3, bar.width / 3));
  }
  return path;
}

/** The outline of all bars as one shape: thousands that overlap take longer to fill than a frame lasts. */
function skylinePath(bars: readonly Bar[], width: number, base: number): Path2D {
  const path = new Path2D();
  const heights = skyline(bars, width, barHeight);
  path.moveTo(0, base);
  for (const [x, height] of heights.entries()) {
    if (height === heights[x - 1]) continue;
    path.lineTo(x, base - (heights[x - 1] ?? 0));
    path.lineTo(x, base - height);
  }
  path.lineTo(heights.length, base - (heights.at(-1) ?? 0));
  path.lineTo(heights.length, base);
  return path;
}

const barHeight = ({ confidence }: Bar): number => BAR_PX[1] + (BAR_PX[0] - BAR_PX[1]) * confidence;

function drawSeries(scene: Scene, lane: SeriesLane, top: number): void {
  const { context, view, palette } = scene;
  const { xs, low, high } = visibleColumns(lane.series, view);
  const room = LANE_HEIGHTS.series - 8;
  const base = top + LANE_HEIGHTS.series - 4;
  const span = lane.max - lane.min || 1;
  const y = (value: number) => base - Math.min(1, Math.max(0, (value - lane.min) / span)) * room;
  context.strokeStyle = context.fillStyle = palette.lanes[lane.color]!;
  if (lane.shape === 'wave') {
    // As loud as it is, around the middle.
    const middle = top + LANE_HEIGHTS.series / 2;
    context.globalAlpha = 0.7;
    for (const [index, x] of xs.entries()) {
      const half = (base - y(high[index]!)) / 2;
      const next = xs[index + 1] ?? x + 2;
      if (half >= 0)
        context.fillRect(x, middle - Math.max(0.5, half), Math.max(1, (next - x) * 0.7), Math.max(1, half * 2));
    }
    context.globalAlpha = 1;
    return;
  }
  const line = new Path2D();
  const area = new Path2D();
  let previous: number | null = null;
  for (const [index, x] of xs.entries()) {
    const value = high[index]!;
    if (Number.isNaN(value)) {
      if (previous !== null) area.lineTo(xs[previous]!, base);
      previous = null;
      continue;
    }
    const next = Math.min(view.width, xs[index + 1] ?? view.width);
    if (previous === null) {
      line.moveTo(x, y(value));
      area.moveTo(x, base);
    }
    line.lineTo(x, y(value));
    area.lineTo(x, y(value));
    if (low[index]! < value) {
      line.lineTo(x, y(low[index]!));
      line.moveTo(x, y(value));
    }
    if (lane.shape === 'steps') {
      line.lineTo(next, y(value));
      area.lineTo(next, y(value));
    }
    previous = index;
  }
  if (previous !== null) area.lineTo(lane.shape === 'steps' ? view.width : xs[previous]!, base);
  if (lane.shape !== 'line') {
    context.globalAlpha = lane.shape === 'area' ? 0.4 : 0.2;
    context.fill(area);
  }
  context.globalAlpha = lane.shape === 'area' ? 0.6 : 1;
  context.lineWidth = 1.4;
  context.stroke(line);
  context.globalAlpha = 1;
}

function drawInstants({ context, view, palette }: Scene, { times, color }: MarksLane, top: number): void {
  const middle = top + LANE_HEIGHTS.marks / 2;
  context.fillStyle = palette.lanes[color]!;
  let last = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    const x = toX(view, time);
    if (x < -4 || x > view.width + 4 || x - last < 1) continue;
    last = x;
    context.fillRect(x - 0.5, top + 4, 1, LANE_HEIGHTS.marks - 8);
    context.beginPath();
    context.arc(x, middle, 2.5, 0, TAU);
    context.fill();
  }
}

function drawCoverage({ context, view, palette }: Scene, { ranges }: CoverageLane, top: number): void {
  const y = top + LANE_HEIGHTS.coverage / 2 - 4;
  context.fillStyle = palette.muted;
  context.globalAlpha = 0.35;
  context.beginPath();
  context.roundRect(0, y, view.width, 7, 3);
  context.fill();
  context.globalAlpha = 1;
  const patterns = { none: hatch(palette.warn, context), partly: hatch(palette.muted, context) };
  for (const { startS, endS, isPartly } of ranges) {
    if (endS < view.start || startS > view.end) continue;
    const x = Math.max(0, toX(view, startS));
    const width = Math.max(2, Math.min(view.width, toX(view, endS)) - x);
    context.clearRect(x, y - 1, width, 9);
    context.fillStyle = isPartly ? patterns.partly : patterns.none;
    context.fillRect(x, y - 1, width, 9);
  }
}

/** Dims what is outside the marks. */
function drawOutside({ context, view, palette, marks }: Scene, height: number): void {
  const start = marks.in === undefined ? 0 : toX(view, marks.in);
  const end = marks.out === undefined ? view.width : toX(view, marks.out);
  context.fillStyle = palette.bg;
  context.globalAlpha = 0.6;
  if (start > 0) context.fillRect(0, 0, Math.min(start, view.width), height);
  if (end < view.width) context.fillRect(Math.max(0, end), 0, view.width, height);
  context.globalAlpha = 1;
  context.fillStyle = palette.accent;
  if (marks.in !== undefined) context.fillRect(start - 1, 0, 1, height);
  if (marks.out !== undefined) context.fillRect(end, 0, 1, height);
}

/** Draws all events of a video into a small strip. */
export function drawMinimap(
  scene: Pick<Scene, 'context' | 'view' | 'palette'>,
  lanes: readonly Lane[],
  height: number,
) {
  const { context, view, palette } = scene;
  const events = lanes.filter((lane) => lane.kind === 'events');
  const row = (height - 4) / Math.max(1, events.length);
  for (const [index, lane] of events.entries()) {
    context.fillStyle = palette.lanes[lane.color]!;
    for (const bar of visibleBars(lane.events, view)) {
      context.fillRect(bar.x, 2 + index * row, Math.max(1.5, bar.width), Math.max(1, row - 0.5));
    }
  }
  context.fillStyle = hatch(palette.warn, context);
  for (const lane of lanes) {
    if (lane.kind !== 'coverage') continue;
    for (const { startS, endS, isPartly } of lane.ranges) {
      if (isPartly) continue;
      context.fillRect(toX(view, startS), 0, Math.max(1, toX(view, endS) - toX(view, startS)), height);
    }
  }
}
