import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { foldersQuery } from '#api/folders-query.ts';
import { SelectField } from '#ui/controls/select.tsx';

/** A choice of one folder; an empty id means none. */
export function FolderSelect({
  label,
  none,
  value,
  onChange,
  disabled,
}: {
  label: string;
  /** Text of the choice of no folder. */
  none: string;
  value: string;
  onChange: (id: string) => void;
  disabled?: boolean;
}) {
  const { t } = useLingui();
  const { data = [], isPending } = useQuery(foldersQuery);
  // The sample folder can be read only.
  const own = data.filter(({ scope }) => scope !== 'sample');
  return (
    <SelectField
      label={label}
      value={value}
      disabled={disabled || isPending}
      options={[
        { value: '', label: none },
        ...own.map(({ id, name, scope }) => ({ value: id, label: scope === 'org' ? t`${name} (shared)` : name })),
      ]}
      onChange={onChange}
    />
  );
}
