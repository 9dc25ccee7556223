import { classes } from '#ui/classes.ts';
import { formatNumber, formatShare } from '#ui/format/format.ts';
import { RULER_PX } from './drawing/canvas.ts';
import { Swatch } from './drawing/swatch.tsx';
import { LANE_HEIGHTS, type Lane } from './lanes.ts';

/** Names of the rows, beside the canvas. */
export function LaneNames({ lanes }: { lanes: readonly Lane[] }) {
  return (
    <div className="border-r" style={{ paddingTop: RULER_PX }}>
      {lanes.map((lane) => (
        <div
          key={lane.id}
          style={{ height: LANE_HEIGHTS[lane.kind] }}
          className="flex items-center gap-2 pr-2 pl-3 text-ink-2 text-sm sm:pl-4.5"
        >
          <Swatch color={lane.color} />
          <span data-lane-name="" className="truncate first-letter:uppercase" title={lane.name}>
            {lane.name}
          </span>
          {/* A range of values is so long that it would leave the name no place on a phone. */}
          <span
            className={classes('num ml-auto shrink-0 text-ink-3 text-xs', lane.kind === 'series' && 'max-sm:hidden')}
          >
            {laneNote(lane)}
          </span>
        </div>
      ))}
    </div>
  );
}

function laneNote(lane: Lane): string {
  if (lane.kind === 'events') return formatNumber(lane.events.length);
  if (lane.kind === 'marks') return formatNumber(lane.times.length);
  if (lane.kind === 'coverage') return formatShare(lane.seen);
  if (lane.kind === 'series') {
    const range = lane.max - lane.min;
    const digits = range < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: range < 10 ? 1 : 0 };
    const number = (value: number) => formatNumber(value, digits);
    return `${number(lane.min)}–${number(lane.max)}`;
  }
  return '';
}
