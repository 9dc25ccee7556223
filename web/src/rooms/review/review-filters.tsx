import { useLingui } from '@lingui/react/macro';
import type { EventFacets } from '@sightline/sdk';
import { X } from 'lucide-react';
import { type ReviewSearch, SHOWN_EVENTS } from '#frame/search-params.ts';
import { Select } from '#ui/controls/select.tsx';
import { formatNumber } from '#ui/format/format.ts';

type Props = { facets: EventFacets | null; search: ReviewSearch; onSearch: (next: ReviewSearch) => void };

const ANY = '';

/** Which events are reviewed, and in which order. */
export function ReviewFilters({ facets, search, onSearch }: Props) {
  const { t } = useLingui();
  const { show = 'open', order = 'least', label, folder, video, batch, query } = search;
  const shown: Record<(typeof SHOWN_EVENTS)[number], string> = {
    open: t`Not reviewed`,
    disputed: t`Reviewers disagree`,
    mine: t`Assigned to me`,
    approved: t`Approved`,
    rejected: t`Rejected`,
    unsure: t`Unsure`,
    samples: t`Ranges without events`,
  };
  const labels = facets?.labels ?? [];
  const folders = facets?.folders ?? [];
  // Another selection starts at its first event.
  const choose = (next: ReviewSearch) => onSearch({ ...next, event: undefined });
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 border-b px-3 py-2">
      <Select
        label={t`Events`}
        value={show}
        onChange={(next) => choose({ show: next === 'open' ? undefined : next, query: undefined })}
        options={SHOWN_EVENTS.map((value) => ({ value, label: shown[value] }))}
      />
      {show !== 'samples' && (
        <Select
          label={t`Order`}
          value={order}
          onChange={(next) => choose({ order: next === 'least' ? undefined : next })}
          options={[
            { value: 'least', label: t`Least sure first` },
            { value: 'newest', label: t`Newest first` },
          ]}
        />
      )}
      {(label || labels.length > 1) && (
        <Select
          label={t`Label`}
          className="max-w-52"
          value={label ?? ANY}
          onChange={(next) => choose({ label: next || undefined })}
          options={withChosen(label, [
            { value: ANY, label: t`Any label` },
            ...labels.map(({ value, count }) => ({ value, label: `${value} (${formatNumber(count)})` })),
          ])}
        />
      )}
      {(folder || folders.length > 0) && (
        <Select
          label={t`Folder`}
          className="max-w-44"
          value={folder ?? ANY}
          onChange={(next) => choose({ folder: next || undefined })}
          options={withChosen(folder, [
            { value: ANY, label: t`Any folder` },
            ...folders.map(({ id, name }) => ({ value: id, label: name })),
          ])}
        />
      )}
      {query && <Chip text={query} onRemove={() => choose({ query: undefined })} />}
      {video && <Chip text={t`One video`} onRemove={() => choose({ video: undefined })} />}
      {batch && <Chip text={t`One question`} onRemove={() => choose({ batch: undefined })} />}
    </div>
  );
}

/** The chosen value may not be among those that were counted. */
const withChosen = (chosen: string | undefined, options: { value: string; label: string }[]) =>
  !chosen || options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: chosen }];

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const { t } = useLingui();
  return (
    <button
      type="button"
      aria-label={t`Remove the filter ${text}`}
      onClick={onRemove}
      className="inline-flex h-7 min-w-0 items-center gap-1 rounded-full border border-strong-line bg-raise px-3 hover:border-ink-3"
    >
      <span className="max-w-60 truncate">{text}</span>
      <X size={13} aria-hidden />
    </button>
  );
}
