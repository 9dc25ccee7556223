import { useEffect, useRef } from 'react';
import { useShownTheme } from '#frame/theme.ts';
import type { Clock } from './drawing/canvas.ts';
import { drawMinimap, prepare } from './drawing/draw.ts';
import { readPalette } from './drawing/palette.ts';
import type { Lane } from './lanes.ts';
import type { Viewport } from './viewport.ts';

const HEIGHT_PX = 28;

/** The whole video with the shown range; dragging moves the range. */
export function Minimap({
  viewport,
  lanes,
  duration,
  clock,
}: {
  viewport: Viewport;
  lanes: readonly Lane[];
  duration: number;
  clock: Clock;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const range = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const theme = useShownTheme();
  useEffect(() => {
    const element = frame.current!;
    const canvas = element.querySelector('canvas')!;
    const palette = theme && readPalette();
    const draw = () => {
      const width = element.clientWidth;
      const context = prepare(canvas, width, HEIGHT_PX);
      if (context) drawMinimap({ context, view: { start: 0, end: duration, width }, palette }, lanes, HEIGHT_PX);
      place();
    };
    const place = () => {
      const { start, end } = viewport.view();
      const scale = element.clientWidth / viewport.bounds().duration;
      const width = Math.max(6, (end - start) * scale);
      range.current!.style.transform = `translateX(${Math.min(start * scale, element.clientWidth - width)}px)`;
      range.current!.style.width = `${width}px`;
    };
    const move = (time: number) => {
      head.current!.style.transform = `translateX(${(time / Math.max(duration, 0.001)) * element.clientWidth}px)`;
    };
    const resize = new ResizeObserver(draw);
    resize.observe(element);
    const ends = [viewport.subscribe(place), clock.onTime(move)];
    draw();
    move(clock.time());
    return () => {
      resize.disconnect();
      for (const end of ends) end();
    };
  }, [viewport, lanes, duration, clock, theme]);

  const onPointer = (event: React.PointerEvent<HTMLDivElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    else if (event.buttons === 0) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const { start, end } = viewport.view();
    viewport.show(((event.clientX - left) / width) * duration - (end - start) / 2, end - start);
  };
  return (
    <div
      ref={frame}
      aria-hidden
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      className="relative touch-none overflow-hidden"
      style={{ height: HEIGHT_PX }}
    >
      <canvas className="block size-full opacity-80" />
      <div ref={range} className="absolute inset-y-0 left-0 rounded-sm border border-strong-line bg-ink/7" />
      <div ref={head} className="absolute inset-y-0 left-0 w-px bg-accent" />
    </div>
  );
}
