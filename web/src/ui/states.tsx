import { Trans } from '@lingui/react/macro';
import { SightlineError } from '@sightline/sdk';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Button } from './controls/button.tsx';
import { ServiceText } from './service-text.tsx';

/** A page or list without content: what it is for, and the first action. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div data-empty="" className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-16 text-center">
      <h2 className="text-lg">{title}</h2>
      {children && <div className="text-balance text-ink-2">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** A page whose subject was deleted, or is not visible to the person. `action` leads to the list of others. */
export const UnavailableState = ({ title, action }: { title: ReactNode; action: ReactNode }) => (
  <EmptyState title={title} action={action}>
    <Trans>It was deleted, or it belongs to someone else.</Trans>
  </EmptyState>
);

/** A failure in the words of the API, with its code and the id of the request for the log of the service. */
export function ErrorNotice({
  error,
  onRetry,
  className,
}: {
  error: unknown;
  onRetry?: () => void;
  className?: string;
}) {
  // Without a code it is not an answer of the API but, for instance, the HTML of a proxy.
  const problem = error instanceof SightlineError && error.code !== 'unknown' ? error : null;
  return (
    <div
      role="alert"
      className={classes('flex items-start gap-2 rounded-md border border-bad/50 px-3 py-2', className)}
    >
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          {problem ? (
            <ServiceText>{problem.message}</ServiceText>
          ) : (
            <Trans>The service does not respond. Try again in a moment.</Trans>
          )}
        </p>
        {problem && (
          <p className="select-all break-all font-mono text-ink-3 text-xs">
            {problem.code}
            {problem.requestId && ` · ${problem.requestId}`}
          </p>
        )}
      </div>
      {onRetry && (
        <Button onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </div>
  );
}

/** A placeholder of content that loads. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={classes('animate-pulse-slow rounded-md bg-raise', className)} />
);

/** Progress from 0 to 1; null while its amount is not known. */
export function ProgressBar({ value, label, className }: { value: number | null; label: string; className?: string }) {
  const percent = value === null ? undefined : Math.round(value * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={classes('h-1 overflow-hidden rounded-full bg-raise', className)}
    >
      <div
        className={classes(
          'h-full rounded-full bg-accent transition-[width] duration-300',
          value === null && 'w-1/3 animate-pulse-slow',
        )}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}

/** Opaque tints: texts stay readable in rows that have a background of their own. */
const TONES = {
  neutral: 'bg-raise text-ink-2',
  ok: 'bg-[color-mix(in_oklab,var(--ok)_15%,var(--panel))] text-ok',
  warn: 'bg-[color-mix(in_oklab,var(--warn)_15%,var(--panel))] text-warn',
  bad: 'bg-[color-mix(in_oklab,var(--bad)_15%,var(--panel))] text-bad',
  accent: 'bg-[color-mix(in_oklab,var(--accent)_15%,var(--panel))] text-accent-text',
};

/** The state of something that failed, with the reason. */
export const FailedState = ({ message }: { message: ReactNode }) => (
  <div className="grid justify-items-start gap-0.5">
    <Badge tone="bad">
      <Trans>Failed</Trans>
    </Badge>
    <p className="max-w-prose text-ink-2 text-sm">{message}</p>
  </div>
);

/** A short state, such as the status of a job. */
export const Badge = ({ tone = 'neutral', children }: { tone?: keyof typeof TONES; children: ReactNode }) => (
  <span
    data-badge=""
    className={classes(
      'inline-flex shrink-0 items-center whitespace-nowrap rounded-sm px-1.5 text-xs leading-4.5',
      TONES[tone],
    )}
  >
    {children}
  </span>
);
