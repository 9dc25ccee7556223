import { useLingui } from '@lingui/react/macro';
import type { EventSummary } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { Player } from '#player/player.ts';
import { drawTile, type Storyboard } from '#player/storyboard.ts';
import { useTime } from '#player/use-player.ts';
import { storyboardQuery } from '#rooms/videos/video/queries.ts';
import { clipRange } from './clip-player.tsx';

const TILES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** The seconds around an event as images, with its edges and the playhead. A click shows that time. */
export function EdgeStrip({ event, player }: { event: EventSummary; player: Player }) {
  const { t } = useLingui();
  const { data: storyboard } = useQuery(storyboardQuery(event.video_id));
  const playhead = useRef<HTMLDivElement>(null);
  const { in: from, out: to } = clipRange(event, event.video_duration_s);
  const length = Math.max(0.001, to - from);
  const toPercent = (time: number) => Math.min(100, Math.max(0, ((time - from) / length) * 100));
  const show = useCallback(
    (time: number) => {
      if (playhead.current)
        playhead.current.style.left = `${Math.min(100, Math.max(0, ((time - from) / length) * 100))}%`;
    },
    [from, length],
  );
  useTime(player, show);
  const [left, right] = [toPercent(event.start_s), toPercent(event.end_s)];
  return (
    <div className="relative h-12 shrink-0 overflow-hidden rounded-md border bg-raise sm:h-16">
      <button
        type="button"
        tabIndex={-1}
        aria-label={t`Time in the clip`}
        className="absolute inset-0 flex size-full cursor-crosshair"
        onClick={({ clientX, currentTarget }) => {
          const { left: x, width } = currentTarget.getBoundingClientRect();
          player.pause();
          player.seek(from + ((clientX - x) / width) * length);
        }}
      >
        {TILES.map((tile) => (
          <Tile key={tile} storyboard={storyboard ?? null} time={from + ((tile + 0.5) / TILES.length) * length} />
        ))}
      </button>
      <div
        aria-hidden
        className="pointer-events-none absolute inset-y-0 rounded-md border-2 border-lane-1 bg-lane-1/25"
        style={{ left: `${left}%`, width: `${Math.max(0.5, right - left)}%` }}
      />
      <div ref={playhead} aria-hidden className="pointer-events-none absolute inset-y-0 w-0.5 bg-accent" />
    </div>
  );
}

function Tile({ storyboard, time }: { storyboard: Storyboard | null; time: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (storyboard) drawTile(canvas.current!, storyboard, time);
  }, [storyboard, time]);
  return <canvas ref={canvas} aria-hidden className="h-full min-w-0 flex-1 object-cover opacity-70" />;
}
