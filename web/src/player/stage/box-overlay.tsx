import { useEffect, useRef } from 'react';
import { useShownTheme } from '#frame/theme.ts';
import { formatNumber } from '#ui/format/format.ts';
import type { Player } from '../player.ts';
import type { PlayerState } from '../player-state.ts';
import { type BoxTrack, boxesAt, containedArea } from './boxes.ts';

/** Labels of boxes on a smaller stage do without their confidence. */
const NARROW_PX = 480;
const TWO_DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const FONT = '600 11px "Inter Variable", system-ui, sans-serif';

type ShownPlayer = Pick<Player, 'time' | 'onTime' | 'subscribe'> & {
  state: () => Pick<PlayerState, 'width' | 'height'>;
};

/** Draws the boxes of the presented frame over the video. */
export function BoxOverlay({ player, tracks }: { player: ShownPlayer; tracks: readonly BoxTrack[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useShownTheme();
  useEffect(() => {
    const element = canvas.current!;
    // The theme changes the values of these properties.
    const style = theme && getComputedStyle(document.documentElement);
    const colors = [1, 2, 3, 4, 5, 6].map((lane) => style.getPropertyValue(`--lane-${lane}`));
    const draw = () => drawBoxes(element, player, tracks, colors);
    const resize = new ResizeObserver(draw);
    resize.observe(element);
    const unsubscribe = [player.onTime(draw), player.subscribe(draw)];
    draw();
    return () => {
      resize.disconnect();
      for (const end of unsubscribe) end();
    };
  }, [player, tracks, theme]);
  return <canvas ref={canvas} data-boxes="" aria-hidden className="pointer-events-none absolute inset-0 size-full" />;
}

function drawBoxes(
  element: HTMLCanvasElement,
  player: ShownPlayer,
  tracks: readonly BoxTrack[],
  colors: readonly string[],
): void {
  const { clientWidth, clientHeight } = element;
  const ratio = window.devicePixelRatio;
  const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
  if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
  const context = element.getContext('2d');
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, clientWidth, clientHeight);
  const area = containedArea({ width: clientWidth, height: clientHeight }, player.state());
  context.font = FONT;
  context.textBaseline = 'middle';
  context.lineWidth = 2;
  for (const box of boxesAt(tracks, player.time())) {
    const x = area.x + box.x * area.width;
    const y = area.y + box.y * area.height;
    const color = colors[(box.color - 1) % colors.length]!;
    context.strokeStyle = color;
    context.strokeRect(x, y, box.width * area.width, box.height * area.height);
    const text =
      box.confidence > 0 && clientWidth >= NARROW_PX
        ? `${box.label} ${formatNumber(box.confidence, TWO_DECIMALS)}`
        : box.label;
    const labelWidth = context.measureText(text).width + 10;
    const top = Math.max(0, y - 18);
    context.fillStyle = color;
    context.fillRect(x - 1, top, labelWidth, 17);
    context.fillStyle = 'oklch(0.16 0.02 80)';
    context.fillText(text, x + 4, top + 9);
  }
}
