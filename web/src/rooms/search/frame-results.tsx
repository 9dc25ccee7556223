import { Trans, useLingui } from '@lingui/react/macro';
import type { FrameMatches } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { ownAddress } from '#rooms/analyses/types.ts';
import { VideoLink } from '#rooms/batches/evidence-tile.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { formatTime } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { type FramesSearch, framesQuery } from './frames-query.ts';

type Match = FrameMatches['matches'][number];

const keyOf = ({ video_id, time_s, object }: Match) =>
  [video_id, time_s, ...Object.values(object?.box ?? {})].join(' ');

/** The frame in `like` of the search, with the box of an object in it. */
function likeOf({ video_id, time_s, object }: Match): string {
  const { x, y, width, height } = object?.box ?? {};
  return `${video_id}@${time_s}${object ? `@${[x, y, width, height].join(',')}` : ''}`;
}

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(170px,1fr))] gap-3.5';

/** Frames that resemble the words, the image or the frame that is searched for. */
export function FrameResults({ search, available }: { search: FramesSearch; available: boolean }) {
  const { t } = useLingui();
  const { data, error, isFetching, fetchStatus, refetch } = useQuery(framesQuery(search, available));
  if (!data && !error && fetchStatus === 'idle') return null;
  return (
    <section className="grid gap-2" aria-busy={isFetching}>
      <h2>
        <Trans>Similar frames</Trans>
      </h2>
      <p className="max-w-prose text-ink-2 text-sm">
        <Trans>The most similar frames come first. They need not show what you search for.</Trans>{' '}
        {data?.reason && <ServiceText>{data.reason}</ServiceText>}
      </p>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div className={GRID}>
          {[1, 2, 3, 4].map((key) => (
            <Skeleton key={key} className="aspect-video" />
          ))}
        </div>
      )}
      {data && data.matches.length > 0 && (
        <ul aria-label={t`Similar frames`} className={GRID}>
          {data.matches.map((match) => (
            <li key={keyOf(match)} className="min-w-0">
              <FrameTile match={match} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A frame that opens its video at its time, with the box of the object in it that was found. */
function FrameTile({ match }: { match: Match }) {
  const { t } = useLingui();
  const { video_id: videoId, video_name: name, time_s: timeS, object } = match;
  const time = formatTime(timeS);
  const [size, setSize] = useState<Size | null>(null);
  return (
    <article className="grid gap-1">
      <VideoLink videoId={videoId} search={{ t: timeS }} className="relative block overflow-hidden rounded-md bg-raise">
        <img
          src={ownAddress(match.image_url)}
          alt={object ? t`Frame of ${name} at ${time}: ${object.class}` : t`Frame of ${name} at ${time}`}
          loading="lazy"
          decoding="async"
          className="aspect-video w-full object-contain"
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
        />
        {object && size && <ObjectBox box={object.box} size={size} />}
        <span className="num absolute bottom-1 left-1 rounded-sm bg-black/75 px-1 text-white text-xs">{time}</span>
        {object && (
          <span lang="en" className="absolute right-1 bottom-1 rounded-sm bg-black/75 px-1 text-white text-xs">
            {object.class}
          </span>
        )}
      </VideoLink>
      <div className="flex items-center gap-2 text-sm">
        <span className="min-w-0 truncate text-ink-2" title={name}>
          {name}
        </span>
        <Link
          to="/search"
          search={{ like: likeOf(match) }}
          aria-label={
            object ? t`Objects like ${object.class} in ${name} at ${time}` : t`Frames like ${name} at ${time}`
          }
          title={object ? t`What looks like this object` : t`Frames like this one`}
          className={buttonClass('ghost', 'ml-auto px-1.5')}
        >
          <ScanSearch size={15} strokeWidth={1.75} aria-hidden />
        </Link>
      </div>
    </article>
  );
}

type Size = { width: number; height: number };

/** The box of an object over an image that is fitted into its tile; light on dark, to be seen on any image. */
function ObjectBox({ box, size: { width, height } }: { box: NonNullable<Match['object']>['box']; size: Size }) {
  const place = {
    x: box.x * width,
    y: box.y * height,
    width: box.width * width,
    height: box.height * height,
    fill: 'none',
    vectorEffect: 'non-scaling-stroke',
  };
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className="pointer-events-none absolute inset-0 size-full"
      aria-hidden
      data-box=""
    >
      <rect {...place} stroke="black" strokeWidth={4} strokeOpacity={0.6} />
      <rect {...place} stroke="white" strokeWidth={2} />
    </svg>
  );
}
