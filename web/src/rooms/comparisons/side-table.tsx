import { Trans, useLingui } from '@lingui/react/macro';
import type { Comparison } from '@sightline/sdk';
import { classes } from '#ui/classes.ts';
import { formatNumber } from '#ui/format/format.ts';

type Side = Comparison['baseline'];
type Estimate = Side['precision'];

const toText = (value: number, digits = 2) =>
  formatNumber(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** The figures of both answers side by side, with how much they changed. */
export function SideTable({ baseline, candidate }: Pick<Comparison, 'baseline' | 'candidate'>) {
  const { t } = useLingui();
  const estimates: [string, 'precision' | 'recall' | 'overlap'][] = [
    [t`Precision`, 'precision'],
    [t`Recall`, 'recall'],
    [t`Overlap`, 'overlap'],
  ];
  const counts: [string, 'right' | 'wrong' | 'undecided' | 'missed'][] = [
    [t`Right`, 'right'],
    [t`Wrong`, 'wrong'],
    [t`Undecided`, 'undecided'],
    [t`Missed`, 'missed'],
  ];
  return (
    <table aria-label={t`Figures`} className="num w-full max-w-2xl border-collapse text-left">
      <thead>
        <tr className="text-ink-2 text-sm">
          <td />
          <th scope="col" className="border-b px-1 py-1.5 sm:px-2 font-medium">
            <Trans>Earlier</Trans>
          </th>
          <th scope="col" className="border-b px-1 py-1.5 sm:px-2 font-medium">
            <Trans>Changed</Trans>
          </th>
          <th scope="col" className="border-b px-1 py-1.5 sm:px-2 text-right font-medium">
            <span className="max-sm:sr-only">
              <Trans>Difference</Trans>
            </span>
            <span aria-hidden className="sm:hidden">
              ±
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {estimates.map(([name, field]) => (
          <tr key={field}>
            <RowName name={name} />
            <EstimateCell of={baseline[field]} />
            <EstimateCell of={candidate[field]} />
            <Difference from={baseline[field]?.value} to={candidate[field]?.value} digits={2} />
          </tr>
        ))}
        {counts.map(([name, field]) => (
          <tr key={field}>
            <RowName name={name} />
            <td className="border-b px-1 py-1.5 sm:px-2">{formatNumber(baseline[field])}</td>
            <td className="border-b px-1 py-1.5 sm:px-2">{formatNumber(candidate[field])}</td>
            <Difference from={baseline[field]} to={candidate[field]} digits={0} neutral />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RowName({ name }: { name: string }) {
  return (
    <th scope="row" className="border-b py-1.5 pr-2 font-normal text-ink-2">
      {name}
    </th>
  );
}

function EstimateCell({ of }: { of: Estimate }) {
  return (
    <td className="border-b px-1 py-1.5 sm:px-2">
      {of === null ? (
        '–'
      ) : (
        <>
          <span className="font-semibold">{toText(of.value)}</span>{' '}
          <span className="whitespace-nowrap text-ink-3 text-sm">
            {toText(of.low)}–{toText(of.high)}
          </span>
        </>
      )}
    </td>
  );
}

/** `neutral`: more is neither better nor worse by itself. */
function Difference({
  from,
  to,
  digits,
  neutral = false,
}: {
  from: number | undefined;
  to: number | undefined;
  digits: number;
  neutral?: boolean;
}) {
  const change = from === undefined || to === undefined ? null : to - from;
  const isSame = change === null || Number(change.toFixed(digits)) === 0;
  const tone = isSame || neutral ? 'text-ink-3' : change > 0 ? 'text-ok' : 'text-bad';
  return (
    <td className={classes('border-b px-1 py-1.5 sm:px-2 text-right', tone)}>
      {isSame ? '–' : `${change > 0 ? '+' : '−'}${toText(Math.abs(change), digits)}`}
    </td>
  );
}
