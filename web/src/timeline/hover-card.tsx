import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { drawTile, type Storyboard } from '#player/storyboard.ts';
import { formatShare } from '#ui/format/format.ts';
import { eventAt, valueAt } from './drawing/bars.ts';
import type { TimeScale } from './drawing/ticks.ts';
import type { Lane } from './lanes.ts';
import { secondsPerPixel, toX } from './scale.ts';
import type { Viewport } from './viewport.ts';

/** Where the pointer is: seconds, index of the lane (-1: none), and CSS pixels in the timeline and in the window. */
export type Hover = { time: number; lane: number; x: number; left: number; top: number };

const WIDTH_PX = 176;
const MARGIN_PX = 8;

/** The storyboard frame at the pointer, and what its lane shows there. */
export function HoverCard({
  hover,
  lanes,
  viewport,
  storyboard,
  format,
}: {
  hover: Hover;
  lanes: readonly Lane[];
  viewport: Viewport;
  storyboard: Storyboard | null;
  format: TimeScale['format'];
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (storyboard && canvas.current) drawTile(canvas.current, storyboard, hover.time);
  }, [storyboard, hover.time]);
  const lane = lanes[hover.lane];
  const left = Math.min(Math.max(MARGIN_PX, hover.left - WIDTH_PX / 2), window.innerWidth - WIDTH_PX - MARGIN_PX);
  return (
    <div
      aria-hidden
      data-hover-card=""
      className="pointer-events-none fixed z-30 overflow-hidden rounded-md bg-panel shadow-float"
      style={{ left, bottom: window.innerHeight - hover.top + 6, width: WIDTH_PX }}
    >
      {storyboard && <canvas ref={canvas} className="block w-full bg-black" />}
      <div className="num grid gap-0.5 px-2 py-1 text-sm">
        <span className="font-mono">{format(hover.time, decimals(viewport))}</span>
        {lane && <span className="truncate text-ink-2">{laneText(lane, hover, viewport, format)}</span>}
        {lane?.kind === 'events' && lane.isPreliminary && <Trans>preliminary</Trans>}
      </div>
    </div>
  );
}

const decimals = (viewport: Viewport): number => (secondsPerPixel(viewport.view()) < 0.01 ? 3 : 1);

/** Value of a row at the pointer. */
function laneText(lane: Lane, { time, x }: Hover, viewport: Viewport, format: TimeScale['format']): string {
  const view = viewport.view();
  if (lane.kind === 'events') {
    const event = eventAt(lane.events, view, x);
    return event ? `${event.label} · ${formatShare(event.confidence)}` : lane.name;
  }
  if (lane.kind === 'series') {
    const value = valueAt(lane.series, time);
    return value ? `${lane.name} · ${lane.format(value.high)}` : `${lane.name} · –`;
  }
  if (lane.kind === 'marks') {
    const near = lane.times.find((each) => Math.abs(toX(view, each) - x) < 5);
    return near === undefined ? lane.name : `${lane.name} · ${format(near, 2)}`;
  }
  const range = lane.ranges.find(({ startS, endS }) => time >= startS && time <= endS);
  return range?.reason ?? lane.name;
}
