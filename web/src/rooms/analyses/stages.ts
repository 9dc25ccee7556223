import { useLingui } from '@lingui/react/macro';

/** Names the stages of an analysis. */
export function useStages(): (stage: string) => string {
  const { t } = useLingui();
  const names: Record<string, string> = {
    waiting: t`Waiting`,
    planning: t`Reading the question`,
    observing: t`Looking at the video`,
    looking_closer: t`Looking closer`,
    finding: t`Searching what was observed`,
    looking: t`Asking the vision model`,
  };
  return (stage) => names[stage] ?? stage;
}

/** Names the states of an analysis and of a batch. */
export function useStatuses(): (status: string) => string {
  const { t } = useLingui();
  const names: Record<string, string> = {
    processing: t`Running`,
    completed: t`Completed`,
    failed: t`Failed`,
    cancelled: t`Canceled`,
  };
  return (status) => names[status.toLowerCase()] ?? status;
}
