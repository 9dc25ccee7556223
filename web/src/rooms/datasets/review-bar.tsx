import { useLingui } from '@lingui/react/macro';
import type { Dataset } from '@sightline/sdk';
import { classes } from '#ui/classes.ts';
import { formatNumber } from '#ui/format/format.ts';

/** The events of a dataset by review state, as a bar with its legend. */
export function ReviewBar({ counts }: { counts: Dataset['totals']['event_counts'] }) {
  const { t } = useLingui();
  const states = [
    { name: t`Approved`, count: counts.approved, color: 'bg-ok' },
    { name: t`Rejected`, count: counts.rejected, color: 'bg-bad' },
    { name: t`Unsure`, count: counts.unsure, color: 'bg-warn' },
    { name: t`Not reviewed`, count: counts.pending, color: 'bg-strong-line' },
  ];
  return (
    <div className="grid gap-2">
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-raise">
        {states.map(
          ({ name, count, color }) =>
            count > 0 && <span key={name} className={color} style={{ width: `${(100 * count) / counts.total}%` }} />,
        )}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {states.map(({ name, count, color }) => (
          <li key={name} className="flex items-center gap-1.5 text-ink-2">
            <span aria-hidden className={classes('size-2 rounded-full', color)} />
            {name} <span className="num text-ink">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
