import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { GitCompare } from 'lucide-react';
import { useState } from 'react';
import type { QuestionSearch } from '#frame/search-params.ts';
import { Button } from '#ui/controls/button.tsx';
import { SearchField } from '#ui/controls/search-field.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { EventCount } from './question-row.tsx';
import { hasWords } from './run-groups.ts';
import { useQuestions } from './use-questions.ts';

type Props = { batch: Batch; onSearch: (next: QuestionSearch) => void };

/** Chooses the question that this one is compared with. */
export function CompareButton({ batch, onSearch }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={GitCompare} onClick={() => setOpen(true)}>
        <Trans>Compare</Trans>
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={<Trans>Compare with another question</Trans>}>
        {open && (
          <Choices
            batch={batch}
            onChoose={(compare) => {
              setOpen(false);
              onSearch({ compare, part: undefined });
            }}
          />
        )}
      </Dialog>
    </>
  );
}

function Choices({ batch, onChoose }: { batch: Batch; onChoose: (batchId: string) => void }) {
  const { t } = useLingui();
  const [words, setWords] = useState('');
  const { batches, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useQuestions(
    undefined,
    words,
  );
  const shown = batches.filter((each) => each.batch_id !== batch.batch_id && hasWords(each, words));
  return (
    <div className="grid gap-3">
      <SearchField label={t`Search questions`} value={words} onChange={setWords} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton className="h-24" />}
      {!isPending && !error && shown.length === 0 && !isFetchingNextPage && (
        <EmptyState
          title={words ? <Trans>No question matches the filter.</Trans> : <Trans>No other question yet</Trans>}
        />
      )}
      <ul aria-label={t`Questions`} className="max-h-96 divide-y overflow-y-auto">
        {shown.map(({ batch_id: id, query, aggregated_progress: { total }, event_count: events, created_at: at }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onChoose(id)}
              className="grid w-full rounded-md px-2 py-2 text-left outline-offset-[-2px] hover:bg-raise"
            >
              <span className="truncate font-medium" title={query}>
                {query}
              </span>
              <span className="num text-ink-3 text-sm">
                <Ago time={at} />
                {' · '}
                <Plural value={total} one="# video" other="# videos" />
                {' · '}
                <EventCount count={events} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()} className="justify-self-center">
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  );
}
