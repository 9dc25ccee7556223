import { useEffect, useRef } from 'react';
import type { Player } from './player.ts';
import { drawTile, type Storyboard } from './storyboard.ts';

/** Seeks to nearby frames are as fast as the storyboard, which would only flicker. */
const LEAST_DISTANCE_S = 1;

/** The storyboard frame of a seek, over the video until its frame is decoded. */
export function SeekPreview({ player, storyboard }: { player: Player; storyboard: Storyboard | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    if (!storyboard) return;
    let shown = 0;
    const end = player.onSeek((target) => {
      if (target === null) {
        element.hidden = true;
        shown = player.time();
      } else if (!element.hidden || Math.abs(target - shown) >= LEAST_DISTANCE_S) {
        drawTile(element, storyboard, target);
        element.hidden = false;
      }
    });
    const follow = player.onTime((time) => {
      if (element.hidden) shown = time;
    });
    return () => {
      end();
      follow();
      element.hidden = true;
    };
  }, [player, storyboard]);
  return (
    <canvas
      ref={canvas}
      hidden
      aria-hidden
      data-seek-preview=""
      className="pointer-events-none absolute inset-0 size-full bg-black object-contain"
    />
  );
}
