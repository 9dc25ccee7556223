import { Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { GitCompare, X } from 'lucide-react';
import type { QuestionSearch } from '#frame/search-params.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { type Comparison, shownPart } from './compare.ts';
import { batchesQuery, type useBatch } from './queries.ts';

type Props = {
  batch: Batch;
  search: QuestionSearch;
  onSearch: (next: QuestionSearch) => void;
  other: ReturnType<typeof useBatch>;
  compared: Comparison | null;
};

/** Chooses the question that this one is compared with. */
export function CompareMenu({ batch, onSearch }: Pick<Props, 'batch' | 'onSearch'>) {
  const { data } = useInfiniteQuery(batchesQuery());
  const others = data?.pages.flatMap((page) => page.batches).filter((each) => each.batch_id !== batch.batch_id) ?? [];
  if (others.length === 0) return null;
  return (
    <Menu
      align="end"
      trigger={
        <Button icon={GitCompare}>
          <Trans>Compare</Trans>
        </Button>
      }
    >
      <div className="max-h-80 max-w-96 overflow-y-auto">
        {others.slice(0, 30).map(({ batch_id, query, aggregated_progress: { total } }) => (
          <MenuItem key={batch_id} onSelect={() => onSearch({ compare: batch_id, part: undefined })}>
            <span className="min-w-0 flex-1 truncate">{query}</span>
            <span className="num shrink-0 text-ink-3">{formatNumber(total)}</span>
          </MenuItem>
        ))}
      </div>
    </Menu>
  );
}

/** Chooses which events of two compared questions are shown. */
export function ComparisonBar({ search, onSearch, other, compared }: Omit<Props, 'batch'>) {
  const { t } = useLingui();
  if (!search.compare) return null;
  const part = shownPart(search, compared);
  const parts = [
    { value: 'a' as const, text: t`Only here`, count: compared?.onlyA.length },
    { value: 'b' as const, text: t`Only in the other`, count: compared?.onlyB.length },
    { value: 'both' as const, text: t`In both`, count: compared?.both.length },
  ];
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4.5 py-2">
      <legend className="sr-only">
        <Trans>Comparison</Trans>
      </legend>
      <p className="min-w-0 truncate text-ink-2 text-sm">
        <Trans>Compared with “{other.batch?.query ?? '…'}”</Trans>
      </p>
      <div className="flex flex-wrap gap-1">
        {parts.map(({ value, text, count }) => (
          <Button
            key={value}
            look={part === value ? 'plain' : 'ghost'}
            aria-pressed={part === value}
            onClick={() => onSearch({ part: value })}
          >
            {text}
            {count !== undefined && <span className="num text-ink-3">{formatNumber(count)}</span>}
          </Button>
        ))}
        <IconButton
          icon={X}
          label={t`End the comparison`}
          onClick={() => onSearch({ compare: undefined, part: undefined })}
        />
      </div>
      {other.error && <ErrorNotice error={other.error} />}
    </fieldset>
  );
}
