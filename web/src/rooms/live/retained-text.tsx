import { Plural, Trans } from '@lingui/react/macro';
import type { LiveSessionSummary } from '@sightline/sdk';
import { formatTime } from '#ui/format/format.ts';

type Retained = Pick<LiveSessionSummary, 'duration_s' | 'retained_s' | 'discarded_s' | 'event_count'> & {
  unanswered_s?: number | undefined;
};

/** States which part of a session is retained that is recorded around its events. */
export function RetainedText({ session }: { session: Retained }) {
  const { duration_s, retained_s, discarded_s, event_count, unanswered_s = 0 } = session;
  const [retained, total] = [retained_s, duration_s].map((seconds) => formatTime(seconds, 0));
  const undecidedS = duration_s - retained_s - discarded_s;
  return (
    <div className="grid gap-1">
      <p className="num">
        <Plural
          value={event_count}
          one={`Recorded ${retained} of ${total}, around # event`}
          other={`Recorded ${retained} of ${total}, around # events`}
        />
      </p>
      {undecidedS >= 1 && (
        <p className="num text-ink-3 text-sm">
          <Trans>Not decided yet: {formatTime(undecidedS, 0)}, in which an event may still be found</Trans>
        </p>
      )}
      {unanswered_s >= 1 && (
        <p className="num text-sm text-warn">
          <Trans>
            Deleted without an answer: {formatTime(unanswered_s, 0)}, because the analysis was too far behind
          </Trans>
        </p>
      )}
    </div>
  );
}
