import { useLingui } from '@lingui/react/macro';
import { Maximize2, Minimize2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '#ui/controls/button.tsx';
import { formatNumber } from '#ui/format/format.ts';
import type { Clock } from '../drawing/canvas.ts';
import { drawTrack, type GeoTrack, pointAt, scaleBar } from './geo.ts';

const WIDTH = 200;
const HEIGHT = 140;
const MARGIN = 18;
const BAR_PX = 60;

/** Where the video was recorded: its track without a map, north up, with the position of the shown frame. */
export function GpsTrack({ track, clock, onSeek }: { track: GeoTrack; clock: Clock; onSeek: (time: number) => void }) {
  const { t } = useLingui();
  const [isLarge, setLarge] = useState(false);
  const dot = useRef<SVGCircleElement>(null);
  const drawn = useMemo(() => drawTrack(track, WIDTH, HEIGHT, MARGIN), [track]);
  useEffect(() => {
    const place = (time: number) => {
      const point = pointAt(track.times, drawn.points, time);
      if (!point) return;
      dot.current?.setAttribute('cx', String(point.x));
      dot.current?.setAttribute('cy', String(point.y));
    };
    place(clock.time());
    return clock.onTime(place);
  }, [track, drawn, clock]);

  const onClick = (event: React.MouseEvent<SVGSVGElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * WIDTH;
    const y = ((event.clientY - top) / height) * HEIGHT;
    let nearest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const [index, point] of drawn.points.entries()) {
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance < least) [least, nearest] = [distance, index];
    }
    onSeek(track.times[nearest] ?? 0);
  };
  const bar = scaleBar(drawn.metersPerPixel, BAR_PX);
  const label =
    bar.meters >= 1000
      ? formatNumber(bar.meters / 1000, { style: 'unit', unit: 'kilometer' })
      : formatNumber(bar.meters, { style: 'unit', unit: 'meter' });
  return (
    <div className={isLarge ? 'relative w-[min(28rem,60cqw)]' : 'relative w-50 2xl:w-72'}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the timeline seeks by keyboard. */}
      <svg
        role="img"
        aria-label={t`Track of the recording, north up`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="block w-full cursor-crosshair"
        onClick={onClick}
      >
        <path
          d={drawn.points
            .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
            .join('')}
          className="fill-none stroke-lane-4"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
        <circle ref={dot} r="4.5" className="fill-accent stroke-panel" strokeWidth="2" />
        <path d={`M8 ${HEIGHT - 10}v4h${bar.width.toFixed(1)}v-4`} className="fill-none stroke-ink-3" />
        <text x={12} y={HEIGHT - 11} className="num fill-ink-2 text-[10px]">
          {label}
        </text>
        <path d={`M${WIDTH - 12} 8l4 9-4-2-4 2z`} className="fill-ink-3" />
      </svg>
      <IconButton
        icon={isLarge ? Minimize2 : Maximize2}
        label={isLarge ? t`Smaller map` : t`Larger map`}
        className="absolute right-1 bottom-1 h-6 w-6"
        onClick={() => setLarge(!isLarge)}
      />
    </div>
  );
}
