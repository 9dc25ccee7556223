import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { batchesQuery } from '#rooms/batches/queries.ts';
import { Button } from '#ui/controls/button.tsx';
import { Checkbox } from '#ui/controls/field.tsx';
import { SearchField } from '#ui/controls/search-field.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';

/** Chooses questions, newest first. `chosen` has the ids of their batches; those in `without` are not offered. */
export function QuestionPicker({
  chosen,
  onChange,
  without = [],
}: {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  without?: readonly string[];
}) {
  const { t } = useLingui();
  const [words, setWords] = useState('');
  const query = useInfiniteQuery(batchesQuery());
  const all = query.data?.pages.flatMap((page) => page.batches) ?? [];
  const shown = all.filter(
    (batch) => !without.includes(batch.batch_id) && batch.query.toLowerCase().includes(words.toLowerCase()),
  );
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium text-ink-2 text-sm">
        <Trans>Questions</Trans>
      </legend>
      <SearchField label={t`Filter by words`} value={words} onChange={setWords} />
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton className="h-24" />}
      <ul className="max-h-56 divide-y overflow-y-auto rounded-md border">
        {shown.map(({ batch_id: id, query: text, aggregated_progress: { total }, event_count: events, created_at }) => (
          <li key={id} className="hover:bg-raise/60">
            <Checkbox
              className="flex! w-full gap-2.5 px-2.5 py-1.5"
              checked={chosen.has(id)}
              onCheckedChange={() => toggle(id)}
              label={
                <span className="grid min-w-0">
                  <span className="truncate">{text}</span>
                  <span className="num text-ink-3 text-sm">
                    <Plural value={total} one="# video" other="# videos" />
                    {' · '}
                    <Plural value={events} one="# event" other="# events" />
                    {' · '}
                    <Ago time={created_at} />
                  </span>
                </span>
              }
            />
          </li>
        ))}
        {query.data && shown.length === 0 && (
          <li className="px-2.5 py-4 text-center text-ink-2">
            {all.length === 0 ? <Trans>No questions yet</Trans> : <Trans>No question matches the filter.</Trans>}
          </li>
        )}
        {query.hasNextPage && (
          <li className="p-1.5">
            <Button look="ghost" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              <Trans>Show more</Trans>
            </Button>
          </li>
        )}
      </ul>
    </fieldset>
  );
}
