import { useId } from 'react';
import { LANE_PATTERNS } from './palette.ts';

const FILLS = ['fill-ink-3', 'fill-lane-1', 'fill-lane-2', 'fill-lane-3', 'fill-lane-4', 'fill-lane-5', 'fill-lane-6'];

/** The color and pattern of one row. */
export function Swatch({ color }: { color: number }) {
  const id = useId();
  const path = LANE_PATTERNS[color];
  return (
    <svg viewBox="0 0 9 9" className="size-2.25 shrink-0" aria-hidden>
      <defs>
        <pattern id={id} width="8" height="8" patternUnits="userSpaceOnUse">
          <path d={path} className="stroke-bg/50" strokeWidth="1.5" fill="none" />
        </pattern>
      </defs>
      <rect width="9" height="9" rx="2" className={FILLS[color]} />
      {path && <rect width="9" height="9" rx="2" fill={`url(#${id})`} />}
    </svg>
  );
}
