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
      <p className="flex items-baseline justify-between gap-3">
        <span className="text-ink-2">{label}</span>
        <span className="num text-ink-3 text-sm">{limit === null ? t`no limit` : t`of ${format(limit)}`}</span>
      </p>
      <p className="num text-xl">{format(used)}</p>
      {limit !== null && <ProgressBar label={label} value={limit === 0 ? 1 : Math.min(1, used / limit)} />}
    </div>
  );
}
