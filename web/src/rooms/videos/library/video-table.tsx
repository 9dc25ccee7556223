import { Trans, useLingui } from '@lingui/react/macro';
import { memo } from 'react';
import { classes } from '#ui/classes.ts';
import { COLUMNS, type LibraryColumn } from './columns.tsx';
import type { LibraryVideo } from './library-query.ts';
import { Poster } from './poster.tsx';
import { useSelected } from './selection/selection.ts';
import { CELL, SelectBox, useClicks, type VideoCellProps, VideoLink, VideoStatus } from './video-parts.tsx';

const FIRST_OF_READY = COLUMNS.findIndex(({ ofReady }) => ofReady);

/** The names of the columns. Screen readers read them in each cell. */
export function TableHeader() {
  const { t } = useLingui();
  return (
    <div
      aria-hidden
      className="sticky top-0 z-10 flex h-8 items-center gap-3 border-b bg-bg px-2 font-medium text-ink-3 text-sm"
    >
      <span className="min-w-0 flex-1 pl-8">
        <Trans>Name</Trans>
      </span>
      {COLUMNS.map(({ name, className }) => (
        <span key={name.id} className={className}>
          {t(name)}
        </span>
      ))}
    </div>
  );
}

/** A video in the table: poster, name and the columns. */
export const VideoRow = memo(function VideoRow(props: VideoCellProps) {
  const { video, index, active, selection } = props;
  const selected = useSelected(selection, video.video_id);
  const onClick = useClicks(props);
  const isReady = video.status === 'uploaded' && video.restorable_until === null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list cannot be a table.
    <div
      role="gridcell"
      data-index={index}
      aria-selected={selected}
      tabIndex={active ? 0 : -1}
      className={classes(
        CELL,
        'flex h-11 items-center gap-3 rounded-none border-b px-2 -outline-offset-2 hover:bg-raise/60',
        selected && 'bg-accent/10',
      )}
    >
      <SelectBox {...props} selected={selected} />
      <VideoLink video={video} onClick={onClick} className="flex min-w-0 flex-1 items-center gap-3">
        <Poster video={{ ...video, duration_s: null }} className="h-9 w-16 shrink-0 rounded-sm" />
        <span className="truncate font-medium" title={video.video_name}>
          {video.video_name}
        </span>
      </VideoLink>
      {COLUMNS.map((column, i) => {
        if (isReady || !column.ofReady) return <Cell key={column.name.id} column={column} video={video} />;
        return i === FIRST_OF_READY && <State key={column.name.id} video={video} />;
      })}
    </div>
  );
});

function Cell({ column, video }: { column: LibraryColumn; video: LibraryVideo }) {
  const { t } = useLingui();
  const content = column.cell(video);
  return (
    <span className={classes('num truncate text-ink-2', column.className)} title={column.tooltip?.(video)}>
      {content ? (
        <>
          <span className="sr-only">{t(column.name)} </span>
          {content}
        </>
      ) : null}
    </span>
  );
}

/** The state of a video, as wide as the columns that only ready videos have. */
const State = ({ video }: { video: LibraryVideo }) => (
  <span className="relative flex gap-3">
    {COLUMNS.filter(({ ofReady }) => ofReady).map(({ name, className }) => (
      <span key={name.id} className={className} />
    ))}
    <span className="num absolute inset-y-0 right-0 flex w-full min-w-36 items-center justify-end truncate max-sm:hidden">
      <VideoStatus video={video} />
    </span>
  </span>
);
