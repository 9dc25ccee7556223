import { Trans, useLingui } from '@lingui/react/macro';
import { LayoutGrid, ListFilter, Rows3, Search, Trash2, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { UploadButton } from '#rooms/uploads/upload-button.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { classes } from '#ui/classes.ts';
import { INPUT, TextField } from '#ui/field.tsx';
import { Popover } from '#ui/popover.tsx';
import { Select } from '#ui/select.tsx';
import type { LibrarySearch } from '../../../search-params.ts';

/** Pause after typing before the list is filtered. */
const TYPING_MS = 250;

type FilterProps = { search: LibrarySearch; change: (next: LibrarySearch) => void };

/** Filters, order and view of the library. All of them are part of the page's address. */
export function FilterBar({
  search,
  change,
  nameInput,
}: FilterProps & { nameInput: RefObject<HTMLInputElement | null> }) {
  const { t } = useLingui();
  const isSample = search.scope === 'sample';
  return (
    <div className="flex flex-wrap items-center gap-2 px-4.5 py-3">
      {!isSample && <NameFilter {...{ search, change }} inputRef={nameInput} />}
      <fieldset className="flex gap-1.5" aria-label={t`Scope`}>
        <ScopeChip scope={undefined} {...{ search, change }}>
          <Trans>All</Trans>
        </ScopeChip>
        <ScopeChip scope="user" {...{ search, change }}>
          <Trans>Mine</Trans>
        </ScopeChip>
        <ScopeChip scope="org" {...{ search, change }}>
          <Trans>Team</Trans>
        </ScopeChip>
        <ScopeChip scope="sample" {...{ search, change }}>
          <Trans>Samples</Trans>
        </ScopeChip>
      </fieldset>
      {!isSample && <ActiveFilters {...{ search, change }} />}
      {!isSample && <MoreFilters {...{ search, change }} />}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
        {!isSample && (
          <Select
            label={t`Order`}
            value={search.sort ?? 'newest'}
            onChange={(sort) => change({ ...search, sort: sort === 'newest' ? undefined : sort })}
            options={[
              { value: 'newest', label: t`Newest first` },
              { value: 'oldest', label: t`Oldest first` },
              { value: 'name', label: t`Name, A to Z` },
              { value: 'name-desc', label: t`Name, Z to A` },
            ]}
            className="border-transparent bg-transparent text-ink-2"
          />
        )}
        <IconButton
          icon={LayoutGrid}
          label={t`Grid`}
          pressed={search.view !== 'table'}
          onClick={() => change({ ...search, view: undefined })}
        />
        <IconButton
          icon={Rows3}
          label={t`Table`}
          pressed={search.view === 'table'}
          onClick={() => change({ ...search, view: 'table' })}
        />
        <IconButton
          icon={Trash2}
          label={t`Deleted videos`}
          pressed={search.trash === true}
          onClick={() => change(search.trash ? { ...search, trash: undefined } : { view: search.view, trash: true })}
        />
        <UploadButton />
      </div>
    </div>
  );
}

const CHIP = 'inline-flex h-7 items-center gap-1 rounded-full border px-3 text-ink-2 hover:border-strong-line';
const CHIP_ON = 'border-strong-line bg-raise text-ink';

function ScopeChip({
  scope,
  search,
  change,
  children,
}: FilterProps & { scope: LibrarySearch['scope']; children: React.ReactNode }) {
  const on = search.scope === scope;
  return (
    <button
      type="button"
      aria-pressed={on}
      className={classes(CHIP, on && CHIP_ON)}
      // A folder and the samples exclude each other.
      onClick={() => change(scope === 'sample' ? { view: search.view, scope } : { ...search, scope })}
    >
      {children}
    </button>
  );
}

function NameFilter({ search, change, inputRef }: FilterProps & { inputRef: RefObject<HTMLInputElement | null> }) {
  const { t } = useLingui();
  const [text, setText] = useState(search.q ?? '');
  useEffect(() => setText(search.q ?? ''), [search.q]);
  useEffect(() => {
    const q = text.trim() || undefined;
    if (q === search.q) return;
    const timer = setTimeout(() => change({ ...search, q }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, search, change]);
  return (
    <div className="relative w-52 max-sm:w-full">
      <Search size={14} aria-hidden className="absolute top-2 left-2.5 text-ink-3" />
      <input
        ref={inputRef}
        type="search"
        aria-label={t`Filter by name`}
        placeholder={t`Filter by name`}
        maxLength={255}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            setText('');
            event.currentTarget.blur();
          }
        }}
        className={classes(INPUT, 'pl-8')}
      />
    </div>
  );
}

/** One chip for each further filter, which removes it. */
function ActiveFilters({ search, change }: FilterProps) {
  const { t } = useLingui();
  const { status, tag, after, before } = search;
  const statuses = { ready: t`Ready`, processing: t`In preparation`, failed: t`Failed` };
  const chips = [
    status && { id: 'status' as const, text: statuses[status] },
    tag && { id: 'tag' as const, text: t`Tag: ${tag}` },
    after && { id: 'after' as const, text: t`From ${after}` },
    before && { id: 'before' as const, text: t`Until ${before}` },
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

function MoreFilters({ search, change }: FilterProps) {
  const { t } = useLingui();
  const [tag, setTag] = useState('');
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
      <div className="grid gap-3">
        <Select
          label={t`Status`}
          value={search.status ?? 'any'}
          onChange={(status) => change({ ...search, status: status === 'any' ? undefined : status })}
          options={[
            { value: 'any', label: t`Any status` },
            { value: 'ready', label: t`Ready` },
            { value: 'processing', label: t`In preparation` },
            { value: 'failed', label: t`Failed` },
          ]}
        />
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            change({ ...search, tag: tag.trim() || undefined });
            setTag('');
          }}
        >
          <TextField
            label={t`Tag`}
            value={tag}
            maxLength={64}
            onChange={(event) => setTag(event.target.value)}
            className="flex-1"
          />
          <Button type="submit" disabled={!tag.trim()}>
            <Trans>Apply</Trans>
          </Button>
        </form>
        <div className="grid grid-cols-2 gap-2">
          <TextField
            label={t`Uploaded from`}
            type="date"
            value={search.after ?? ''}
            onChange={(event) => change({ ...search, after: event.target.value || undefined })}
          />
          <TextField
            label={t`until`}
            type="date"
            value={search.before ?? ''}
            onChange={(event) => change({ ...search, before: event.target.value || undefined })}
          />
        </div>
      </div>
    </Popover>
  );
}
