import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { isUnavailable } from '#api/queries.ts';
import { Breadcrumbs } from '#frame/breadcrumbs.tsx';
import { Title } from '#frame/page-slots.tsx';
import type { QuestionSearch } from '#frame/search-params.ts';
import { useIsCurrent } from '#frame/use-is-current.ts';
import { AddToDatasetButton } from '#rooms/datasets/add-button.tsx';
import { ExportButton } from '#rooms/exports/export-button.tsx';
import { ImportLabelsButton } from '#rooms/labels/import-labels-button.tsx';
import { SaveButton } from '#rooms/saved-questions/save-button.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { ErrorNotice, Skeleton, UnavailableState } from '#ui/states.tsx';
import { BatchHeader } from './batch-header.tsx';
import { CompareButton } from './compare-button.tsx';
import { ComparisonView } from './comparison-view.tsx';
import { EventResults } from './event-results.tsx';
import { useBatch } from './queries.ts';
import { ResultSummary } from './result-summary.tsx';

/** A question over several videos: its answer, the evidence by video, and the comparison with another question. */
export function QuestionPage() {
  const { t } = useLingui();
  const { batchId } = useParams({ from: '/app/questions/$batchId' });
  const search = useSearch({ from: '/app/questions/$batchId' });
  const navigate = useNavigate({ from: '/questions/$batchId' });
  const own = useBatch(batchId);
  const { batch, events, candidates, documents, question, isLoading, error, refetch } = own;
  const other = useBatch(search.compare);
  const isCurrent = useIsCurrent(`/questions/${batchId}`);
  const onSearch = (next: QuestionSearch) => {
    if (isCurrent()) void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  };

  if (isUnavailable(error)) return <Unavailable />;
  if (error || !batch) {
    return (
      <>
        <Title text={batch?.query ?? t`Question`} />
        {error ? (
          <ErrorNotice error={error} onRetry={refetch} className="m-4.5" />
        ) : (
          <Skeleton className="m-4.5 h-60" />
        )}
      </>
    );
  }
  if (search.compare) {
    return (
      <>
        <Title text={t`Compare`}>
          <Breadcrumbs to="/questions" list={<Trans>Questions</Trans>} title={t`Compare`} />
        </Title>
        <ComparisonView a={{ ...own, batch }} b={other} search={search} onSearch={onSearch} />
      </>
    );
  }
  return (
    <div>
      <Title text={batch.query}>
        <Breadcrumbs to="/questions" list={<Trans>Questions</Trans>} title={batch.query} />
      </Title>
      <BatchHeader
        batch={batch}
        question={question}
        toReview={isLoading ? 0 : events.filter(({ approval }) => approval === 'pending').length}
        summary={<ResultSummary batch={batch} events={events} documents={documents} isLoading={isLoading} />}
      >
        <CompareButton batch={batch} onSearch={onSearch} />
        <SaveButton question={{ query: batch.query, mode: batch.mode === 'fast' ? 'fast' : 'thinking' }} />
        {events.length > 0 && <ExportButton filter={{ batch_id: batchId }} />}
        <AddToDatasetButton batchId={batchId} />
        {batch.status !== 'processing' && <ImportLabelsButton batchId={batchId} />}
      </BatchHeader>
      {isLoading && events.length === 0 ? (
        <LoadingTiles />
      ) : (
        <EventResults
          batch={batch}
          events={events}
          candidates={candidates}
          documents={documents}
          question={question}
          search={search}
          onSearch={onSearch}
        />
      )}
    </div>
  );
}

/** The place of the tiles. */
const LoadingTiles = () => (
  <div className="grid grid-cols-[repeat(auto-fill,minmax(210px,1fr))] gap-3.5 p-4.5">
    {['a', 'b', 'c', 'd', 'e'].map((key) => (
      <Skeleton key={key} className="aspect-video" />
    ))}
  </div>
);

function Unavailable() {
  const { t } = useLingui();
  return (
    <>
      <Title text={t`Question`} />
      <UnavailableState
        title={<Trans>This question is not available</Trans>}
        action={
          <Link to="/questions" className={buttonClass('primary')}>
            <Trans>Show questions</Trans>
          </Link>
        }
      />
    </>
  );
}
