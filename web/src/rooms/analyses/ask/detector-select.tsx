import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { systemQuery } from '#rooms/system/system-query.ts';
import { Select } from '#ui/controls/select.tsx';

/** The model that detects objects for a question, where the service has several. */
export function DetectorSelect({
  detector,
  onChange,
}: {
  detector: string | undefined;
  onChange: (detector: string | undefined) => void;
}) {
  const { t } = useLingui();
  const there = (useQuery(systemQuery).data?.detectors ?? []).filter(({ available }) => available);
  if (there.length < 2) return null;
  return (
    <Select
      label={t`Object detector`}
      value={detector ?? ''}
      onChange={(name) => onChange(name || undefined)}
      options={[
        { value: '', label: t`Default detector` },
        ...there.map(({ name, title }) => ({ value: name, label: title })),
      ]}
    />
  );
}
