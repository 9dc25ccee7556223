import { Trans, useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { isUnavailable } from '#api/queries.ts';
import { Title } from '#frame/page-slots.tsx';
import { sessionOfVideoQuery } from '#rooms/live/live-queries.ts';
import { SessionEnded } from '#rooms/live/session-ended.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { EmptyState, ErrorNotice, ProgressBar, Skeleton, UnavailableState } from '#ui/states.tsx';
import { DetailsTab } from './video/details/details-tab.tsx';
import { videoQuery } from './video/queries.ts';
import { Workspace } from './video/workspace.tsx';

const LiveWorkspace = lazyComponent(async () => (await import('#rooms/live/watch/live-workspace.tsx')).LiveWorkspace);

/** A video with its timeline; questions, events and details beside it. */
export function VideoPage() {
  const { t } = useLingui();
  const { videoId } = useParams({ from: '/app/videos/$videoId' });
  // The router may render the page once more without its parameters, while another page loads.
  const { data: video, error, refetch } = useQuery({ ...videoQuery(videoId), enabled: Boolean(videoId) });
  // A livestream that ended without a recording has lost its video while it was shown.
  const isLost = error && (!video || (video.status === 'processing' && isUnavailable(error)));
  if (isLost) return <Failure videoId={videoId} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Title text={video?.video_name ?? t`Video`}>{video && <Breadcrumbs video={video} />}</Title>
      {video ? <Video key={videoId} video={video} /> : <Loading />}
    </>
  );
}

function Video({ video }: { video: VideoStatus }) {
  if (video.status === 'uploaded') return <Workspace video={video} />;
  if (video.status === 'processing') return <Processing video={video} />;
  return (
    <div className="mx-auto max-w-xl p-6">
      <EmptyState title={<Trans>The video could not be processed</Trans>}>
        {video.message ? <ServiceText>{video.message}</ServiceText> : <Trans>The reason is not known.</Trans>}
        {video.error && <p className="mt-1 select-all font-mono text-ink-3 text-xs">{video.error}</p>}
      </EmptyState>
      <DetailsTab video={video} />
    </div>
  );
}

/** A video that cannot be played yet, or the livestream that it is a recording of. */
function Processing({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const { data: session, isPending } = useQuery(sessionOfVideoQuery(video.video_id));
  if (isPending) return <Loading />;
  if (session) {
    return (
      <Suspense fallback={<Loading />}>
        <LiveWorkspace video={video} ids={session} />
      </Suspense>
    );
  }
  return (
    <EmptyState title={<Trans>The video is being processed</Trans>}>
      <p>
        <Trans>It can be played as soon as its upload is complete and its format is known.</Trans>
      </p>
      <ProgressBar value={null} label={t`Processing`} className="mt-4" />
    </EmptyState>
  );
}

function Breadcrumbs({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const link = 'shrink-0 text-ink-3 hover:text-ink';
  return (
    <nav aria-label={t`Breadcrumbs`} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-2">
        <li className="max-sm:hidden">
          {video.status === 'processing' && video.metadata.source === 'live' ? (
            <Link to="/live" className={link}>
              <Trans>Live</Trans>
            </Link>
          ) : (
            <Link to="/" className={link}>
              <Trans>Library</Trans>
            </Link>
          )}
        </li>
        {video.folder_id && (
          <li className="flex gap-2 max-lg:hidden">
            <Separator />
            <Link to="/" search={{ folder: video.folder_id }} className={link}>
              {video.folder_name}
            </Link>
          </li>
        )}
        <li className="flex min-w-0 gap-2">
          <Separator />
          <h1 aria-current="page" title={video.video_name} className="truncate text-base">
            {video.video_name}
          </h1>
        </li>
      </ol>
    </nav>
  );
}

const Separator = () => (
  <span aria-hidden className="text-ink-3 max-sm:hidden">
    /
  </span>
);

const Loading = () => (
  <div aria-busy className="grid gap-3 p-4.5 lg:mr-101">
    <Skeleton className="aspect-video max-h-[60vh] w-full" />
    <Skeleton className="h-8" />
    <Skeleton className="h-40" />
  </div>
);

function Failure({ videoId, error, onRetry }: { videoId: string; error: unknown; onRetry: () => void }) {
  const { t } = useLingui();
  // A livestream of which nothing could be recorded has no video.
  const { data: session, isPending } = useQuery({
    ...sessionOfVideoQuery(videoId),
    enabled: isUnavailable(error),
  });
  if (isUnavailable(error) && isPending) return <Loading />;
  if (session) {
    return (
      <>
        <Title text={session.name} />
        <SessionEnded session={session} />
      </>
    );
  }
  if (!isUnavailable(error)) {
    return (
      <div className="mx-auto max-w-xl p-6">
        <Title text={t`Video`} />
        <ErrorNotice error={error} onRetry={onRetry} />
      </div>
    );
  }
  return (
    <>
      <Title text={t`Video`} />
      <UnavailableState
        title={<Trans>This video is not available</Trans>}
        action={
          <Link to="/" className={buttonClass('primary')}>
            <Trans>Go to the library</Trans>
          </Link>
        }
      />
    </>
  );
}
