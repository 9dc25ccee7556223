import { useLingui } from '@lingui/react/macro';

/** Reasons to reject an event, in the order of their keys. Their values are stored in English. */
export function useReasons(): { value: string; name: string }[] {
  const { t } = useLingui();
  return [
    { value: 'wrong thing', name: t`wrong thing` },
    { value: 'did not happen', name: t`did not happen` },
    { value: 'wrong time', name: t`wrong time` },
    { value: 'duplicate', name: t`duplicate` },
  ];
}
