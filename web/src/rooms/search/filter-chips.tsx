import { useLingui } from '@lingui/react/macro';
import type { Folder } from '@sightline/sdk';
import { X } from 'lucide-react';
import { facet } from '#rooms/batches/facets.ts';
import type { BatchEvent } from '#rooms/batches/queries.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/select.tsx';
import type { SearchSearch } from '../../search-params.ts';

type Props = {
  events: readonly BatchEvent[];
  folders: readonly Folder[];
  search: SearchSearch;
  onSearch: (next: SearchSearch) => void;
};

/** The filters of a search: a select for each that is not set, a chip that removes it for each that is. */
export function FilterChips({ events, folders, search, onSearch }: Props) {
  const { t } = useLingui();
  const severities: Record<string, string> = { low: t`Low`, medium: t`Medium`, high: t`High` };
  const filters = [
    {
      field: 'folder' as const,
      all: t`All folders`,
      name: t`Folder`,
      options: folders.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      field: 'label' as const,
      all: t`All labels`,
      name: t`Label`,
      options: facet(events, search, 'label').map(({ value, count }) => ({ value, label: `${value} · ${count}` })),
    },
    {
      field: 'severity' as const,
      all: t`All severities`,
      name: t`Severity`,
      options: facet(events, search, 'severity').map(({ value, count }) => ({
        value,
        label: `${severities[value] ?? value} · ${count}`,
      })),
    },
    {
      field: 'confidence' as const,
      all: t`Any confidence`,
      name: t`Confidence`,
      options: ['0.6', '0.7', '0.8', '0.9'].map((value) => ({ value, label: `≥ ${value}` })),
    },
  ];
  const set = (field: (typeof filters)[number]['field'], value: string | undefined) =>
    onSearch({ [field]: field === 'confidence' && value !== undefined ? Number(value) : value });
  return (
    <div className="flex flex-wrap gap-2">
      {filters.map(({ field, all, name, options }) => {
        const value = search[field];
        if (value === undefined) {
          return (
            <Select
              key={field}
              label={name}
              value=""
              onChange={(next) => set(field, next || undefined)}
              options={[{ value: '', label: all }, ...options]}
            />
          );
        }
        const text = options.find((option) => option.value === String(value))?.label ?? String(value);
        return (
          <Button
            key={field}
            className="max-w-full border-accent"
            aria-label={t`Remove the filter ${name}: ${text}`}
            onClick={() => set(field, undefined)}
          >
            <span className="truncate">{text}</span>
            <X size={14} aria-hidden />
          </Button>
        );
      })}
    </div>
  );
}
