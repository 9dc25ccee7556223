import { Trans, useLingui } from '@lingui/react/macro';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { Title } from '#frame/page-slots.tsx';
import { Button } from '#ui/button.tsx';
import { formatTime } from '#ui/format.ts';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import type { LibrarySearch } from '../../search-params.ts';

const PAGE_SIZE = 60;

const libraryQuery = ({ q, folder, tag }: LibrarySearch) =>
  infiniteQueryOptions({
    queryKey: ['videos', { q, folder, tag }],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { name: q, folder_id: folder, tag, limit: PAGE_SIZE, cursor: pageParam };
      return (await api.GET('/api/videos', { params: { query }, signal })).data!;
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** The videos of the library, newest first. */
export function LibraryPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/app/' });
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(libraryQuery(search));
  const videos = data?.pages.flatMap((page) => page.videos) ?? [];
  return (
    <div className="p-4.5">
      <Title text={t`Library`} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!isPending && !error && videos.length === 0 && (
        <EmptyState title={<Trans>No videos yet</Trans>}>
          <Trans>The library shows the videos of your team.</Trans>
        </EmptyState>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-3.5">
        {isPending && ['a', 'b', 'c', 'd', 'e'].map((key) => <Skeleton key={key} className="aspect-video" />)}
        {videos.map((video) => (
          <li key={video.video_id} className="min-w-0">
            <Poster videoId={video.video_id} />
            <p className="mt-1.5 truncate font-medium">{video.video_name}</p>
            <p className="num text-ink-2 text-sm">
              {video.duration_s === null ? video.message : formatTime(video.duration_s, 0)}
            </p>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mx-auto mt-4 flex" onClick={() => void fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  );
}

function Poster({ videoId }: { videoId: string }) {
  const { data } = useQuery({
    queryKey: ['poster', videoId],
    staleTime: 30 * 60_000,
    queryFn: async ({ signal }) => {
      const path = { video_id: videoId };
      return (
        await api.POST('/api/video/{video_id}/signed-url', { params: { path }, body: { kind: 'poster' }, signal })
      ).data!;
    },
  });
  return data ? (
    <img src={data.url} alt="" loading="lazy" className="aspect-video w-full rounded-md bg-black object-cover" />
  ) : (
    <Skeleton className="aspect-video" />
  );
}
