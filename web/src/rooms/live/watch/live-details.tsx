import { Plural, Trans } from '@lingui/react/macro';
import type { LiveSession } from '@sightline/sdk';
import type { ReactNode } from 'react';
import { useFolderName } from '#api/folders-query.ts';
import { formatDateTime, formatMoment, formatTime } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';
import { RetainedText } from '../retained-text.tsx';
import { SessionState } from '../session-state.tsx';

/** Properties of a running session, and what is missing in its recording. */
export function LiveDetails({ session }: { session: LiveSession }) {
  const folder = useFolderName(session.folder_id);
  const { gaps } = session;
  return (
    <div className="grid gap-5 p-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
        <Row name={<Trans>Status</Trans>}>
          <SessionState session={session} />
        </Row>
        <Row name={<Trans>Address</Trans>}>
          <span className="break-all font-mono text-sm">{session.source_url}</span>
        </Row>
        <Row name={<Trans>Stream</Trans>}>
          <span className="break-all font-mono text-sm">{session.stream_id}</span>
        </Row>
        <Row name={<Trans>Started by</Trans>}>{session.created_by_display_name}</Row>
        <Row name={<Trans>Started</Trans>}>
          {session.started_at ? formatMoment(Date.parse(session.started_at)) : formatDateTime(session.created_at)}
        </Row>
        <Row name={<Trans>Folder</Trans>}>{session.folder_id ? (folder ?? '…') : <Trans>No folder</Trans>}</Row>
      </dl>
      {session.recording === 'events' && (
        <section className="grid gap-2">
          <h2 className="font-medium">
            <Trans>Recording around events</Trans>
          </h2>
          <RetainedText session={session} />
          <ul className="grid gap-1">
            {session.retained_spans.map(({ from_s, until_s, start_at, event_count }) => (
              <li key={from_s} className="num flex flex-wrap justify-between gap-x-2">
                <span>
                  {formatMoment(Date.parse(start_at))} · {formatTime(until_s - from_s, 0)}
                </span>
                <span className="text-ink-3">
                  {event_count === 0 ? (
                    <Trans>No event</Trans>
                  ) : (
                    <Plural value={event_count} one="# event" other="# events" />
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="grid gap-2">
        <h2 className="font-medium">
          <Trans>Gaps</Trans>
        </h2>
        {gaps.length === 0 && (
          <p className="text-ink-2">
            {session.recording === 'events' ? (
              <Trans>Everything since the start was received.</Trans>
            ) : (
              <Trans>Everything since the start is recorded.</Trans>
            )}
          </p>
        )}
        <ul className="grid gap-2">
          {gaps.map(({ chunk_index, from, from_s, until_s, reason }) => (
            <li key={chunk_index}>
              <p className="num">
                {formatMoment(Date.parse(from))} · {formatTime(until_s - from_s)}
              </p>
              <p className="text-ink-2 text-sm">
                <ServiceText>{reason}</ServiceText>
              </p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const Row = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <>
    <dt className="text-ink-3">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);
