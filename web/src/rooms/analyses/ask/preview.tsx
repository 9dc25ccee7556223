import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Plan, QueryPreview } from '@sightline/sdk';
import { classes } from '#ui/classes.ts';
import { formatNumber } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';
import { Chosen } from '../chosen.tsx';
import { Cost } from '../cost.tsx';
import { DOTS, withoutRepeats, withoutText } from '../coverage.ts';
import { planChips } from './plan-chips.ts';
import { SearchHelp } from './search-help.tsx';

/** The reading of a prompt before it is sent: its parts that will be searched for, and others with the reason. */
export function Preview({ preview, stale }: { preview: QueryPreview; stale: boolean }) {
  const { t } = useLingui();
  const states = {
    looked_for: t`will be searched for`,
    partly: t`will be searched for, with limits`,
    not_looked_for: t`cannot be searched for`,
  };
  return (
    <div className={classes('grid gap-1.5 text-sm transition-opacity', stale && 'opacity-60')}>
      <ul aria-label={t`How the question is understood`} className="grid gap-1.5">
        {withoutRepeats(preview.parts).map(({ text, status, reason }) => (
          <li key={text} className="flex items-start gap-2">
            <span aria-hidden className={classes('mt-1.25 size-2 shrink-0 rounded-full', DOTS[status])} />
            <div className="min-w-0 break-words">
              <span className="font-medium text-ink">{text}</span> <span className="sr-only">{states[status]} </span>
              {status !== 'not_looked_for' &&
                planChips(preview.plan, text, t).map((chip) => (
                  <span key={chip} className="mr-1 inline-block rounded-full border px-1.5 text-ink-2 text-xs">
                    {chip}
                  </span>
                ))}
              {reason && (
                <span className="text-ink-2">
                  <ServiceText>{withoutText(reason, text)}</ServiceText>
                </span>
              )}
            </div>
          </li>
        ))}
        {preview.selection && (
          <li className="pl-4 text-ink-2">
            <Chosen selection={preview.selection} />
          </li>
        )}
        {isLimited(preview.plan) && (
          <li className="pl-4 text-ink-2">
            <ServiceText>{preview.interpretation}</ServiceText>
          </li>
        )}
        {preview.corrected.map(({ from, to }) => (
          <li key={from} className="flex items-start gap-2 text-ink-2">
            <span aria-hidden className="mt-1.25 size-2 shrink-0 rounded-full border border-ink-3" />
            <span>
              <Trans>
                “{from}” is read as <strong className="font-medium text-ink">{to}</strong>
              </Trans>
            </span>
          </li>
        ))}
        {preview.parts.some(({ status }) => status === 'not_looked_for') && (
          <li className="pl-4">
            <SearchHelp />
          </li>
        )}
      </ul>
    </div>
  );
}

/** True if a plan has parts that no chip shows: times, an order, or a calculation. */
const isLimited = ({ window, calculation, searches }: Plan): boolean =>
  window !== null ||
  calculation !== undefined ||
  searches.some(({ pick, window: own, moments, during }) => pick !== null || own || moments || during !== undefined);

/** Estimated time and cost, in one line. */
export function Estimate({ preview }: { preview: QueryPreview }) {
  const { estimated_seconds: seconds, estimated_vision_tokens: tokens, estimated_vision_cost: cost } = preview;
  const stored = preview.total_videos > 0 && preview.observed_videos === preview.total_videos;
  const minutes = Math.round(seconds / 60);
  return (
    <span className="num">
      {stored ? (
        <Trans>answers from what is stored</Trans>
      ) : seconds < 90 ? (
        <Trans>about {formatNumber(seconds)} s</Trans>
      ) : (
        <Plural value={minutes} one="about # minute" other="about # minutes" />
      )}
      {' · '}
      {tokens === 0 ? <Trans>free</Trans> : <Trans>{formatNumber(tokens, { notation: 'compact' })} tokens</Trans>}
      <Cost of={cost} />
    </span>
  );
}
