import { Plural, Trans } from '@lingui/react/macro';
import { MessageSquare } from 'lucide-react';
import { memo, useState } from 'react';
import { AskManyDialog } from '#rooms/batches/ask-many-dialog.tsx';
import { type LibraryFilter, type LibraryVideo, toVideoFilter } from './library-query.ts';

/** Opens a question about all videos of the list. `count`: null while more videos can be loaded. */
export const AskBar = memo(function AskBar({
  filter,
  videos,
  count,
}: {
  filter: LibraryFilter;
  videos: readonly LibraryVideo[];
  count: number | null;
}) {
  const [open, setOpen] = useState(false);
  const title =
    count === null ? (
      <Trans>Ask all videos of this list</Trans>
    ) : (
      <Plural value={count} one="Ask # video" other="Ask all # videos" />
    );
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="num mx-4.5 mt-3 flex h-10 shrink-0 items-center gap-2.5 rounded-lg border bg-panel px-3 text-left text-ink-3 hover:border-strong-line"
      >
        <MessageSquare size={15} className="shrink-0 text-accent-text" aria-hidden />
        <span className="truncate">{title}</span>
      </button>
      <AskManyDialog
        open={open}
        onClose={() => setOpen(false)}
        // The samples have no filter, and a question is about uploaded videos.
        videos={
          filter.scope === 'sample' || (filter.status && filter.status !== 'ready')
            ? videos.map((video) => video.video_id)
            : toVideoFilter(filter)
        }
        title={title}
      />
    </>
  );
});
