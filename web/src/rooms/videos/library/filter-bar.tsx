import { Trans, useLingui } from '@lingui/react/macro';
import { LayoutGrid, Rows3, Trash2 } from 'lucide-react';
import type { RefObject } from 'react';
import type { LibrarySearch } from '#frame/search-params.ts';
import { UploadButton } from '#rooms/uploads/upload-button.tsx';
import { classes } from '#ui/classes.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { SearchField } from '#ui/controls/search-field.tsx';
import { Select } from '#ui/controls/select.tsx';
import { ORDERS } from './columns.tsx';
import { ActiveFilters, CHIP, CHIP_ON, type FilterProps, MoreFilters } from './more-filters.tsx';

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
      {!isSample && (
        <SearchField
          label={t`Filter by name`}
          value={search.q ?? ''}
          onChange={(q) => change({ ...search, q: q || undefined })}
          inputRef={nameInput}
          className="w-52 max-sm:w-full"
        />
      )}
      <fieldset className="flex gap-1.5" aria-label={t`Scope`}>
        <ScopeChip scope={undefined} search={search} change={change}>
          <Trans>All</Trans>
        </ScopeChip>
        <ScopeChip scope="user" search={search} change={change}>
          <Trans>Mine</Trans>
        </ScopeChip>
        <ScopeChip scope="org" search={search} change={change}>
          <Trans>Team</Trans>
        </ScopeChip>
        <ScopeChip scope="sample" search={search} change={change}>
          <Trans>Samples</Trans>
        </ScopeChip>
      </fieldset>
      {!isSample && <ActiveFilters search={search} change={change} />}
      {!isSample && <MoreFilters search={search} change={change} />}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
        {!isSample && (
          <Select
            label={t`Order`}
            value={search.sort ?? 'newest'}
            onChange={(sort) => change({ ...search, sort: sort === 'newest' ? undefined : sort })}
            options={ORDERS.map(({ value, label }) => ({ value, label: t(label) }))}
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
