import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { Title } from '#frame/page-slots.tsx';
import { EvidenceTile } from '#rooms/batches/evidence-tile.tsx';
import { narrow } from '#rooms/batches/facets.ts';
import { Button } from '#ui/button.tsx';
import { INPUT } from '#ui/field.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { VirtualGrid } from '#ui/virtual-list.tsx';
import type { SearchSearch } from '../../search-params.ts';
import { FilterChips } from './filter-chips.tsx';
import { NameMatches } from './name-matches.tsx';
import { foldersQuery, useEventSearch, videosQuery } from './queries.ts';

/** One box over the events of all analyses, and the names of videos and folders. */
export function SearchPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/app/search' });
  const { q: words = '' } = search;
  const navigate = useNavigate({ from: '/search' });
  const onSearch = (next: SearchSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  const found = useEventSearch(words, search.folder);
  const videos = useQuery(videosQuery(words, search.folder));
  const { data: folders = [] } = useQuery(foldersQuery);
  const named = words ? folders.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase())) : [];
  const shown = narrow(found.events, search);
  const isEmpty = !found.isLoading && !videos.isLoading && found.events.length === 0;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onSearch({ q: String(new FormData(event.currentTarget).get('q')).trim() || undefined });
  }

  return (
    <div className="grid gap-4 p-4.5">
      <Title text={t`Search`} />
      <search>
        <form onSubmit={submit} className="flex max-w-2xl gap-2">
          <input
            key={words}
            type="search"
            name="q"
            aria-label={t`Words to search for`}
            placeholder={t`Events, videos and folders`}
            defaultValue={words}
            maxLength={1_000}
            className={`${INPUT} h-9`}
          />
          <Button type="submit" look="primary" icon={Search} className="h-9">
            <Trans>Search</Trans>
          </Button>
        </form>
      </search>
      <FilterChips events={found.events} folders={folders} search={search} onSearch={onSearch} />
      {(found.error || videos.error) && <ErrorNotice error={found.error ?? videos.error} />}
      {!words && (
        <EmptyState title={<Trans>Search everything that was found</Trans>}>
          <Trans>
            Enter words such as “red car” or the name of a video. To look for something new, ask a question.
          </Trans>
        </EmptyState>
      )}
      {words && (
        <>
          <NameMatches folders={named} videos={videos.data?.videos ?? []} hasMore={videos.data?.has_more ?? false} />
          <section className="grid gap-2">
            <h2 className="num" aria-live="polite">
              <Plural value={shown.length} one="# event" other="# events" />
            </h2>
            {found.folders.total > found.folders.searched && (
              <p className="num text-sm text-warn">
                <Trans>
                  The {found.folders.searched} largest of {found.folders.total} folders were searched. Choose a folder
                  to search in another one.
                </Trans>
              </p>
            )}
            {found.isLoading && shown.length === 0 && <Skeleton className="h-44" />}
            {isEmpty && (
              <p className="text-ink-2">
                <Trans>
                  No event matches. Search finds events of earlier questions about videos in folders; ask a question to
                  look for more.
                </Trans>
              </p>
            )}
            <VirtualGrid label={t`Events`} items={shown} itemKey={({ id }) => id} minWidth={210} estimate={190}>
              {(event) => <EvidenceTile event={event} />}
            </VirtualGrid>
          </section>
        </>
      )}
    </div>
  );
}
