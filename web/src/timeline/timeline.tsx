import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Storyboard } from '#player/storyboard.ts';
import { eventAt } from './drawing/bars.ts';
import { type Clock, RULER_PX, useCanvas, usePlayhead } from './drawing/canvas.ts';
import { FROM_START, type TimeScale } from './drawing/ticks.ts';
import { EventList } from './event-list.tsx';
import { attachGestures } from './gestures.ts';
import { type Hover, HoverCard } from './hover-card.tsx';
import { LaneNames } from './lane-names.tsx';
import { type Lane, type LaneEvent, laneAt, laneTops } from './lanes.ts';
import { Minimap } from './minimap.tsx';
import { KEY_ZOOM, toTime } from './scale.ts';
import { Viewport } from './viewport.ts';
import { ZoomControls } from './zoom-controls.tsx';

export type TimelineProps = {
  /** Duration in seconds and frames per second. */
  duration: number;
  frameRate: number;
  lanes: readonly Lane[];
  /** True while events and observations may still be loaded: the timeline does not say that there are none. */
  isLoading: boolean;
  clock: Clock;
  /** The notation of times; default: from the start of the video. */
  scale?: TimeScale;
  marks: { in?: number | undefined; out?: number | undefined };
  selected: string | undefined;
  storyboard: Storyboard | null;
  onSeek: (time: number) => void;
  onSelect: (event: LaneEvent) => void;
  /** Called with the shown range after it rested, in seconds. */
  onRange?: (start: number, end: number) => void;
  /** Beside the zoom, such as the choice of rows. */
  options?: ReactNode;
};

const KEY_PAN = 0.25;
/** Time without gestures before more detail is loaded. */
const REST_MS = 250;

/** Events and observations over the time of a video, on a canvas. Draws what is visible, without rendering by React. */
export function Timeline(props: TimelineProps) {
  const { duration, frameRate, lanes, isLoading, clock, scale = FROM_START, selected, storyboard } = props;
  const { onSeek, onSelect, onRange, options } = props;
  const { t } = useLingui();
  const [viewport] = useState(() => new Viewport());
  const [hover, setHover] = useState<Hover | null>(null);
  const [focused, setFocused] = useState<LaneEvent | null>(null);
  const surface = useRef<HTMLDivElement>(null);
  const tops = useMemo(() => laneTops(lanes), [lanes]);
  useCanvas(viewport, surface, { ...props, scale, tops, focused: focused?.id });
  usePlayhead(viewport, surface, clock, scale);

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
      <div className="grid grid-cols-[132px_minmax(0,1fr)] border-b sm:grid-cols-[164px_minmax(0,1fr)] xl:grid-cols-[228px_minmax(0,1fr)]">
        <ZoomControls viewport={viewport} clock={clock} duration={duration} format={scale.format}>
          {options}
        </ZoomControls>
        <Minimap viewport={viewport} lanes={lanes} duration={duration} clock={clock} />
      </div>
      <div className="relative grid min-h-0 grid-cols-[132px_minmax(0,1fr)] overflow-y-auto overflow-x-hidden sm:grid-cols-[164px_minmax(0,1fr)] xl:grid-cols-[228px_minmax(0,1fr)]">
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
          {lanes.length === 0 && !isLoading && (
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
      {hover && (
        <HoverCard hover={hover} lanes={lanes} viewport={viewport} storyboard={storyboard} format={scale.format} />
      )}
      <EventList
        lanes={lanes}
        format={scale.format}
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
