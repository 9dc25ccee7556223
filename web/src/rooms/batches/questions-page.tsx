import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CircleStop, RotateCw } from 'lucide-react';
import { Title } from '#frame/page-slots.tsx';
import { useSlashKey } from '#frame/shortcuts.tsx';
import { Button, buttonClass, IconButton } from '#ui/controls/button.tsx';
import { SearchField } from '#ui/controls/search-field.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatAgo, formatDateTime, formatNumber } from '#ui/format/format.ts';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { EmptyState, ErrorNotice, ProgressBar, Skeleton } from '#ui/states.tsx';
import { canRetry, useBatchActions } from './actions.ts';
import { BatchStatus } from './batch-status.tsx';
import { batchesQuery } from './queries.ts';

/** All questions, newest first. */
export function QuestionsPage() {
  const { t } = useLingui();
  const { q = '', status } = useSearch({ from: '/app/questions' });
  const navigate = useNavigate({ from: '/questions' });
  const input = useSlashKey();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    batchesQuery(status),
  );
  const all = data?.pages.flatMap((page) => page.batches) ?? [];
  const batches = all.filter((batch) => batch.query.toLowerCase().includes(q.toLowerCase()));

  return (
    <div className="mx-auto grid max-w-6xl content-start gap-3 p-4.5 md:py-6">
      <Title text={t`Questions`} />
      <div className="flex flex-wrap gap-2">
        <SearchField
          label={t`Filter by words`}
          value={q}
          onChange={(words) => void navigate({ search: (old) => ({ ...old, q: words || undefined }), replace: true })}
          inputRef={input}
          className="w-72 max-sm:w-full"
        />
        <Select
          label={t`Status`}
          value={status ?? 'all'}
          onChange={(next) =>
            void navigate({ search: (old) => ({ ...old, status: next === 'all' ? undefined : next }), replace: true })
          }
          options={[
            { value: 'all', label: t`All questions` },
            { value: 'processing', label: t`Running` },
            { value: 'completed', label: t`Completed` },
            { value: 'failed', label: t`Failed` },
            { value: 'cancelled', label: t`Canceled` },
          ]}
        />
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && ['a', 'b', 'c', 'd'].map((key) => <Skeleton key={key} className="h-12" />)}
      {data && all.length === 0 && !status && (
        <EmptyState
          title={<Trans>No questions yet</Trans>}
          action={
            <Link to="/" className={buttonClass('primary')}>
              <Trans>Choose videos</Trans>
            </Link>
          }
        >
          <Trans>Choose videos or a folder in the library and ask what to look for. The answers stay here.</Trans>
        </EmptyState>
      )}
      {data && batches.length === 0 && (all.length > 0 || status) && (
        <p className="py-8 text-center text-ink-2">
          <Trans>No question matches the filter.</Trans>
        </p>
      )}
      <VirtualList label={t`Questions`} items={batches} itemKey={(batch) => batch.batch_id} estimate={52}>
        {(batch) => <QuestionRow batch={batch} />}
      </VirtualList>
      {hasNextPage && (
        <Button className="mx-auto" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  );
}

/** The service counts no further. */
const MOST_EVENTS = 10_000;

function EventCount({ count }: { count: number }) {
  const shown = formatNumber(count);
  return count < MOST_EVENTS ? (
    <Plural value={count} one="# event" other="# events" />
  ) : (
    <Trans>{shown} events or more</Trans>
  );
}

function QuestionRow({ batch }: { batch: Batch }) {
  const { t } = useLingui();
  const { cancel, retry } = useBatchActions();
  const { completed, total } = batch.aggregated_progress;
  return (
    <div className="relative flex min-h-13 flex-wrap items-center gap-x-4 gap-y-1 border-b px-2 py-2 hover:bg-raise/60">
      <div className="min-w-0 flex-1 basis-60">
        <Link
          to="/questions/$batchId"
          params={{ batchId: batch.batch_id }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {batch.query}
        </Link>
        <p className="num text-ink-3 text-sm">
          <Plural value={total} one="# video" other="# videos" />
          {' · '}
          {batch.status !== 'failed' && (
            <>
              <EventCount count={batch.event_count} />
              {' · '}
            </>
          )}
          <time dateTime={batch.created_at} title={formatDateTime(batch.created_at)}>
            {formatAgo(batch.created_at)}
          </time>
        </p>
        {batch.status === 'processing' && (
          <ProgressBar value={completed / total} label={t`Progress of the question`} className="mt-1 h-0.75" />
        )}
      </div>
      <BatchStatus batch={batch} />
      <span className="relative flex w-8 justify-end">
        {batch.status === 'processing' && (
          <IconButton icon={CircleStop} label={t`Cancel “${batch.query}”`} onClick={() => void cancel(batch)} />
        )}
        {canRetry(batch) && (
          <IconButton
            icon={RotateCw}
            label={t`Run “${batch.query}” again where it failed`}
            onClick={() => void retry(batch)}
          />
        )}
      </span>
    </div>
  );
}
