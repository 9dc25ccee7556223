import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import type { LibrarySearch } from '#frame/search-params.ts';
import { useSlashKey } from '#frame/shortcuts.tsx';
import { FirstRun } from '#rooms/system/first-run.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { AskBar } from './library/ask-bar.tsx';
import { EmptyLibrary } from './library/empty-library.tsx';
import { FilterBar } from './library/filter-bar.tsx';
import { type LibraryVideo, libraryQuery } from './library/library-query.ts';
import { LibraryTitle } from './library/library-title.tsx';
import { createSelection } from './library/selection/selection.ts';
import { type SelectionAction, SelectionBar } from './library/selection/selection-bar.tsx';
import { VideoGrid } from './library/video-grid.tsx';

// Loaded when something is first done with selected videos.
const SelectionDialogs = lazyComponent(
  async () => (await import('./library/selection/selection-dialogs.tsx')).SelectionDialogs,
);

/** Lists with at most this many videos show the first steps. */
const FEW_VIDEOS = 8;

/** The videos of the library, with all that can be done with many of them. */
export function LibraryPage() {
  const search = useSearch({ from: '/app/' });
  const navigate = useNavigate();
  // The controls respond at once; rendering dozens of other videos can be interrupted, and follows.
  const shown = useDeferredValue(search);
  const { view = 'grid' } = shown;
  // The same objects while nothing of the list changes: a click renders the controls, not the list below them.
  const filter = useMemo(() => ({ ...shown, view: undefined }), [shown]);
  const list = useInfiniteQuery(libraryQuery(filter));
  const videos = useMemo(() => list.data?.pages.flatMap((page) => page.videos) ?? [], [list.data]);
  const { error, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = list;

  const key = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another selection.
  const selection = useMemo(createSelection, [key]);
  const [action, setAction] = useState<SelectionAction | null>(null);
  const nameInput = useSlashKey();

  const change = useCallback(
    (next: LibrarySearch) => void navigate({ to: '/', search: next, replace: true }),
    [navigate],
  );
  const fetchMore = useCallback(() => {
    if (!isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const open = useCallback(
    ({ video_id }: LibraryVideo) => void navigate({ to: '/videos/$videoId', params: { videoId: video_id } }),
    [navigate],
  );
  const remove = useCallback(() => setAction(shown.trash ? 'erase' : 'delete'), [shown.trash]);
  const isEmpty = !isPending && !error && videos.length === 0;
  const unfiltered = Object.values(filter).every((value) => value === undefined);

  return (
    <div className="relative flex h-full flex-col">
      <LibraryTitle
        search={search}
        videos={videos}
        complete={!isPending && !hasNextPage}
        onFolder={(folder) => void navigate({ to: '/', search: { ...search, folder } })}
      />
      {/* A question's filter has no status: such a list can be queried once it is loaded completely. */}
      {videos.length > 0 && !shown.trash && !(shown.status && hasNextPage) && (
        <AskBar filter={filter} videos={videos} count={hasNextPage ? null : videos.length} />
      )}
      <FilterBar search={search} change={change} nameInput={nameInput} />
      {error && (
        <ErrorNotice
          error={error}
          onRetry={() => void (videos.length > 0 ? fetchNextPage() : refetch())}
          className="mx-4.5 mb-3"
        />
      )}
      {unfiltered && !isPending && !error && videos.length <= FEW_VIDEOS && <FirstRun videos={videos} />}
      {isEmpty && !unfiltered && <EmptyLibrary search={shown} />}
      {!isEmpty && !(error && videos.length === 0) && (
        <VideoGrid
          key={key}
          videos={videos}
          view={view}
          isPending={isPending}
          hasMore={hasNextPage && !isFetchNextPageError}
          fetchMore={fetchMore}
          selection={selection}
          onOpen={open}
          onDelete={remove}
        />
      )}
      <SelectionBar
        selection={selection}
        trash={shown.trash === true}
        samples={shown.scope === 'sample'}
        onAction={setAction}
      />
      {action && (
        <Suspense>
          <SelectionDialogs
            action={action}
            videos={videos}
            selected={selection.current()}
            onDone={() => selection.clear()}
            onClose={() => setAction(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
