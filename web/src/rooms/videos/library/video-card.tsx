import { Plural } from '@lingui/react/macro';
import { memo } from 'react';
import { classes } from '#ui/classes.ts';
import { formatDateTime } from '#ui/format/format.ts';
import type { LibraryVideo } from './library-query.ts';
import { Poster } from './poster.tsx';
import { useSelected } from './selection/selection.ts';
import {
  CELL,
  EventCount,
  SelectBox,
  Tags,
  useClicks,
  type VideoCellProps,
  VideoLink,
  VideoStatus,
} from './video-parts.tsx';

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

/** Number of incidents that wait for a verdict; without any, the state of the video. */
function ToReview({ video }: { video: LibraryVideo }) {
  const pending = video.status === 'uploaded' && video.restorable_until === null ? video.events?.pending_incidents : 0;
  if (!pending) return <VideoStatus video={video} />;
  return (
    <span className="shrink-0 text-ink-3" title={formatDateTime(video.created_at)}>
      <Plural value={pending} one="# to review" other="# to review" />
    </span>
  );
}
