import { useLingui } from '@lingui/react/macro';
import type { Camera } from '@sightline/sdk';
import { VideoOff } from 'lucide-react';
import { classes } from '#ui/classes.ts';

/** The newest image of a camera; dimmed unless frames arrive. */
export function Snapshot({ camera, className }: { camera: Camera; className?: string }) {
  const { t } = useLingui();
  const { name, state, snapshot_url, last_frame_at } = camera;
  const frame = classes('block aspect-video rounded-sm bg-raise object-cover', className);
  if (snapshot_url === null) {
    return (
      <span className={classes(frame, 'grid place-items-center text-ink-3')}>
        <VideoOff size={14} aria-hidden />
      </span>
    );
  }
  // The address stays the same while the image changes.
  const url = new URL(snapshot_url, location.href);
  if (last_frame_at) url.searchParams.set('at', String(Math.floor(Date.parse(last_frame_at) / 10_000)));
  return (
    <img
      src={url.pathname + url.search}
      alt={t`Newest frame of ${name}`}
      loading="lazy"
      className={classes(frame, state !== 'live' && 'opacity-50 grayscale')}
    />
  );
}
