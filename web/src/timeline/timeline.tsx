import { Trans, useLingui } from '@lingui/react/macro';
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useShownTheme } from '#frame/theme.ts';
import type { Storyboard } from '#player/storyboard.ts';
import { IconButton } from '#ui/button.tsx';
import { formatNumber, formatShare, formatTime } from '#ui/format.ts';
import { eventAt } from './bars.ts';
import { drawLanes, drawRuler, prepare } from './draw.ts';
import { EventList } from './event-list.tsx';
import { attachGestures } from './gestures.ts';
import { type Hover, HoverCard } from './hover-card.tsx';
import { LANE_HEIGHTS, type Lane, type LaneEvent, laneAt, laneTops } from './lanes.ts';
import { Minimap } from './minimap.tsx';
import { readPalette } from './palette.ts';
import { toTime, toX, zoomLevel } from './scale.ts';
import { Swatch } from './swatch.tsx';
import { ticks } from './ticks.ts';
import { Viewport } from './viewport.ts';

/** The clock of a player. */
export type Clock = { time: () => number; onTime: (listener: (time: number) => void) => () => void };

export type TimelineProps = {
  /** Duration in seconds and frames per second. */
  duration: number;
  frameRate: number;
  lanes: readonly Lane[];
  clock: Clock;
  marks: { in?: number | undefined; out?: number | undefined };
  selected: string | undefined;
  storyboard: Storyboard | null;
  onSeek: (time: number) => void;
  onSelect: (event: LaneEvent) => void;
  /** Called with the shown range after it rested, in seconds. */
  onRange?: (start: number, end: number) => void;
};

const RULER_PX = 26;
const KEY_ZOOM = 1.6;
const KEY_PAN = 0.25;
/** Time without gestures before more detail is loaded. */
const REST_MS = 250;

