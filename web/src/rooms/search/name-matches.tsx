import { Trans, useLingui } from '@lingui/react/macro';
import type { Folder, VideoSummary } from '@sightline/sdk';
import { Link } from '@tanstack/react-router';
import { Clapperboard, FolderClosed } from 'lucide-react';
import { VideoLink } from '#rooms/batches/evidence-tile.tsx';
import { formatNumber, formatTime } from '#ui/format/format.ts';

const ROW = 'flex min-w-0 items-center gap-2 rounded-md px-2 py-1 hover:bg-raise';

/** Folders and videos whose name contains the words. */
export function NameMatches({
  folders,
  videos,
  hasMore,
}: {
  folders: readonly Folder[];
  videos: readonly VideoSummary[];
  hasMore: boolean;
}) {
  const { t } = useLingui();
  if (folders.length + videos.length === 0) return null;
  return (
    <section className="grid gap-1">
      <h2>
        <Trans>Videos and folders</Trans>
      </h2>
      <ul aria-label={t`Videos and folders`} className="-mx-2 grid grid-cols-[repeat(auto-fill,minmax(240px,1fr))]">
        {folders.map(({ id, name, video_count: count }) => (
          <li key={id} className="min-w-0">
            <Link to="/" search={{ folder: id }} className={ROW}>
              <FolderClosed size={15} className="shrink-0 text-ink-3" aria-hidden />
              <span className="truncate">{name}</span>
              <span className="num ml-auto text-ink-3 text-sm">{formatNumber(count)}</span>
            </Link>
          </li>
        ))}
        {videos.map(({ video_id: id, video_name: name, duration_s: durationS }) => (
          <li key={id} className="min-w-0">
            <VideoLink videoId={id} search={{}} className={ROW}>
              <Clapperboard size={15} className="shrink-0 text-ink-3" aria-hidden />
              <span className="truncate">{name}</span>
              {durationS !== null && <span className="num ml-auto text-ink-3 text-sm">{formatTime(durationS, 0)}</span>}
            </VideoLink>
          </li>
        ))}
      </ul>
      {hasMore && (
        <p className="text-ink-3 text-sm">
          <Trans>The library shows all videos with this name.</Trans>
        </p>
      )}
    </section>
  );
}
