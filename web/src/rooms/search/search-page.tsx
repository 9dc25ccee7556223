import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFolders } from '#api/folders-query.ts';
import { Title } from '#frame/page-slots.tsx';
import type { SearchSearch } from '#frame/search-params.ts';
import { useSlashKey } from '#frame/shortcuts.tsx';
import { systemQuery } from '#rooms/system/system-query.ts';
import { classes } from '#ui/classes.ts';
import { buttonClass } from '#ui/controls/button.tsx';
import { SearchField } from '#ui/controls/search-field.tsx';
import { EmptyState, ErrorNotice } from '#ui/states.tsx';
import { EventResults, ResultsHeader } from './event-results.tsx';
import { FrameResults } from './frame-results.tsx';
import type { ChosenImage } from './frames-query.ts';
import { ImagePicker } from './image-picker.tsx';
import { NameMatches } from './name-matches.tsx';
import { PassageResults } from './passage-results.tsx';
import { eventsQuery, videosQuery } from './queries.ts';
import { ActiveFilters, SearchFilters } from './search-filters.tsx';

/** One box over the events of all analyses, what is spoken and read, names of videos and folders, and frames. */
export function SearchPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/app/search' });
  const { q: words = '' } = search;
  const navigate = useNavigate({ from: '/search' });
  const onSearch = (next: SearchSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  const found = useInfiniteQuery(eventsQuery(search));
  const videos = useQuery(videosQuery(words, search.folder));
  const folders = useFolders();
  const named = words ? folders.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase())) : [];
  const [image, setImage] = useState<ChosenImage | null>(null);
  const chooseImage = (next: ChosenImage | null) => {
    setImage(next);
    if (search.like) onSearch({ like: undefined });
  };
  const { data: system } = useQuery(systemQuery);
  const hasVectors = system?.observers.some((each) => each.kind === 'embeddings' && each.available) ?? false;
  // Wide pages always show the filters.
  const [open, setOpen] = useState(false);
  const input = useSlashKey();
  const facets = found.data?.facets ?? null;
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const isNew = found.data?.events.length === 0 && !isFiltered;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-4.5">
      <Title text={t`Search`} />
      <search className="flex flex-wrap items-center gap-2">
        <SearchField
          label={t`Words to search for`}
          placeholder={t`Events, words, videos and folders`}
          value={words}
          onChange={(q) => {
            setImage(null);
            onSearch({ q: q || undefined, like: undefined });
          }}
          inputRef={input}
          autoFocus={words === ''}
          className="h-10 w-full max-w-2xl"
        />
        {hasVectors && <ImagePicker image={image} onImage={chooseImage} />}
      </search>
      <ActiveFilters facets={facets} folders={folders} search={search} onSearch={onSearch} />
      {(found.error || videos.error) && (
        <ErrorNotice
          error={found.error ?? videos.error}
          onRetry={() => {
            if (found.error) void found.refetch();
            if (videos.error) void videos.refetch();
          }}
        />
      )}
      <FrameResults search={{ words, like: search.like, image, folder: search.folder }} available={hasVectors} />
      {isNew ? (
        <EmptyState
          title={<Trans>Search everything that was found</Trans>}
          action={
            <Link to="/" className={buttonClass('primary')}>
              <Trans>Choose videos</Trans>
            </Link>
          }
        >
          <Trans>
            The events of all questions appear here. Ask a question about a video first, or enter the name of a video.
          </Trans>
        </EmptyState>
      ) : (
        <>
          <NameMatches folders={named} videos={videos.data?.videos ?? []} hasMore={videos.data?.has_more ?? false} />
          <PassageResults search={{ words, folder: search.folder, video: search.video }} />
          <ResultsHeader
            facets={facets}
            search={search}
            onSearch={onSearch}
            filtersOpen={open}
            onFilters={() => setOpen(!open)}
          />
          <div className="grid gap-4 lg:grid-cols-[200px_minmax(0,1fr)]">
            <aside
              aria-label={t`Filters`}
              className={classes(
                'content-start gap-4 max-lg:grid-cols-2 max-sm:grid-cols-1 lg:grid',
                open ? 'grid' : 'hidden',
              )}
            >
              <SearchFilters facets={facets} search={search} onSearch={onSearch} />
            </aside>
            <EventResults found={found} search={search} hasVectors={hasVectors || system === undefined} />
          </div>
        </>
      )}
    </div>
  );
}
