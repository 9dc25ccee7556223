import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { UploadButton } from '#rooms/uploads/upload-button.tsx';
import { classes } from '#ui/classes.ts';
import { buttonClass, IconButton } from '#ui/controls/button.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { Skeleton } from '#ui/states.tsx';
import { InviteForm, KeyForm } from './first-run-forms.tsx';
import { type FirstSteps, useFirstSteps } from './first-steps.ts';
import { ModelActions } from './model-actions.tsx';
import { Samples } from './samples.tsx';

const DISMISSED = 'sightline.first-run-dismissed';

/** The first steps with a new service. What is done follows from its data; nothing about it is stored. */
export function FirstRun({ videos }: { videos: readonly { status: string }[] }) {
  const { t } = useLingui();
  const steps = useFirstSteps(videos.some(({ status }) => status === 'uploaded'));
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(DISMISSED) !== null);
  const isEmpty = videos.length === 0;
  if (!steps) return isEmpty ? <Skeleton className="mx-4.5 h-72 max-w-2xl" /> : null;
  const done = Object.values(steps).filter((step) => step?.done).length;
  const total = Object.values(steps).filter(Boolean).length;
  if (done === total || (dismissed && !isEmpty)) return null;
  return (
    <section
      aria-labelledby="first-run"
      className={classes(
        'mx-4.5 mb-4 max-w-3xl overflow-hidden rounded-lg border bg-panel',
        isEmpty && 'mt-6 md:mx-auto md:w-full',
      )}
    >
      <div className="flex items-center gap-3 border-b py-2 pr-2 pl-4">
        <h2 id="first-run" className="text-lg">
          {isEmpty ? <Trans>Find something in your videos</Trans> : <Trans>First steps</Trans>}
        </h2>
        <span className="num flex-1 text-ink-3">
          <Trans>
            {done} of {total} done
          </Trans>
        </span>
        {!isEmpty && (
          <IconButton
            icon={X}
            label={t`Hide the first steps in this tab`}
            onClick={() => {
              sessionStorage.setItem(DISMISSED, 'true');
              setDismissed(true);
            }}
          />
        )}
      </div>
      <ol className={classes('-mb-px divide-y', !isEmpty && '[&>[data-done]]:hidden')}>
        <Step done={steps.videos.done} title={<Trans>Add your footage</Trans>}>
          <p>
            <Trans>Drag videos or folders onto this page: cameras, drives, robots, recordings of any length.</Trans>
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <UploadButton look="primary" />
            <Link to="/live" className={buttonClass('plain')}>
              <Trans>Connect a livestream</Trans>
            </Link>
            <Link to="/imports/new" className={buttonClass('plain')}>
              <Trans>Import from a bucket</Trans>
            </Link>
          </div>
          <Samples />
        </Step>
        <DetectorStep step={steps.detector} />
        <Step done={steps.question.done} title={<Trans>Ask a question</Trans>}>
          <Trans>Open a video and ask in plain words, such as “red car” or “a person crosses the road”.</Trans>
        </Step>
        {steps.invitation && (
          <Step done={steps.invitation.done} title={<Trans>Invite your team</Trans>}>
            <InviteForm />
          </Step>
        )}
        {steps.key && (
          <Step done={steps.key.done} title={<Trans>Connect your tools</Trans>}>
            <KeyForm />
          </Step>
        )}
      </ol>
    </section>
  );
}

function DetectorStep({ step }: { step: FirstSteps['detector'] }) {
  return (
    <Step done={step.done} title={<Trans>Recognize people, vehicles and objects</Trans>}>
      {step.model ? (
        <>
          <p>
            <Trans>Questions about people, vehicles and objects need a model. All others work without it.</Trans>
          </p>
          <div className="mt-2">
            <ModelActions {...step.model} />
          </div>
        </>
      ) : (
        <p className="break-words">
          <ServiceText>{step.reason ?? ''}</ServiceText>
        </p>
      )}
    </Step>
  );
}

/** A step; one that is done shows only its title, and nothing beside videos. */
function Step({ done, title, children }: { done: boolean; title: ReactNode; children: ReactNode }) {
  return (
    <li data-done={done || undefined} className="flex gap-3 px-4 py-3">
      <span
        className={classes(
          'mt-px grid size-4.5 shrink-0 place-items-center rounded-full border',
          done ? 'border-ok bg-ok/15 text-ok' : 'border-strong-line',
        )}
      >
        {done && <Check size={12} strokeWidth={3} aria-hidden />}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className={done ? 'text-ink-2' : undefined}>
          {title}
          {done && (
            <span className="sr-only">
              {' '}
              <Trans>(done)</Trans>
            </span>
          )}
        </h3>
        {!done && <div className="mt-0.5 text-ink-2">{children}</div>}
      </div>
    </li>
  );
}
