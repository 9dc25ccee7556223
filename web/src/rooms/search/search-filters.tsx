import { Trans, useLingui } from '@lingui/react/macro';
import type { EventFacets, Folder } from '@sightline/sdk';
import { X } from 'lucide-react';
import { APPROVALS, SEVERITIES, type SearchSearch } from '#frame/search-params.ts';
import { FacetList } from '#rooms/batches/facet-list.tsx';
import { RecordedFilter, useRecordedChips } from '#rooms/videos/recorded-filter.tsx';
import { ConfidenceSelect } from '#ui/controls/confidence-select.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { Select } from '#ui/controls/select.tsx';

type Props = { search: SearchSearch; onSearch: (next: SearchSearch) => void };

/** Counts of the found events that narrow the search, and the days on which they were found. */
export function SearchFilters({ facets, search, onSearch }: Props & { facets: EventFacets | null }) {
  const { t } = useLingui();
  const severities: Record<string, string> = { low: t`Low`, medium: t`Medium`, high: t`High` };
  // The engine rates each event, but only `high` is what a rule states (`statedSeverity`). A chosen one stays.
  const stated = (facets?.severities ?? []).filter(({ value }) => value === 'high' || value === search.severity);
  const approvals = useApprovalNames();
  const folders = facets?.folders ?? [];
  const videos = facets?.videos ?? [];
  const nameOf = (rows: readonly { id: string; name: string }[]) => (id: string) =>
    rows.find((row) => row.id === id)?.name ?? id;
  return (
    <>
      <FacetList
        title={t`Label`}
        facets={facets?.labels ?? []}
        english
        chosen={search.label}
        onChoose={(label) => onSearch({ label })}
      />
      <FacetList
        title={t`Severity`}
        facets={stated}
        name={(value) => severities[value] ?? value}
        chosen={search.severity}
        onChoose={(value) => onSearch({ severity: SEVERITIES.find((each) => each === value) })}
      />
      <FacetList
        title={t`Verdict`}
        facets={facets?.approvals ?? []}
        name={(value) => approvals[value] ?? value}
        chosen={search.review}
        onChoose={(value) => onSearch({ review: APPROVALS.find((each) => each === value) })}
      />
      <FacetList
        title={t`Folder`}
        facets={folders.map(({ id, count }) => ({ value: id, count }))}
        name={nameOf(folders)}
        chosen={search.folder}
        onChoose={(folder) => onSearch({ folder })}
      />
      <FacetList
        title={t`Video`}
        facets={videos.map(({ id, count }) => ({ value: id, count }))}
        name={nameOf(videos)}
        chosen={search.video}
        onChoose={(video) => onSearch({ video })}
      />
      <div className="grid content-start gap-2">
        <TextField
          label={t`Found from`}
          type="date"
          value={search.after ?? ''}
          onChange={(event) => onSearch({ after: event.target.value || undefined })}
        />
        <TextField
          label={t`Found until`}
          type="date"
          value={search.before ?? ''}
          onChange={(event) => onSearch({ before: event.target.value || undefined })}
        />
      </div>
      <RecordedFilter search={search} onChange={onSearch} />
    </>
  );
}

function useApprovalNames(): Record<string, string> {
  const { t } = useLingui();
  return { pending: t`Not reviewed`, approved: t`Approved`, rejected: t`Rejected`, unsure: t`Unsure` };
}

/** Least confidence and order of the events. */
export function SearchOrder({ search, onSearch }: Props) {
  const { t } = useLingui();
  return (
    <>
      <ConfidenceSelect value={search.confidence} onChange={(confidence) => onSearch({ confidence })} />
      <Select
        label={t`Show`}
        value={search.per ?? 'incident'}
        onChange={(per) => onSearch({ per: per === 'incident' ? undefined : per })}
        options={[
          { value: 'incident', label: t`One per incident` },
          { value: 'event', label: t`Every event` },
        ]}
      />
      <Select
        label={t`Order`}
        value={search.sort ?? 'newest'}
        onChange={(sort) => onSearch({ sort: sort === 'newest' ? undefined : sort })}
        options={[
          { value: 'newest', label: t`Newest first` },
          { value: 'confidence', label: t`Surest first` },
        ]}
      />
    </>
  );
}

type ChipProps = Props & { facets: EventFacets | null; folders: readonly Folder[] };

/** One chip for each filter that is set, which removes it. */
export function ActiveFilters({ facets, folders, search, onSearch }: ChipProps) {
  const { t } = useLingui();
  const severities: Record<string, string> = { low: t`Low`, medium: t`Medium`, high: t`High` };
  const approvals = useApprovalNames();
  const recorded = useRecordedChips(search);
  const { like, label, severity, review, folder, video, after, before } = search;
  const chips: { field: keyof SearchSearch; text: string }[] = [];
  if (like) chips.push({ field: 'like', text: t`Frames like one` });
  if (label) chips.push({ field: 'label', text: label });
  if (severity) chips.push({ field: 'severity', text: severities[severity]! });
  if (review) chips.push({ field: 'review', text: approvals[review]! });
  if (folder) chips.push({ field: 'folder', text: folders.find(({ id }) => id === folder)?.name ?? t`Folder` });
  if (video) chips.push({ field: 'video', text: facets?.videos.find(({ id }) => id === video)?.name ?? t`Video` });
  if (after) chips.push({ field: 'after', text: t`From ${after}` });
  if (before) chips.push({ field: 'before', text: t`Until ${before}` });
  chips.push(...recorded.map(({ id, text }) => ({ field: id, text })));
  if (chips.length === 0) return null;
  const none = Object.fromEntries(chips.map(({ field }) => [field, undefined]));
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5">
      {chips.map(({ field, text }) => (
        <button
          key={field}
          type="button"
          aria-label={t`Remove the filter ${text}`}
          onClick={() => onSearch({ [field]: undefined })}
          className="num inline-flex h-7 min-w-0 max-w-64 items-center gap-1 rounded-full border border-strong-line bg-raise px-3 hover:border-ink-3"
        >
          <span className="truncate">{text}</span>
          <X size={13} className="shrink-0" aria-hidden />
        </button>
      ))}
      {chips.length > 1 && (
        <button
          type="button"
          className="px-1.5 text-accent-text text-sm hover:underline"
          onClick={() => onSearch(none)}
        >
          <Trans>Clear filters</Trans>
        </button>
      )}
    </div>
  );
}
