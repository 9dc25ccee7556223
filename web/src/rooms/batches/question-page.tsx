import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Title } from '#frame/page-slots.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { QuestionSearch } from '../../search-params.ts';
import { BatchHeader } from './batch-header.tsx';
import { BatchVideos } from './batch-videos.tsx';
import { compareEvents } from './compare.ts';
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
  const onSearch = (next: QuestionSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });

  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} className="m-4.5" />;
  if (!batch) return <Skeleton className="m-4.5 h-60" />;
  const parts = compared && { a: compared.onlyA, b: compared.onlyB, both: compared.both };
  const shown = parts ? parts[search.part ?? 'a'] : events;
  return (
    <div className="flex h-full flex-col">
      <Title text={batch.query} />
      <BatchHeader batch={batch} question={question}>
        <CompareMenu batch={batch} onSearch={onSearch} />
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
                <EmptyState title={<Trans>Nothing here</Trans>}>
                  {batch.status === 'processing' ? (
                    <Trans>What is found appears here at once.</Trans>
                  ) : (
                    <Plural
                      value={batch.aggregated_progress.total}
                      one="Nothing was found in # video."
                      other="Nothing was found in # videos."
                    />
                  )}
                </EmptyState>
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
