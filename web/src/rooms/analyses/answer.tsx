import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AnalysisDocument } from '@sightline/sdk';
import { CircleAlert } from 'lucide-react';
import { classes } from '#ui/classes.ts';
import { formatNumber } from '#ui/format/format.ts';
import { ServiceLanguageNote, ServiceText } from '#ui/service-text.tsx';
import { Cost } from './cost.tsx';
import { DOTS, withoutRepeats, withoutText } from './coverage.ts';

type Analysis = AnalysisDocument['analysis'];

/** The answer, how the question was understood, and the number of events. */
export function Answer({ analysis }: { analysis: Analysis }) {
  const { answer, interpretation, events, candidates = [], coverage, plan, status, message, vision } = analysis;
  if (status === 'FAILED') {
    return (
      <p className="flex items-start gap-2 break-words">
        <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden />
        <span>
          <ServiceText>{message ?? answer}</ServiceText>
        </span>
      </p>
    );
  }
  // A list of what was looked for is answered by a list; a sentence about all of it is hard to read.
  const isList = coverage.length > 1 && plan?.question === null && !vision;
  return (
    <div className="grid gap-2">
      {isList ? (
        <Parts coverage={coverage} />
      ) : (
        <div className="grid gap-1">
          <p className="break-words">
            <ServiceText>{answer}</ServiceText>
          </p>
          {interpretation && (
            <p className="break-words text-ink-2 text-sm">
              <ServiceText>{interpretation}</ServiceText>
            </p>
          )}
          <ServiceLanguageNote />
        </div>
      )}
      {events.length + candidates.length > 0 && (
        <p className="num flex justify-between font-semibold">
          <Plural value={events.length} one="# event" other="# events" />
          {candidates.length > 0 && (
            <span className="font-normal text-ink-3">
              <Plural value={candidates.length} one="# candidate" other="# candidates" />
            </span>
          )}
        </p>
      )}
      {vision && (
        <p className="num text-ink-3 text-sm">
          <Trans>
            {vision.model}: {formatNumber(vision.input_tokens + vision.output_tokens, { notation: 'compact' })} tokens,{' '}
            {formatNumber(vision.shown_share, { style: 'percent' })} of the range shown
          </Trans>
          <Cost of={vision.cost} />
        </p>
      )}
    </div>
  );
}

/** The number of events of each part of the question. */
function Parts({ coverage }: Pick<Analysis, 'coverage'>) {
  const { t } = useLingui();
  return (
    <ul aria-label={t`Answer`} className="grid gap-1">
      {withoutRepeats(coverage).map(({ text, status, findings, reason }) => (
        <li key={text} className="flex items-baseline gap-2">
          <span
            aria-hidden
            className={classes(
              'size-2 shrink-0 rounded-full',
              findings || status === 'not_looked_for' ? DOTS[status] : 'bg-line',
            )}
          />
          <span className={classes('min-w-0 flex-1 break-words', findings === 0 && 'text-ink-2')}>
            {text}
            {status === 'not_looked_for' && reason && (
              <span className="block text-sm text-warn">
                <ServiceText>{withoutText(reason, text)}</ServiceText>
              </span>
            )}
          </span>
          <span className={classes('num shrink-0 text-sm', status === 'not_looked_for' ? 'text-warn' : 'text-ink-3')}>
            {status === 'not_looked_for' ? (
              <Trans>not searched for</Trans>
            ) : findings === 0 ? (
              <Trans>nothing</Trans>
            ) : (
              <Plural value={findings} one="# event" other="# events" />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
