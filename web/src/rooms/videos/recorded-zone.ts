import type { VideoStatus } from '@sightline/sdk';

const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Zone in which the time of a recording is shown: its own; UTC for a time that was read without a zone. */
export const zoneOf = ({ time_zone, clock }: Pick<VideoStatus, 'time_zone' | 'clock'>): string =>
  time_zone ?? (clock?.zone_known === false ? 'UTC' : browserZone());
