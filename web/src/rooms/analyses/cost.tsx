import { Trans } from '@lingui/react/macro';
import { formatNumber } from '#ui/format/format.ts';

/** Money in the currency of the configured prices; nothing without prices. */
export function Cost({ of }: { of: number }) {
  if (of <= 0) return null;
  return (
    <>
      {' · '}
      <Trans>cost {formatNumber(of, { maximumSignificantDigits: 2 })}</Trans>
    </>
  );
}
