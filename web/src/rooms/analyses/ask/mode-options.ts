import { useLingui } from '@lingui/react/macro';

/** The modes of a question as options of a selection. */
export function useModeOptions() {
  const { t } = useLingui();
  return [
    { value: 'thinking' as const, label: t`Every frame` },
    { value: 'fast' as const, label: t`Fast` },
  ];
}