/** Events and observations over the time of a video, on a canvas. Draws what is visible, without rendering by React. */
export function Timeline(props: TimelineProps) {
  const { duration, frameRate, lanes, clock, selected, storyboard, onSeek, onSelect, onRange } = props;
  const { t } = useLingui();
  const [viewport] = useState(() => new Viewport());
  const [hover, setHover] = useState<Hover | null>(null);
  const [focused, setFocused] = useState<LaneEvent | null>(null);
  const surface = useRef<HTMLDivElement>(null);
  const tops = useMemo(() => laneTops(lanes), [lanes]);
  useCanvas(viewport, surface, { ...props, tops, focused: focused?.id });
  usePlayhead(viewport, surface, clock);

  useEffect(() => viewport.setVideo(duration, frameRate), [viewport, duration, frameRate]);
  useEffect(() => {
    if (!onRange) return;
    let timer = 0;
    const end = viewport.subscribe(() => {
      clearTimeout(timer);
      timer = window.setTimeout(() => onRange(viewport.view().start, viewport.view().end), REST_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [viewport, onRange]);

  const latest = useRef({ lanes, tops, onSeek, onSelect });
  useEffect(() => {
    latest.current = { lanes, tops, onSeek, onSelect };
  });
  useEffect(() => {
    const element = surface.current!;
    const scroller = element.parentElement!;
    const isRuler = (y: number) => y - scroller.scrollTop < RULER_PX;
    const laneIndexAt = (y: number) => (isRuler(y) ? -1 : laneAt(latest.current.tops, y - RULER_PX));
    return attachGestures(element, {
      viewport,
      isRuler,
      scrub: (time) => latest.current.onSeek(Math.max(0, time)),
      click: (x, y) => {
        const lane = latest.current.lanes[laneIndexAt(y)];
        const event = lane?.kind === 'events' ? eventAt(lane.events, viewport.view(), x) : null;
        if (event) latest.current.onSelect(event);
        else latest.current.onSeek(toTime(viewport.view(), x));
      },
      hover: (point) => {
        if (!point) return setHover(null);
        const { left, top } = element.getBoundingClientRect();
        const time = toTime(viewport.view(), point.x);
        setHover({ time, lane: laneIndexAt(point.y), x: point.x, left: left + point.x, top: top + scroller.scrollTop });
      },
    });
  }, [viewport]);

  const onKeyDown = (event: React.KeyboardEvent) => {
    const { width } = viewport.view();
    const run = {
      '+': () => viewport.zoom(KEY_ZOOM),
      '=': () => viewport.zoom(KEY_ZOOM),
      '-': () => viewport.zoom(1 / KEY_ZOOM),
      '0': () => viewport.show(0, duration),
      Home: () => onSeek(0),
      End: () => onSeek(duration),
      PageUp: () => viewport.pan(-width * KEY_PAN),
      PageDown: () => viewport.pan(width * KEY_PAN),
    }[event.key];
    if (!run || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    run();
  };

  return (
    <section aria-label={t`Timeline`} className="flex min-h-0 flex-col border-t" data-timeline="">
      <div className="grid grid-cols-[112px_minmax(0,1fr)] border-b sm:grid-cols-[164px_minmax(0,1fr)]">
        <ZoomControls viewport={viewport} clock={clock} duration={duration} />
        <Minimap viewport={viewport} lanes={lanes} duration={duration} clock={clock} />
      </div>
      <div className="relative grid min-h-0 grid-cols-[112px_minmax(0,1fr)] overflow-y-auto overflow-x-hidden sm:grid-cols-[164px_minmax(0,1fr)]">
        <LaneNames lanes={lanes} />
        <div
          ref={surface}
          role="slider"
          tabIndex={0}
          aria-label={t`Position in the video`}
          aria-valuemin={0}
          aria-valuemax={Math.round(duration * 1000) / 1000}
          aria-valuenow={0}
          onKeyDown={onKeyDown}
          className="relative touch-pan-y overflow-clip outline-offset-[-2px]"
        >
          <canvas
            data-ruler=""
            aria-hidden
            className="sticky top-0 z-10 block w-full bg-bg"
            style={{ height: RULER_PX }}
          />
          <canvas data-lanes="" aria-hidden className="block w-full" style={{ height: tops.at(-1) }} />
          {lanes.length === 0 && (
            <p className="px-3 py-3 text-ink-3">
              <Trans>Events and observations appear here after the first question.</Trans>
            </p>
          )}
          {hover && (
            <div
              aria-hidden
              className="pointer-events-none absolute inset-y-0 left-0 w-px bg-ink-3/60"
              style={{ transform: `translateX(${hover.x}px)` }}
            />
          )}
          <div data-playhead="" aria-hidden className="pointer-events-none absolute inset-y-0 left-0 z-20 w-0">
            <div className="absolute inset-y-0 -left-px w-[1.5px] bg-accent" />
            <svg aria-hidden viewBox="0 0 12 14" className="sticky top-0 -ml-1.5 h-3.5 w-3 fill-accent">
              <path d="M0 0h12v8l-6 6-6-6z" />
            </svg>
          </div>
        </div>
      </div>
      {hover && <HoverCard hover={hover} lanes={lanes} viewport={viewport} storyboard={storyboard} />}
      <EventList
        lanes={lanes}
        selected={selected}
        onFocus={(event) => {
          setFocused(event);
          if (event) viewport.reveal(event.startS);
        }}
        onSelect={onSelect}
      />
    </section>
  );
}

/** Names of the rows, beside the canvas. */
function LaneNames({ lanes }: { lanes: readonly Lane[] }) {
  return (
    <div className="border-r" style={{ paddingTop: RULER_PX }}>
      {lanes.map((lane) => (
        <div
          key={lane.id}
          style={{ height: LANE_HEIGHTS[lane.kind] }}
          className="flex items-center gap-2 pr-2 pl-3 text-ink-2 text-sm sm:pl-4.5"
        >
          <Swatch color={lane.color} />
          <span className="truncate first-letter:uppercase" title={lane.name}>
            {lane.name}
          </span>
          <span className="num ml-auto shrink-0 text-ink-3 text-xs">{laneNote(lane)}</span>
        </div>
      ))}
    </div>
  );
}

function laneNote(lane: Lane): string {
  if (lane.kind === 'events') return formatNumber(lane.events.length);
  if (lane.kind === 'marks') return formatNumber(lane.times.length);
  if (lane.kind === 'coverage') return formatShare(lane.seen);
  if (lane.kind === 'series' && lane.shape !== 'wave' && lane.shape !== 'area') {
    const number = (value: number) => formatNumber(value, { maximumFractionDigits: lane.max - lane.min < 10 ? 1 : 0 });
    return `${number(lane.min)}–${number(lane.max)}`;
  }
  return '';
}

function ZoomControls({ viewport, clock, duration }: { viewport: Viewport; clock: Clock; duration: number }) {
  const { t } = useLingui();
  const slider = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const show = () => {
      const input = slider.current;
      if (!input) return;
      input.value = String(zoomLevel(viewport.view(), viewport.bounds()));
      const { start, end } = viewport.view();
      input.setAttribute('aria-valuetext', `${formatTime(start)} – ${formatTime(end)}`);
    };
    return viewport.subscribe(show);
  }, [viewport]);
  return (
    <div className="flex items-center gap-0.5 border-r px-1.5 sm:px-2.5">
      <IconButton
        icon={Maximize2}
        label={t`Show all`}
        keys="0"
        onClick={() => viewport.show(0, duration)}
        className="h-6 w-6"
      />
      <IconButton
        icon={ZoomOut}
        label={t`Zoom out`}
        keys="-"
        onClick={() => viewport.zoom(1 / KEY_ZOOM)}
        className="h-6 w-6 sm:hidden"
      />
      <IconButton
        icon={ZoomIn}
        label={t`Zoom in`}
        keys="+"
        onClick={() => viewport.zoom(KEY_ZOOM)}
        className="h-6 w-6 sm:hidden"
      />
      <input
        ref={slider}
        type="range"
        aria-label={t`Zoom of the timeline`}
        min={0}
        max={1}
        step={0.01}
        defaultValue={0}
        onInput={(event) => viewport.zoomTo(Number(event.currentTarget.value), clock.time())}
        className="h-6 min-w-0 flex-1 accent-accent max-sm:hidden"
      />
    </div>
  );
}

/** Keeps the canvas up to date: once per frame of the display, if something changed. */
function useCanvas(
  viewport: Viewport,
  surface: React.RefObject<HTMLDivElement | null>,
  scene: TimelineProps & { tops: readonly number[]; focused: string | undefined },
): void {
  const latest = useRef(scene);
  const theme = useShownTheme();
  useEffect(() => {
    latest.current = scene;
    viewport.invalidate();
  });
  useEffect(() => {
    const element = surface.current!;
    // The theme changes the values of the tokens.
    const palette = theme && readPalette();
    const ruler = element.querySelector<HTMLCanvasElement>('[data-ruler]')!;
    const canvas = element.querySelector<HTMLCanvasElement>('[data-lanes]')!;
    const draw = () => {
      const view = viewport.view();
      const { lanes, tops, frameRate, marks, selected, focused } = latest.current;
      if (view.width === 0) return;
      const all = ticks(view, frameRate);
      const head = prepare(ruler, view.width, RULER_PX);
      if (head) drawRuler(head, view, all, palette);
      const context = prepare(canvas, view.width, tops.at(-1)!);
      if (context) drawLanes({ context, view, palette, selected, focused, marks }, lanes, tops, all);
    };
    const resize = new ResizeObserver(() => viewport.setWidth(element.clientWidth));
    resize.observe(element);
    const end = viewport.subscribe(draw);
    viewport.invalidate();
    return () => {
      resize.disconnect();
      end();
    };
  }, [viewport, surface, theme]);
}

/** Moves the playhead, and follows it when it leaves the shown range. */
function usePlayhead(viewport: Viewport, surface: React.RefObject<HTMLDivElement | null>, clock: Clock): void {
  useEffect(() => {
    const element = surface.current!;
    const playhead = element.querySelector<HTMLElement>('[data-playhead]')!;
    let last = clock.time();
    let announced = '';
    const place = () => {
      const view = viewport.view();
      const x = toX(view, clock.time());
      playhead.style.transform = `translateX(${x}px)`;
      playhead.style.visibility = x < -1 || x > view.width + 1 ? 'hidden' : 'visible';
    };
    const move = (time: number) => {
      const { start, end } = viewport.view();
      if (last >= start && last <= end) viewport.reveal(time);
      last = time;
      place();
      const text = formatTime(time, 0);
      if (text === announced) return;
      announced = text;
      element.setAttribute('aria-valuenow', String(Math.round(time * 1000) / 1000));
      element.setAttribute('aria-valuetext', text);
    };
    const ends = [clock.onTime(move), viewport.subscribe(place)];
    move(last);
    return () => {
      for (const end of ends) end();
    };
  }, [viewport, surface, clock]);
}
