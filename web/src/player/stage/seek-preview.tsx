import { useEffect, useRef } from 'react';
import type { Player } from '../player.ts';
import { drawTile, type Storyboard } from '../storyboard.ts';

/** Other frames in place of one this near would only flicker. */
const LEAST_DISTANCE_S = 1;

/**
 * Covers the video until its element shows the frame of a seek: with the storyboard's frame, the keyframe before it,
 * and the frame itself.
 */
export function SeekPreview({ player, storyboard }: { player: Player; storyboard: Storyboard | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    let shown = 0;
    let isFar = false;
    const ends = [
      player.onSeek((target) => {
        if (target === null) {
          element.hidden = true;
          shown = player.time();
          return;
        }
        isFar = Math.abs(target - shown) >= LEAST_DISTANCE_S;
        delete element.dataset.frame;
        if (!isFar || !storyboard) return;
        drawTile(element, storyboard, target);
        element.hidden = false;
      }),
      player.onFrame((frame, isExact) => {
        if (!isExact && !isFar) return;
        drawFrame(element, frame);
        element.hidden = false;
        if (!isExact) return;
        shown = frame.timestamp / 1e6;
        element.dataset.frame = String(shown);
      }),
      player.onTime((time) => {
        if (element.hidden) shown = time;
      }),
    ];
    return () => {
      for (const end of ends) end();
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

function drawFrame(canvas: HTMLCanvasElement, frame: VideoFrame): void {
  const { displayWidth: width, displayHeight: height } = frame;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(frame, 0, 0, width, height);
}
