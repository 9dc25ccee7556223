import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import type { MouseEvent } from 'react';
import { classes } from '#ui/classes.ts';
import { formatAgo, formatDateTime, formatNumber } from '#ui/format/format.ts';
import type { LibraryVideo } from './library-query.ts';
import type { VideoSelection } from './selection/selection.ts';

/** Parts of a video in the grid and in the table. */
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
export function useClicks({ video, index, selection, extendTo }: VideoCellProps) {
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

export const CELL = 'group relative min-w-0 select-none rounded-md outline-offset-4';

export function VideoLink({
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

export function SelectBox({
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

export function VideoStatus({ video }: { video: LibraryVideo }) {
  if (video.restorable_until !== null) {
    const when = formatAgo(video.restorable_until);
    return (
      <span className="truncate text-ink-3">
        {video.hold ? <Trans>On legal hold</Trans> : <Trans>Erased {when}</Trans>}
      </span>
    );
  }
  // A running stream is not being prepared: it records until it ends.
  if (video.status === 'processing' && video.source === 'live') {
    return (
      <span className="flex items-center gap-1.5 text-ink-2">
        <span aria-hidden className="size-2 rounded-full bg-bad" />
        <Trans>Recording</Trans>
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

/**
 * Number of incidents, however many questions found each; its tooltip has the most frequent labels. The service counts
 * those of at most a thousand events of a video.
 */
export function EventCount({ video: { events } }: { video: LibraryVideo }) {
  if (!events?.count) return null;
  const { count, incidents, labels } = events;
  const counted = formatNumber(incidents);
  return (
    <span
      className="inline-flex shrink-0 items-center gap-1.5 text-ink-2"
      title={labels.map((label) => `${label.count} × ${label.value}`).join('\n')}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-lane-1" />
      {count < MOST_EVENTS ? (
        <Plural value={incidents} one="# incident" other="# incidents" />
      ) : (
        <Trans>{counted}+ incidents</Trans>
      )}
    </span>
  );
}
const MOST_EVENTS = 1_000;

export const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length > 0 && (
    <span className="truncate text-ink-3" title={tags.join(', ')}>
      {tags.map((tag) => `#${tag}`).join(' ')}
    </span>
  );
