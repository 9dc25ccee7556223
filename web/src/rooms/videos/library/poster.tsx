import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { signedUrlQuery } from '#api/signed-urls.ts';
import { drawTile, type Storyboard } from '#player/storyboard.ts';
import { classes } from '#ui/classes.ts';
import { formatTime } from '#ui/format/format.ts';
import type { LibraryVideo } from './library-query.ts';
import { useStoryboard } from './storyboard.ts';

/** The poster of a video. Moving the pointer across it scrubs through the storyboard. */
export function Poster({ video, className }: { video: LibraryVideo; className?: string }) {
  const { video_id: id, duration_s: durationS } = video;
  const ready = video.status === 'uploaded' && video.restorable_until === null;
  const { data: url } = useQuery({ ...signedUrlQuery(id, 'poster'), enabled: ready });
  const [missing, setMissing] = useState(false);
  const [share, setShare] = useState<number | null>(null);
  const storyboard = useStoryboard(id, ready && share !== null);

  function scrub(event: PointerEvent<HTMLDivElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setShare(Math.min(1, Math.max(0, (event.clientX - left) / width)));
  }
  const scrubbing = share !== null && storyboard !== null;
  return (
    <div
      className={classes('relative overflow-hidden bg-raise', className)}
      onPointerMove={ready ? scrub : undefined}
      onPointerLeave={() => setShare(null)}
    >
      {url && !missing && (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setMissing(true)}
          className="size-full object-cover"
        />
      )}
      {scrubbing && <StoryboardFrame storyboard={storyboard} timeS={share * (durationS ?? 0)} />}
      {scrubbing && <span className="absolute inset-y-0 w-px bg-accent" style={{ left: `${share * 100}%` }} />}
      {durationS !== null && (
        <span className="num absolute right-1.5 bottom-1.5 rounded-sm bg-black/70 px-1.5 text-white text-xs">
          {scrubbing ? `${formatTime(share * durationS, 0)} / ${formatTime(durationS, 0)}` : formatTime(durationS, 0)}
        </span>
      )}
    </div>
  );
}

/** The frame of a storyboard at a time, as large as its container. */
function StoryboardFrame({ storyboard, timeS }: { storyboard: Storyboard; timeS: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => drawTile(canvas.current!, storyboard, timeS), [storyboard, timeS]);
  return <canvas ref={canvas} className="absolute inset-0 size-full bg-black object-cover" />;
}
