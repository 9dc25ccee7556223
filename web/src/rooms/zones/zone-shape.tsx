import type { Zone } from '@sightline/sdk';
import type { FramePoint, FrameSize } from './draft.ts';

/** The outline of a zone with its name. `color` is the number of a timeline color; null for the one that is drawn. */
export function ZoneShape({
  zone: { kind, name, points },
  color,
  size,
}: {
  zone: Pick<Zone, 'kind' | 'name'> & { points: readonly FramePoint[] };
  color: number | null;
  size: FrameSize;
}) {
  const { width, height, pixel } = size;
  const stroke = color === null ? 'var(--accent)' : `var(--lane-${color})`;
  const placed = points.map(({ x, y }) => ({ x: x * width, y: y * height }));
  const outline = placed.map(({ x, y }) => `${x},${y}`).join(' ');
  const [first, second] = placed;
  if (!first) return null;
  return (
    <g className="pointer-events-none">
      {(
        [
          ['black', 4],
          [stroke, 2],
        ] as const
      ).map(([paint, strokeWidth]) => {
        const line = { stroke: paint, strokeWidth, strokeOpacity: paint === 'black' ? 0.5 : 1 };
        return kind === 'polygon' && placed.length > 2 ? (
          <polygon
            key={paint}
            points={outline}
            {...line}
            fill={stroke}
            fillOpacity={0.1}
            vectorEffect="non-scaling-stroke"
          />
        ) : (
          <polyline key={paint} points={outline} {...line} fill="none" vectorEffect="non-scaling-stroke" />
        );
      })}
      {kind === 'line' && second && <Inwards from={first} to={second} pixel={pixel} color={stroke} />}
      <text
        x={Math.min(width - 8 * pixel, Math.max(0, first.x)) + 6 * pixel}
        y={Math.max(16 * pixel, first.y - 6 * pixel)}
        fontSize={12 * pixel}
        fontWeight={600}
        fill="white"
        stroke="black"
        strokeOpacity={0.7}
        strokeWidth={3 * pixel}
        paintOrder="stroke"
        textAnchor={first.x > width * 0.8 ? 'end' : 'start'}
      >
        {name}
      </text>
    </g>
  );
}

/** An arrow to the inner side of a line: to the right, as seen from its first point. */
function Inwards({ from, to, pixel, color }: { from: FramePoint; to: FramePoint; pixel: number; color: string }) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const at = (along: number, right: number) =>
    `${middle.x + (along * ux - right * uy) * pixel},${middle.y + (along * uy + right * ux) * pixel}`;
  return (
    <polygon
      points={[at(-6, 4), at(6, 4), at(0, 16)].join(' ')}
      fill={color}
      stroke="black"
      strokeOpacity={0.5}
      strokeWidth={1}
      vectorEffect="non-scaling-stroke"
    />
  );
}
