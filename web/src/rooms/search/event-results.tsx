import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { EventFacets } from '@sightline/sdk';
import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import type { SearchSearch } from '#frame/search-params.ts';
import { AskManyDialog } from '#rooms/batches/ask-many-dialog.tsx';
import { EvidenceTile } from '#rooms/batches/evidence-tile.tsx';
import type { ListedEvent } from '#rooms/batches/queries.ts';
import { ExportButton } from '#rooms/exports/export-button.tsx';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { VirtualGrid } from '#ui/lists/virtual-list.tsx';
import { EmptyState, Skeleton } from '#ui/states.tsx';
import { ModelOffer } from './model-offer.tsx';
import { toExportFilter } from './queries.ts';
import { SearchOrder } from './search-filters.tsx';

type Found = {
  data: { events: ListedEvent[]; facets: EventFacets | null } | undefined;
  isPending: boolean;
  isPlaceholderData: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  fetchNextPage: () => unknown;
};

type Props = {
  facets: EventFacets | null;
  search: SearchSearch;
  onSearch: (next: SearchSearch) => void;
  filtersOpen: boolean;
  onFilters: () => void;
};

const PLACEHOLDERS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Number of events, their order, and on narrow pages a button that shows the filters. */
export function ResultsHeader({ facets, search, onSearch, filtersOpen, onFilters }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="num mr-auto" aria-live="polite">
        {facets ? <Total facets={facets} per={search.per ?? 'incident'} /> : <Trans>Events</Trans>}
      </h2>
      <Button className="lg:hidden" aria-expanded={filtersOpen} onClick={onFilters}>
        <Trans>Filters</Trans>
      </Button>
      <SearchOrder search={search} onSearch={onSearch} />
      {facets && facets.total > 0 && <ExportButton filter={toExportFilter(search)} />}
    </div>
  );
}

/** The events that were found, as images that open them in their video. */
export function EventResults({
  found,
  search,
  hasVectors,
}: {
  found: Found;
  search: SearchSearch;
  hasVectors: boolean;
}) {
  const { t } = useLingui();
  const { data, isPending, isPlaceholderData, isFetchingNextPage, hasNextPage, fetchNextPage } = found;
  const fetchMore = () => hasNextPage && !isFetchingNextPage && !isPlaceholderData && void fetchNextPage();
  return (
    <section className="min-w-0">
      {isPending && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(210px,1fr))] gap-3.5">
          {PLACEHOLDERS.map((key) => (
            <Skeleton key={key} className="aspect-video" />
          ))}
        </div>
      )}
      {data?.events.length === 0 && <NothingFound search={search} hasVectors={hasVectors} />}
      {data && data.events.length > 0 && (
        <div aria-busy={isPlaceholderData} className={classes(isPlaceholderData && 'opacity-60')}>
          <VirtualGrid
            label={t`Events`}
            items={data.events}
            itemKey={({ id }) => id}
            minWidth={210}
            estimate={190}
            onEnd={fetchMore}
          >
            {(event) => <EvidenceTile event={event} />}
          </VirtualGrid>
        </div>
      )}
    </section>
  );
}

/** Search finds what earlier questions found; the same words can be a new question. */
function NothingFound({ search: { q = '', folder }, hasVectors }: { search: SearchSearch; hasVectors: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <EmptyState
        title={<Trans>No event matches</Trans>}
        action={
          q && (
            <Button look="primary" icon={MessageSquare} onClick={() => setOpen(true)}>
              {folder ? <Trans>Ask the videos of the folder</Trans> : <Trans>Ask all videos</Trans>}
            </Button>
          )
        }
      >
        <Trans>
          Search finds events of earlier questions. To look for something new, ask a question about your videos.
        </Trans>
        <AskManyDialog
          open={open}
          onClose={() => setOpen(false)}
          videos={{ folder_id: folder }}
          title={folder ? <Trans>Ask the videos of the folder</Trans> : <Trans>Ask all videos</Trans>}
          text={q}
        />
      </EmptyState>
      {!hasVectors && <ModelOffer />}
    </>
  );
}

/** Number of incidents or events; of many events, the service counts the newest ones. */
function Total({
  facets: { total, is_complete: isComplete },
  per,
}: {
  facets: EventFacets;
  per: 'event' | 'incident';
}) {
  const isEvents = per === 'event';
  if (isComplete)
    return isEvents ? (
      <Plural value={total} one="# event" other="# events" />
    ) : (
      <Plural value={total} one="# incident" other="# incidents" />
    );
  const counted = formatNumber(total);
  return (
    <>
      {isEvents ? <Trans>{counted}+ events</Trans> : <Trans>{counted}+ incidents</Trans>}{' '}
      <span className="font-normal text-ink-3 text-sm">
        {isEvents ? <Trans>Numbers of the newest {counted}</Trans> : <Trans>Numbers of the newest events</Trans>}
      </span>
    </>
  );
}
