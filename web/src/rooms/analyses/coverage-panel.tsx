import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Range } from '#timeline/lanes.ts';
import { classes } from '#ui/classes.ts';
import { formatTime } from '#ui/format/format.ts';
import { ServiceLanguageNote, ServiceText } from '#ui/service-text.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { SearchHelp } from './ask/search-help.tsx';
import { DOTS } from './coverage.ts';
import { useAnalysis } from './queries.ts';
import type { PanelProps } from './types.ts';

/** Longest list of ranges. */
const MAX_RANGES = 50;

/** The parts of a question that were searched for, with their limits, and those that were not. */
export function CoveragePanel({
  video,
  analysisId: chosen,
  unseen,
}: PanelProps & {
  /** Ranges that were not seen; null if that is not known. */
  unseen: readonly Range[] | null;
}) {
  const { t } = useLingui();
  const { document, isPending, error, refetch } = useAnalysis(video.videoId, chosen);
  const states: Record<string, string> = {
    looked_for: t`searched for`,
    partly: t`searched for, with limits`,
    not_looked_for: t`not searched for`,
  };
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} className="m-3.5" />;
  if (isPending) return <Skeleton className="m-3.5 h-40" />;
  if (!document) {
    return (
      <EmptyState title={<Trans>No question yet</Trans>}>
        <Trans>After a question, this states what was searched for, by what, and what could not be.</Trans>
      </EmptyState>
    );
  }
  const { query, coverage, interpretation, status } = document.analysis;
  return (
    <div className="grid gap-3.5 p-3.5">
      <div>
        <h2 className="break-words">{query}</h2>
        {interpretation && (
          <p className="mt-1 break-words text-ink-2 text-sm">
            <ServiceText>{interpretation}</ServiceText>
          </p>
        )}
        <ServiceLanguageNote />
      </div>
      {status === 'PROCESSING' && (
        <p className="text-ink-2">
          <Trans>The question is still running.</Trans>
        </p>
      )}
      <ul className="divide-y border-y">
        {coverage.map(({ text, status: state, by, reason, findings }) => (
          <li key={text} className="grid grid-cols-[auto_1fr] gap-x-2.5 py-2.5">
            <span aria-hidden className={classes('mt-1.5 size-2 rounded-full', DOTS[state])} />
            <div className="grid min-w-0 gap-0.5 break-words">
              <p className="flex justify-between gap-3">
                <span className="min-w-0 font-medium">{text}</span>
                <span className="num shrink-0 text-ink-3">
                  <Plural value={findings} one="# event" other="# events" />
                </span>
              </p>
              <p className={state === 'not_looked_for' ? 'text-sm text-warn' : 'text-ink-2 text-sm'}>
                {states[state] ?? state}
                {by.length > 0 && <span className="text-ink-3"> · {by.join(', ')}</span>}
              </p>
              {reason && (
                <p className="text-ink-2 text-sm">
                  <ServiceText>{reason}</ServiceText>
                </p>
              )}
              {state === 'not_looked_for' && (
                <p className="text-sm">
                  <SearchHelp />
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {unseen && (
        <section>
          <h3>
            <Trans>Ranges that were not seen in full</Trans>
          </h3>
          {unseen.length > 0 ? (
            <ul className="num text-sm">
              {unseen.slice(0, MAX_RANGES).map(({ startS, endS, reason }) => (
                <li key={`${startS} ${reason}`}>
                  {formatTime(startS)}–{formatTime(endS)} <span className="text-ink-2">{reason}</span>
                </li>
              ))}
              {unseen.length > MAX_RANGES && (
                <li className="text-ink-2">
                  <Trans>and {unseen.length - MAX_RANGES} more</Trans>
                </li>
              )}
            </ul>
          ) : (
            <p className="text-ink-2 text-sm">
              <Trans>None: every frame was seen.</Trans>
            </p>
          )}
        </section>
      )}
    </div>
  );
}
