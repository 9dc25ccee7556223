import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ExportButton } from '#rooms/exports/export-button.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { VirtualList } from '#ui/lists/virtual-list.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { EventCard } from './event-card.tsx';
import { useAnalysis, useAnalysisEvents } from './queries.ts';
import type { EventItem, PanelProps } from './types.ts';

type Sort = 'time' | 'confidence' | 'severity';

/** From this number on, events can be filtered and sorted. */
const MANY = 6;
const CARD_PX = 112;
const RANKS: Record<string, number> = { high: 0, medium: 1, low: 2 };
const rankOf = ({ severity }: EventItem) => (severity === null ? 3 : (RANKS[severity] ?? 3));
const ORDERS: Record<Sort, (a: EventItem, b: EventItem) => number> = {
  time: (a, b) => a.startS - b.startS,
  confidence: (a, b) => b.confidence - a.confidence,
  severity: (a, b) => rankOf(a) - rankOf(b) || b.confidence - a.confidence,
};

/** The events of an analysis with their evidence; below them what was not certain enough. */
export function EventsPanel({ video, analysisId: chosen, selectedEvent, onSelect }: PanelProps) {
  const { t } = useLingui();
  const { document, isPending, error, refetch } = useAnalysis(video.videoId, chosen);
  const { events, candidates } = useAnalysisEvents(video.videoId, chosen);
  const [label, setLabel] = useState('');
  const [sort, setSort] = useState<Sort>('time');
  const labels = useMemo(() => [...new Set(events.map((event) => event.label))].sort(), [events]);
  const shown = useMemo(
    () => events.filter((event) => label === '' || event.label === label).toSorted(ORDERS[sort]),
    [events, label, sort],
  );
  const card = (event: EventItem) => (
    <EventCard
      video={video}
      event={event}
      selected={event.id === selectedEvent}
      onSelect={() => onSelect(event.id, event.startS)}
    />
  );

  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} className="m-3.5" />;
  if (isPending) return <Skeleton className="m-3.5 h-40" />;
  if (!document) {
    return (
      <EmptyState title={<Trans>No question yet</Trans>}>
        <Trans>Ask what to look for; what is found is listed here with its evidence.</Trans>
      </EmptyState>
    );
  }
  const { query, min_confidence = 0.5, status } = document.analysis;
  const least = formatNumber(min_confidence);
  return (
    <div className="grid gap-2 p-1.5">
      <div className="grid gap-2 px-2 pt-2">
        <p className="truncate text-ink-2 text-sm" title={query}>
          {query}
        </p>
        <div className="flex flex-wrap items-center gap-1.5">
          <h2 className="num mr-auto">
            <Plural value={shown.length} one="# event" other="# events" />
          </h2>
          {events.length > 0 && status === 'COMPLETED' && (
            <Link to="/review" search={{ video: video.videoId }} className="text-accent-text text-sm hover:underline">
              <Trans>Review</Trans>
            </Link>
          )}
          {events.some(({ isPreliminary }) => !isPreliminary) && (
            <ExportButton filter={{ video_ids: [video.videoId] }} />
          )}
        </div>
        {events.length >= MANY && (
          <div className="grid grid-cols-2 gap-1.5">
            <Select
              label={t`Label`}
              value={labels.includes(label) ? label : ''}
              onChange={setLabel}
              options={[{ value: '', label: t`All labels` }, ...labels.map((each) => ({ value: each, label: each }))]}
            />
            <Select
              label={t`Order`}
              value={sort}
              onChange={setSort}
              options={[
                { value: 'time', label: t`By time` },
                { value: 'confidence', label: t`Surest first` },
                { value: 'severity', label: t`Most severe first` },
              ]}
            />
          </div>
        )}
      </div>
      {events.length === 0 && (
        <p className="px-2 text-ink-2">
          {status === 'PROCESSING' ? (
            <Trans>Nothing was found so far.</Trans>
          ) : (
            <Trans>Nothing was found. The tab Coverage says what was searched for.</Trans>
          )}
        </p>
      )}
      <VirtualList
        label={t`Events`}
        items={shown}
        itemKey={(event) => event.id}
        estimate={CARD_PX}
        show={shown.findIndex(({ id }) => id === selectedEvent)}
      >
        {card}
      </VirtualList>
      {candidates.length > 0 && (
        <details className="border-t pt-2">
          <summary className="num rounded-md px-2 py-1 text-ink-2 hover:text-ink">
            <Plural
              value={candidates.length}
              one={`# candidate below a confidence of ${least}`}
              other={`# candidates below a confidence of ${least}`}
            />
          </summary>
          <VirtualList
            label={t`Candidates`}
            items={candidates}
            itemKey={(event) => event.id}
            estimate={CARD_PX}
            show={-1}
          >
            {card}
          </VirtualList>
        </details>
      )}
    </div>
  );
}
