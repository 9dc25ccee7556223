import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import type { LibrarySearch } from '#frame/search-params.ts';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { Popover } from '#ui/overlays/popover.tsx';
import { RecordedFilter, useRecordedChips } from '../recorded-filter.tsx';
import { facetsQuery, LENGTH_S, STATUS } from './library-query.ts';

export type FilterProps = { search: LibrarySearch; change: (next: LibrarySearch) => void };

export const CHIP = 'inline-flex h-7 items-center gap-1 rounded-full border px-3 text-ink-2 hover:border-strong-line';
export const CHIP_ON = 'border-strong-line bg-raise text-ink';

const MAX_TAGS = 8;

function useFilterNames() {
  const { t } = useLingui();
  return {
    statuses: { ready: t`Ready`, processing: t`In preparation`, failed: t`Failed` },
    answers: { yes: t`Asked about`, no: t`Not asked about` },
    lengths: {
      seconds: t`Under 1 minute`,
      minutes: t`1 to 10 minutes`,
      long: t`10 to 60 minutes`,
      hours: t`1 hour and more`,
    },
  };
}

/** One chip for each further filter, which removes it. */
export function ActiveFilters({ search, change }: FilterProps) {
  const { t } = useLingui();
  const { status, queried, length, tag, after, before } = search;
  const { statuses, answers, lengths } = useFilterNames();
  const recorded = useRecordedChips(search);
  const chips = [
    status && { id: 'status' as const, text: statuses[status] },
    queried && { id: 'queried' as const, text: answers[queried] },
    length && { id: 'length' as const, text: lengths[length] },
    tag && { id: 'tag' as const, text: t`Tag: ${tag}` },
    after && { id: 'after' as const, text: t`From ${after}` },
    before && { id: 'before' as const, text: t`Until ${before}` },
    ...recorded,
  ];
  return chips.map(
    (chip) =>
      chip && (
        <button
          key={chip.id}
          type="button"
          aria-label={t`Remove the filter ${chip.text}`}
          className={classes(CHIP, CHIP_ON, 'num')}
          onClick={() => change({ ...search, [chip.id]: undefined })}
        >
          {chip.text}
          <X size={13} aria-hidden />
        </button>
      ),
  );
}

/** Further filters. The button opens them, and only then the number of videos of each choice is requested. */
export function MoreFilters(props: FilterProps) {
  return (
    <Popover
      trigger={
        <button type="button" className={CHIP}>
          <ListFilter size={13} aria-hidden />
          <Trans>Filter</Trans>
        </button>
      }
      title={<Trans>Filter</Trans>}
      className="w-72"
    >
      <Filters {...props} />
    </Popover>
  );
}

function Filters({ search, change }: FilterProps) {
  const { t } = useLingui();
  const { view: _, sort: __, ...filter } = search;
  const { data: facets } = useQuery(facetsQuery(filter));
  const { statuses, answers, lengths } = useFilterNames();
  // In a large library only the newest videos are counted.
  const counted = (count: number | undefined) =>
    count === undefined ? '' : ` · ${formatNumber(count)}${facets?.is_complete ? '' : '+'}`;
  const options = <T extends string>(
    any: string,
    names: Record<T, string>,
    countOf: (value: T) => number | undefined,
  ) => [
    { value: 'any' as const, label: any },
    ...(Object.keys(names) as T[]).map((value) => ({ value, label: names[value] + counted(countOf(value)) })),
  ];
  const chosen = <T extends string>(value: T | 'any') => (value === 'any' ? undefined : value);
  const countOf = {
    status: (status: keyof typeof statuses) =>
      facets && (facets.statuses.find(({ value }) => value === STATUS[status])?.count ?? 0),
    queried: (answer: keyof typeof answers) => facets?.[answer === 'yes' ? 'queried' : 'not_queried'],
    length: (length: keyof typeof lengths) =>
      facets && (facets.durations.find(({ min_s }) => min_s === LENGTH_S[length][0])?.count ?? 0),
  };
  return (
    <div className="num grid gap-3">
      <SelectField
        label={t`Status`}
        value={search.status ?? 'any'}
        onChange={(status) => change({ ...search, status: chosen(status) })}
        options={options(t`Any status`, statuses, countOf.status)}
      />
      <SelectField
        label={t`Questions`}
        value={search.queried ?? 'any'}
        onChange={(queried) => change({ ...search, queried: chosen(queried) })}
        options={options(t`Asked about or not`, answers, countOf.queried)}
      />
      <SelectField
        label={t`Length`}
        value={search.length ?? 'any'}
        onChange={(length) => change({ ...search, length: chosen(length) })}
        options={options(t`Any length`, lengths, countOf.length)}
      />
      <TagFilter tags={facets?.tags.slice(0, MAX_TAGS) ?? []} onTag={(tag) => change({ ...search, tag })} />
      <div className="grid grid-cols-2 gap-2">
        <TextField
          label={t`Uploaded from`}
          type="date"
          value={search.after ?? ''}
          onChange={(event) => change({ ...search, after: event.target.value || undefined })}
        />
        <TextField
          label={t`Uploaded until`}
          type="date"
          value={search.before ?? ''}
          onChange={(event) => change({ ...search, before: event.target.value || undefined })}
        />
      </div>
      <div className="border-t pt-3">
        <RecordedFilter search={search} onChange={(next) => change({ ...search, ...next })} />
      </div>
    </div>
  );
}

/** The most frequent tags, and a field for any other. */
function TagFilter({
  tags,
  onTag,
}: {
  tags: readonly { value: string; count: number }[];
  onTag: (tag: string | undefined) => void;
}) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  return (
    <div className="grid gap-1.5">
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onTag(text.trim() || undefined);
          setText('');
        }}
      >
        <TextField
          label={t`Tag`}
          value={text}
          maxLength={64}
          onChange={(event) => setText(event.target.value)}
          className="flex-1"
        />
        <Button type="submit" disabled={!text.trim()}>
          <Trans>Apply</Trans>
        </Button>
      </form>
      {tags.length > 0 && (
        <ul aria-label={t`Frequent tags`} className="flex flex-wrap gap-1">
          {tags.map(({ value, count }) => (
            <li key={value} className="min-w-0">
              <button type="button" onClick={() => onTag(value)} className={classes(CHIP, 'max-w-full')}>
                <span className="truncate">{value}</span>
                <span className="text-ink-3">{formatNumber(count)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
