import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { EventReviewRequest, EventSummary } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useId } from 'react';
import { Confidence } from '#rooms/analyses/event-card.tsx';
import { analysisQuery } from '#rooms/analyses/queries.ts';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { INPUT } from '#ui/controls/field.tsx';
import { Keys } from '#ui/controls/keys.tsx';
import { formatTime } from '#ui/format/format.ts';
import { ServiceLanguageNote, ServiceText } from '#ui/service-text.tsx';
import { Badge } from '#ui/states.tsx';
import { useReasons } from './reasons.ts';

type Props = {
  event: EventSummary;
  /** The field of the label, for the key that edits it. */
  label: RefObject<HTMLInputElement | null>;
  /** True while a reason can be chosen by its number. */
  isRejecting: boolean;
  onChange: (change: EventReviewRequest) => void;
  onVerdict: (approval: 'approved' | 'rejected' | 'unsure', reason?: string) => void;
  children?: ReactNode;
};

/** The current event with its corrections and its verdict. */
export function EventPanel({ event, label, isRejecting, onChange, onVerdict, children }: Props) {
  const { t } = useLingui();
  const reasons = useReasons();
  const { data: document } = useQuery(analysisQuery(event.video_id, event.analysis_id));
  const found = document?.analysis.events.find(({ event_id }) => event_id === event.event_id);
  const labelId = useId();

  function saveLabel(form: FormEvent<HTMLFormElement>) {
    form.preventDefault();
    const next = String(new FormData(form.currentTarget).get('label')).trim();
    if (next && next !== event.label) onChange({ label: next });
    label.current?.blur();
  }

  return (
    <div className="grid content-start gap-3">
      <div className="grid gap-1">
        <h2 className="break-words text-lg leading-5.5 first-letter:uppercase" lang="en">
          {event.label}
        </h2>
        <Confidence value={event.confidence} />
        {found && (
          <p className="break-words text-ink-2 text-sm">
            <ServiceText>{found.aiAnalysis}</ServiceText>
          </p>
        )}
        {found?.caveats.map((caveat) => (
          <p key={caveat} className="break-words text-sm text-warn">
            <ServiceText>{caveat}</ServiceText>
          </p>
        ))}
        <ServiceLanguageNote />
        <State event={event} />
      </div>
      <form onSubmit={saveLabel} className="grid gap-1">
        <label htmlFor={labelId} className="text-ink-2 text-sm">
          <Trans>Label</Trans>
        </label>
        <input
          ref={label}
          id={labelId}
          key={`${event.event_id} ${event.label}`}
          name="label"
          defaultValue={event.label}
          maxLength={1_000}
          lang="en"
          className={INPUT}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== 'Escape') return;
            currentTarget.value = event.label;
            currentTarget.blur();
          }}
        />
      </form>
      <dl className="grid grid-cols-2 gap-2">
        <Edge name={t({ message: 'Start', context: 'time' })} keys="[" time={event.start_s} />
        <Edge name={t({ message: 'End', context: 'time' })} keys="]" time={event.end_s} />
      </dl>
      <fieldset className="grid gap-1.5">
        <legend className={classes('mb-1.5 text-sm', isRejecting ? 'text-bad' : 'text-ink-2')}>
          {isRejecting ? <Trans>Rejected, because …</Trans> : <Trans>If rejected, because</Trans>}
        </legend>
        <div className="flex flex-wrap gap-1.5">
          {reasons.map(({ value, name }, index) => (
            <Button
              key={value}
              className={classes(isRejecting && 'border-bad')}
              onClick={() => onVerdict('rejected', value)}
            >
              <span className="num text-ink-3">{index + 1}</span>
              {name}
            </Button>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap gap-2 *:flex-1 max-lg:sticky max-lg:bottom-0 max-lg:bg-panel max-lg:py-2">
        <Button look="danger" className="h-10 border-bad" onClick={() => onVerdict('rejected')}>
          <Trans>Reject</Trans>
        </Button>
        <Button look="primary" className="h-10" onClick={() => onVerdict('approved')}>
          <Trans>Approve</Trans>
        </Button>
        <Button className="h-10" onClick={() => onVerdict('unsure')}>
          <Trans>Unsure</Trans>
        </Button>
      </div>
      {children}
    </div>
  );
}

function Edge({ name, keys, time }: { name: string; keys: string; time: number }) {
  return (
    <div className="grid gap-1">
      <dt className="flex justify-between text-ink-2 text-sm">
        {name} <Keys>{keys}</Keys>
      </dt>
      <dd className="num rounded-md border bg-bg px-2 py-1 font-mono">{formatTime(time, 3)}</dd>
    </div>
  );
}

/** The decision, and whether a person added or changed the event. */
function State({ event }: { event: EventSummary }) {
  const { t } = useLingui();
  const reasons = useReasons();
  const review = event.review as { reason: string | null; disputed: boolean; added: boolean; original: unknown } | null;
  const tones = { approved: 'ok', rejected: 'bad', unsure: 'warn' } as const;
  const names = { approved: t`Approved`, rejected: t`Rejected`, unsure: t`Unsure` };
  const approval = event.approval as keyof typeof names;
  return (
    <p className="flex min-h-4.5 flex-wrap gap-1.5" aria-live="polite">
      {approval in names && <Badge tone={tones[approval]}>{names[approval]}</Badge>}
      {event.approval === 'pending' && event.implied && (
        <Badge tone={tones[event.implied.approval]}>
          {event.implied.approval === 'approved' ? t`Implied: approved` : t`Implied: rejected`}
        </Badge>
      )}
      {event.incident && event.incident.questions > 1 && (
        <Badge>
          <Plural value={event.incident.questions} one="# question" other="# questions" />
        </Badge>
      )}
      {review?.reason && <Badge>{reasons.find(({ value }) => value === review.reason)?.name ?? review.reason}</Badge>}
      {review?.disputed && <Badge tone="warn">{t`Reviewers disagree`}</Badge>}
      {review?.added && <Badge>{t`Added by a person`}</Badge>}
      {Boolean(review?.original) && <Badge>{t`Corrected`}</Badge>}
    </p>
  );
}
