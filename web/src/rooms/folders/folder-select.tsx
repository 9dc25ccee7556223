import { useLingui } from '@lingui/react/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { SelectField } from '#ui/controls/select.tsx';

const PAGE_SIZE = 1_000;

/** The folders that the user can see, by name. */
export const folderNames = queryOptions({
  queryKey: ['folders', 'names'],
  queryFn: async ({ signal }) => {
    const { data } = await api.GET('/api/folders', { params: { query: { limit: PAGE_SIZE } }, signal });
    return data!.folders.toSorted((a, b) => a.name.localeCompare(b.name));
  },
});

/** Name of a folder; undefined until it is known. */
export function useFolderName(id: string | null): string | undefined {
  const { data } = useQuery({ ...folderNames, enabled: id !== null });
  return data?.find((folder) => folder.id === id)?.name;
}

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
  const { data = [], isPending } = useQuery(folderNames);
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
