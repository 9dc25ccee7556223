import { type RefObject, useEffect, useRef } from 'react';
import { useShownTheme } from '#frame/theme.ts';
import type { Lane } from '../lanes.ts';
import { toX } from '../scale.ts';
import type { Viewport } from '../viewport.ts';
import { drawLanes, drawRuler, prepare } from './draw.ts';
import { readPalette } from './palette.ts';
import { type TimeScale, ticks } from './ticks.ts';

/** Height of the ruler in CSS pixels. */
export const RULER_PX = 26;

/** The clock of a player. */
export type Clock = { time: () => number; onTime: (listener: (time: number) => void) => () => void };

/** Content of the canvas. `tops` has the upper edge of each row, and the lower edge of the last one. */
type Scene = {
  lanes: readonly Lane[];
  tops: readonly number[];
  frameRate: number;
  marks: { in?: number | undefined; out?: number | undefined };
  selected: string | undefined;
  focused: string | undefined;
  scale: TimeScale;
};

/** Keeps the canvas up to date: once per frame of the display, if something changed. */
export function useCanvas(viewport: Viewport, surface: RefObject<HTMLDivElement | null>, scene: Scene): void {
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
      const { lanes, tops, frameRate, marks, selected, focused, scale } = latest.current;
      if (view.width === 0) return;
      const all = ticks(view, frameRate, scale);
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
export function usePlayhead(
  viewport: Viewport,
  surface: RefObject<HTMLDivElement | null>,
  clock: Clock,
  { format }: TimeScale,
): void {
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
      const text = format(time, 0);
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
  }, [viewport, surface, clock, format]);
}
