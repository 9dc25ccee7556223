import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { systemQuery } from '#rooms/system/system-query.ts';
import { Select } from '#ui/controls/select.tsx';

/** The vision-language model of a question, where the service has several. */
export function VisionProfileSelect({
  profile,
  onChange,
}: {
  profile: string | undefined;
  onChange: (profile: string | undefined) => void;
}) {
  const { t } = useLingui();
  const profiles = useQuery(systemQuery).data?.vision_profiles ?? [];
  if (profiles.length < 2) return null;
  return (
    <Select
      label={t`Vision-language model`}
      value={profile ?? ''}
      onChange={(name) => onChange(name || undefined)}
      options={[{ value: '', label: t`Default model` }, ...profiles.map(({ name }) => ({ value: name, label: name }))]}
    />
  );
}
