import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { LibrarySearch } from '#frame/search-params.ts';
import { UploadButton } from '#rooms/uploads/upload-button.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { EmptyState } from '#ui/states.tsx';
import { toRecordedFilter } from '../recorded.ts';

/** A list without videos: nothing matches, the folder or the trash is empty. */
export function EmptyLibrary({ search }: { search: LibrarySearch }) {
  const { view, sort: _, scope, folder, trash, ...filters } = search;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const isByRecording = Object.values(toRecordedFilter(filters)).some((value) => value !== undefined);
  if (isFiltered || (scope && scope !== 'sample')) {
    return (
      <EmptyState
        title={<Trans>No video matches these filters</Trans>}
        action={
          <Link to="/" search={{ folder, trash, view }} className={buttonClass('plain')}>
            <Trans>Remove all filters</Trans>
          </Link>
        }
      >
        <Trans>Remove a filter, or look in another folder.</Trans>{' '}
        {isByRecording && <Trans>Videos without a known time of recording match no filter by it.</Trans>}
      </EmptyState>
    );
  }
  if (trash) {
    return (
      <EmptyState title={<Trans>No deleted videos</Trans>}>
        <Trans>Deleted videos stay here until they are erased. Until then you can restore them.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={folder ? <Trans>This folder is empty</Trans> : <Trans>No videos yet</Trans>}
      action={<UploadButton look="primary" />}
    >
      <Trans>Drag video files or folders onto this page, or choose them.</Trans>
    </EmptyState>
  );
}
