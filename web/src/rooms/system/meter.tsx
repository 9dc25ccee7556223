import { useLingui } from '@lingui/react/macro';
import { ProgressBar } from '#ui/states.tsx';

/** A used amount, and its share of a limit if there is one. */
export function Meter({
  label,
  used,
  limit,
  format,
}: {
  label: string;
  used: number;
  limit: number | null;
  format: (value: number) => string;
}) {
  const { t } = useLingui();
  return (
    <div className="grid gap-1.5">
      <p className="text-ink-2">{label}</p>
      <p className="num flex flex-wrap items-baseline gap-x-2">
        <span className="text-xl">{format(used)}</span>
        <span className="text-ink-3">{limit === null ? t`no limit` : t`of ${format(limit)}`}</span>
      </p>
      {limit !== null && <ProgressBar label={label} value={limit === 0 ? 1 : Math.min(1, used / limit)} />}
    </div>
  );
}
