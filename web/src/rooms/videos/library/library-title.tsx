import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Title } from '#frame/page-slots.tsx';
import type { LibrarySearch } from '#frame/search-params.ts';
import { formatTime } from '#ui/format/format.ts';
import { FolderMenu } from './folders/folder-menu.tsx';
import { useFolder } from './folders/folders.ts';
import type { LibraryVideo } from './library-query.ts';

/** Title of the library: its folder, and what a list that is loaded completely contains. */
export function LibraryTitle({
  search,
  videos,
  complete,
  onFolder,
}: {
  search: LibrarySearch;
  videos: readonly LibraryVideo[];
  complete: boolean;
  onFolder: (id: string | undefined) => void;
}) {
  const { t } = useLingui();
  const folder = useFolder(search.folder);
  const totalS = videos.reduce((sum, { duration_s }) => sum + (duration_s ?? 0), 0);
  return (
    <Title text={folder?.name ?? t`Library`}>
      <h1 className="truncate text-base text-ink-2 max-sm:sr-only">
        {search.trash ? <Trans>Deleted videos</Trans> : <Trans>Library</Trans>}
      </h1>
      {!search.trash && search.scope !== 'sample' && (
        <>
          <span aria-hidden className="text-ink-3 max-sm:hidden">
            /
          </span>
          <FolderMenu folderId={search.folder} name={folder?.name} onChoose={onFolder} />
        </>
      )}
      {complete && videos.length > 0 && (
        <span className="num shrink-0 text-ink-3 max-md:hidden">
          <Plural value={videos.length} one="# video" other="# videos" /> · {formatTime(totalS, 0)}
        </span>
      )}
    </Title>
  );
}
