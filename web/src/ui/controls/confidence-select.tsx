import { useLingui } from '@lingui/react/macro';
import { formatNumber } from '../format/format.ts';
import { Select } from './select.tsx';

const LEVELS = ['0', '0.6', '0.7', '0.8', '0.9'];

/** A least confidence, such as "≥ 0.5". */
export const formatLeast = (confidence: number): string => `≥ ${formatNumber(confidence)}`;

/** Least confidence of the shown events; undefined: any. */
export function ConfidenceSelect({
  value,
  onChange,
}: {
  value: number | undefined;
  onChange: (confidence: number | undefined) => void;
}) {
  const { t } = useLingui();
  return (
    <Select
      label={t`Confidence`}
      value={String(value ?? 0)}
      onChange={(level) => onChange(Number(level) || undefined)}
      options={LEVELS.map((level) => ({
        value: level,
        label: level === '0' ? t`Any confidence` : formatLeast(Number(level)),
      }))}
    />
  );
}
