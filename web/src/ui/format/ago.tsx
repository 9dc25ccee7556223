import { formatAgo, formatDateTime } from './format.ts';

/** A time relative to now, with date and time as tooltip. */
export const Ago = ({ time }: { time: string }) => (
  <time dateTime={time} title={formatDateTime(time)}>
    {formatAgo(time)}
  </time>
);
