import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Title } from '#frame/page-slots.tsx';
import { useSlashKey } from '#frame/shortcuts.tsx';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { SearchField } from '#ui/controls/search-field.tsx';
import { Select } from '#ui/controls/select.tsx';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { QuestionRow } from './question-row.tsx';
import { RunGroup } from './run-group.tsx';
import { groupRuns, hasWords, type QuestionEntry } from './run-groups.ts';
import { useQuestions } from './use-questions.ts';

/** All questions, newest first; runs of a saved question are one row. */
export function QuestionsPage() {
  const { t } = useLingui();
  const { q = '', status } = useSearch({ from: '/app/questions' });
  const navigate = useNavigate({ from: '/questions' });
  const input = useSlashKey();
  const {
    batches: all,
    data,
    error,
    isPending,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    refetch,
  } = useQuestions(status, q);
  const entries = groupRuns(all.filter((batch) => hasWords(batch, q)));

  return (
    <div className="grid content-start gap-3 p-4.5 md:py-6">
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
      {data && entries.length === 0 && !isFetchingNextPage && (all.length > 0 || status) && (
        <p className="py-8 text-center text-ink-2">
          <Trans>No question matches the filter.</Trans>
        </p>
      )}
      <VirtualList label={t`Questions`} items={entries} itemKey={keyOf} estimate={52}>
        {(entry) => (entry.kind === 'single' ? <QuestionRow batch={entry.batch} /> : <RunGroup group={entry} />)}
      </VirtualList>
      {hasNextPage && (
        <Button className="mx-auto" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  );
}

const keyOf = (entry: QuestionEntry) => (entry.kind === 'single' ? entry.batch.batch_id : entry.savedQuestionId);
