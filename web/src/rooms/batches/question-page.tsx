import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
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
import { Tabs } from '#ui/controls/tabs.tsx';
import { EmptyState, ErrorNotice, Skeleton, UnavailableState } from '#ui/states.tsx';
import { BatchHeader } from './batch-header.tsx';
import { BatchVideos } from './batch-videos.tsx';
import { compareEvents, shownPart } from './compare.ts';
import { CompareMenu, ComparisonBar } from './comparison-bar.tsx';
import { EventGrid } from './event-grid.tsx';
import { useBatch } from './queries.ts';

/** A question over several videos: progress, evidence, facets, videos, and the comparison with another question. */
export function QuestionPage() {
  const { t } = useLingui();
  const { batchId } = useParams({ from: '/app/questions/$batchId' });
  const search = useSearch({ from: '/app/questions/$batchId' });
  const navigate = useNavigate({ from: '/questions/$batchId' });
  const { batch, events, question, isLoading, error, refetch } = useBatch(batchId);
  const other = useBatch(search.compare);
  const compared = useMemo(
    () => (search.compare && other.batch ? compareEvents(events, other.events) : null),
    [events, other.events, other.batch, search.compare],
  );
  const isCurrent = useIsCurrent(`/questions/${batchId}`);
  const onSearch = (next: QuestionSearch) => {
    if (isCurrent()) void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  };

  if (isUnavailable(error)) return <Unavailable />;
  if (error || !batch) {
    return (
      <>
        <Title text={t`Question`} />
        {error ? (
          <ErrorNotice error={error} onRetry={() => void refetch()} className="m-4.5" />
        ) : (
          <Skeleton className="m-4.5 h-60" />
        )}
      </>
    );
  }
  const parts = compared && { a: compared.onlyA, b: compared.onlyB, both: compared.both };
  const shown = parts ? parts[shownPart(search, compared)] : events;
  return (
    <div className="flex h-full flex-col">
      <Title text={batch.query}>
        <Breadcrumbs to="/questions" list={<Trans>Questions</Trans>} title={batch.query} />
      </Title>
      <BatchHeader batch={batch} question={question}>
        <CompareMenu batch={batch} onSearch={onSearch} />
        <SaveButton question={{ query: batch.query, mode: batch.mode === 'fast' ? 'fast' : 'thinking' }} />
        <AddToDatasetButton batchId={batchId} />
        {batch.status !== 'processing' && <ImportLabelsButton batchId={batchId} />}
        {events.length > 0 && <ExportButton filter={{ batch_id: batchId }} />}
      </BatchHeader>
      <ComparisonBar search={search} onSearch={onSearch} other={other} compared={compared} />
      <Tabs
        label={t`Results`}
        className="flex-1"
        value={search.view ?? 'events'}
        onChange={(view) => onSearch({ view })}
        tabs={[
          {
            value: 'events',
            label: t`Events`,
            count: shown.length,
            panel:
              shown.length === 0 && isLoading ? (
                <Skeleton className="m-4.5 h-60" />
              ) : shown.length === 0 ? (
                <NothingFound batch={batch} isComparison={parts !== null} />
              ) : (
                <EventGrid events={shown} search={search} onSearch={onSearch} />
              ),
          },
          {
            value: 'videos',
            label: t`Videos`,
            count: batch.videos.length,
            panel: <BatchVideos batch={batch} events={events} question={question} />,
          },
        ]}
      />
    </div>
  );
}

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

function NothingFound({ batch, isComparison }: { batch: Batch; isComparison: boolean }) {
  if (batch.status === 'processing') {
    return (
      <EmptyState title={<Trans>Nothing found yet</Trans>}>
        <Trans>What is found appears here at once.</Trans>
      </EmptyState>
    );
  }
  if (isComparison) return <EmptyState title={<Trans>No events in this part of the comparison</Trans>} />;
  return (
    <EmptyState title={<Trans>Nothing was found</Trans>}>
      <Plural
        value={batch.aggregated_progress.total}
        one="# video was searched. The tab Videos shows its state."
        other="# videos were searched. The tab Videos shows the state of each."
      />
    </EmptyState>
  );
}
