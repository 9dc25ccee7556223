import { Trans } from '@lingui/react/macro';
import type { LiveSession } from '@sightline/sdk';
import type { ReactNode } from 'react';
import { formatBytes, formatNumber, formatTime } from '#ui/format/format.ts';

/** Chunks whose sizes make the bitrate. */
const RECENT = 10;

/** Below the timeline: what arrives from the source, and how the analysis follows it. */
export function HealthBar({ session }: { session: LiveSession }) {
  const { chunks, gaps, analysis, duration_s, size_bytes, current_time, recording, retained_s } = session;
  const recent = chunks.slice(-RECENT);
  const seconds = recent.reduce((sum, { duration_s: length }) => sum + length, 0);
  const megabits = (recent.reduce((sum, { size_bytes: size }) => sum + size, 0) * 8) / 1e6 / Math.max(0.1, seconds);
  const last = recent.at(-1);
  const agoS = last && (Date.parse(current_time) - Date.parse(last.capture_time)) / 1_000 - last.duration_s;
  return (
    <dl className="num flex shrink-0 flex-wrap gap-x-4 gap-y-1 border-t px-3 py-2 text-sm sm:px-4.5">
      <Fact name={<Trans>Recorded</Trans>}>
        {recording === 'events' ? (
          <Trans>
            {formatTime(retained_s, 0)} of {formatTime(duration_s, 0)}
          </Trans>
        ) : (
          formatTime(duration_s, 0)
        )}{' '}
        · {formatBytes(size_bytes)}
      </Fact>
      {last && (
        <>
          <Fact name={<Trans>Bitrate</Trans>}>
            <Trans>{formatNumber(megabits, { maximumFractionDigits: 1 })} Mbit/s</Trans>
          </Fact>
          <Fact name={<Trans>Last chunk</Trans>}>
            <Trans>{formatNumber(Math.max(0, agoS ?? 0), { maximumFractionDigits: 1 })} s ago</Trans>
          </Fact>
        </>
      )}
      {analysis && (
        <Fact name={<Trans>Analysis waits for</Trans>}>
          <Trans>{formatNumber(analysis.behind_s, { maximumFractionDigits: 1 })} s</Trans>
        </Fact>
      )}
      <Fact name={<Trans>Reconnects</Trans>}>{formatNumber(gaps.length)}</Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className="flex gap-1.5">
    <dt className="text-ink-3">{name}</dt>
    <dd>{children}</dd>
  </div>
);
