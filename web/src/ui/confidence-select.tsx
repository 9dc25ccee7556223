import { useLingui } from '@lingui/react/macro';
import { Select } from './select.tsx';

const LEVELS = ['0', '0.6', '0.7', '0.8', '0.9'];

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
      options={LEVELS.map((level) => ({ value: level, label: level === '0' ? t`Any confidence` : `≥ ${level}` }))}
    />
  );
}
