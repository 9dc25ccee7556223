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
  return (
    <img
      src={snapshotAddress(snapshot_url, last_frame_at)}
      alt={t`Newest frame of ${name}`}
      loading="lazy"
      className={classes(frame, state !== 'live' && 'opacity-50 grayscale')}
    />
  );
}

/** Address of an image of a camera. The signed one stays the same while the image changes. */
export function snapshotAddress(signed: string, lastFrameAt: string | null): string {
  const url = new URL(signed, location.href);
  if (lastFrameAt) url.searchParams.set('at', String(Math.floor(Date.parse(lastFrameAt) / 10_000)));
  return url.pathname + url.search;
}
