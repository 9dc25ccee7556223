import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import { classes } from '#ui/classes.ts';
import { formatAgo, formatBytes, formatDateTime, formatNumber, formatTime } from '#ui/format/format.ts';
import type { LibraryVideo } from './library-query.ts';
import { Poster } from './poster.tsx';
import { useSelected, type VideoSelection } from './selection/selection.ts';

export type VideoCellProps = {
  video: LibraryVideo;
  index: number;
  /** True for the cell that the Tab key reaches; arrow keys move it. */
  active: boolean;
  selection: VideoSelection;
  /** Selects all videos from the last selected one to this one. */
  extendTo: (index: number) => void;
};

/** Opens a video, or selects it: with Shift a range, and one by one once a selection exists. */
function useClicks({ video, index, selection, extendTo }: VideoCellProps) {
  return (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    if (event.shiftKey) {
      event.preventDefault();
      extendTo(index);
    } else if (selection.current().size > 0) {
      event.preventDefault();
      selection.toggle(video.video_id, index);
    } else selection.setAnchor(index);
  };
}

const CELL = 'group relative min-w-0 select-none rounded-md outline-offset-4';

/** A video in the grid. */
export const VideoCard = memo(function VideoCard(props: VideoCellProps) {
  const { video, index, active, selection } = props;
  const selected = useSelected(selection, video.video_id);
  const onClick = useClicks(props);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list cannot be a table.
    <div role="gridcell" data-index={index} aria-selected={selected} tabIndex={active ? 0 : -1} className={CELL}>
      <VideoLink video={video} onClick={onClick} className="block">
        <Poster
          video={video}
          className={classes(
            'aspect-video rounded-md',
            selected && 'outline-2 outline-accent outline-offset-2',
            video.status !== 'uploaded' && 'grid place-items-center',
          )}
        />
        <p className="mt-1.5 truncate font-medium" title={video.video_name}>
          {video.video_name}
        </p>
      </VideoLink>
      <div className="num flex min-w-0 items-center gap-2 text-ink-2 text-sm">
        <EventCount video={video} />
        <ToReview video={video} />
        <Tags tags={video.tags} />
      </div>
      <SelectBox {...props} selected={selected} className="absolute top-2 left-2" />
    </div>
  );
});

/** A video in the table: poster, name, number of events, status, length, size, folder, upload time. */
export const VideoRow = memo(function VideoRow(props: VideoCellProps) {
  const { video, index, active, selection } = props;
  const selected = useSelected(selection, video.video_id);
  const onClick = useClicks(props);
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
      <span className="flex w-28 items-center gap-1.5 truncate max-xl:hidden">
        <Tags tags={video.tags} />
      </span>
      {video.status === 'uploaded' && video.restorable_until === null ? (
        <>
          <span className="num flex w-24 justify-end text-ink-2 max-lg:hidden">
            <EventCount video={video} />
          </span>
          <span className="num w-18 text-right text-ink-2 max-sm:hidden">
            {video.duration_s !== null && formatTime(video.duration_s, 0)}
          </span>
        </>
      ) : (
        // As wide as both columns with the gap between them.
        <span className="num flex w-45 justify-end truncate max-sm:hidden max-lg:w-36">
          <VideoStatus video={video} />
        </span>
      )}
      <span className="w-28 truncate text-ink-2 max-xl:hidden">{video.folder_name}</span>
      <span className="num w-20 text-right text-ink-2 max-sm:hidden">
        {video.size_bytes === null ? '' : formatBytes(video.size_bytes)}
      </span>
      <span className="num w-28 text-right text-ink-2 max-md:hidden" title={formatDateTime(video.created_at)}>
        {formatAgo(video.created_at)}
      </span>
    </div>
  );
});

function VideoLink({
  video,
  onClick,
  className,
  children,
}: {
  video: LibraryVideo;
  onClick: (event: MouseEvent) => void;
  className: string;
  children: React.ReactNode;
}) {
  return (
    <Link
      to="/videos/$videoId"
      params={{ videoId: video.video_id }}
      preload={false}
      tabIndex={-1}
      draggable={false}
      onClick={onClick}
      className={className}
    >
      {children}
    </Link>
  );
}

function SelectBox({
  video,
  index,
  selection,
  extendTo,
  selected,
  className,
}: VideoCellProps & { selected: boolean; className?: string }) {
  const { t } = useLingui();
  return (
    // biome-ignore lint/a11y/useSemanticElements: thousands of native boxes would each be a stop of the Tab key.
    <button
      type="button"
      role="checkbox"
      aria-checked={selected}
      aria-label={t`Select ${video.video_name}`}
      tabIndex={-1}
      onClick={(event) => (event.shiftKey ? extendTo(index) : selection.toggle(video.video_id, index))}
      className={classes(
        'grid size-5 shrink-0 place-items-center rounded-sm border',
        selected
          ? 'border-accent bg-accent text-accent-ink'
          : 'border-strong-line bg-panel/80 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-100',
        className,
      )}
    >
      {selected && <Check size={14} strokeWidth={3} aria-hidden />}
    </button>
  );
}

function VideoStatus({ video }: { video: LibraryVideo }) {
  if (video.restorable_until !== null) {
    const when = formatAgo(video.restorable_until);
    return (
      <span className="truncate text-ink-3">
        <Trans>Erased {when}</Trans>
      </span>
    );
  }
  if (video.status === 'processing') {
    return (
      <span className="flex items-center gap-1.5 text-ink-3">
        <LoaderCircle size={13} className="animate-spin" aria-hidden />
        <Trans>Preparing</Trans>
      </span>
    );
  }
  if (video.status === 'uploading_failed') {
    return (
      <span className="flex min-w-0 items-center gap-1.5 text-bad" title={video.message}>
        <CircleAlert size={13} className="shrink-0" aria-hidden />
        <span className="truncate" lang="en">
          {video.message}
        </span>
      </span>
    );
  }
  return (
    <span className="shrink-0 text-ink-3" title={formatDateTime(video.created_at)}>
      {formatAgo(video.created_at)}
    </span>
  );
}

/** Number of events that wait for a verdict; without any, the state of the video. */
function ToReview({ video }: { video: LibraryVideo }) {
  const pending = video.status === 'uploaded' && video.restorable_until === null ? video.events?.pending : 0;
  if (!pending) return <VideoStatus video={video} />;
  return (
    <span className="shrink-0 text-ink-3" title={formatDateTime(video.created_at)}>
      <Plural value={pending} one="# to review" other="# to review" />
    </span>
  );
}

/** Number of events; its tooltip has the most frequent labels. The service counts at most a thousand of a video. */
function EventCount({ video: { events } }: { video: LibraryVideo }) {
  if (!events?.count) return null;
  const { count, labels } = events;
  const counted = formatNumber(count);
  return (
    <span
      className="flex shrink-0 items-center gap-1.5 text-ink-2"
      title={labels.map((label) => `${label.count} × ${label.value}`).join('\n')}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-lane-1" />
      {count < MOST_EVENTS ? <Plural value={count} one="# event" other="# events" /> : <Trans>{counted}+ events</Trans>}
    </span>
  );
}
const MOST_EVENTS = 1_000;

const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length > 0 && (
    <span className="truncate text-ink-3" title={tags.join(', ')}>
      {tags.map((tag) => `#${tag}`).join(' ')}
    </span>
  );
