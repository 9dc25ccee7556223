import { Plural, Trans } from '@lingui/react/macro';
import type { LibraryCount } from '@sightline/sdk';
import { formatDateTime, formatNumber } from '#ui/format/format.ts';

/** Numbers of videos of a library that were chosen for a question, and why others were not. */
export function Chosen({ selection }: { selection: LibraryCount }) {
  const { considered, chosen, outside, no_clock, no_clock_videos, left_out, left_out_from, left_out_until } = selection;
  const names = no_clock_videos.map(({ name }) => name).join(', ');
  return (
    <span className="num">
      <Plural
        value={considered}
        one={<Trans>{formatNumber(chosen)} of # video</Trans>}
        other={<Trans>{formatNumber(chosen)} of # videos</Trans>}
      />
      {outside > 0 && (
        <>
          {' · '}
          <Trans>{formatNumber(outside)} recorded at another time</Trans>
        </>
      )}
      {no_clock > 0 && (
        <span className="break-words text-warn">
          {' · '}
          <Plural
            value={no_clock}
            one={<Trans># without a known time: {names}</Trans>}
            other={<Trans># without a known time: {names}</Trans>}
          />
          {no_clock > no_clock_videos.length && ', …'}
        </span>
      )}
      {left_out > 0 && (
        <span className="block text-warn">
          <Plural
            value={left_out}
            one="# more video is left out: a question covers at most 1,000."
            other="# more videos are left out: a question covers at most 1,000."
          />{' '}
          {left_out_from && left_out_until && (
            <Trans>
              They were recorded from {formatDateTime(left_out_from)} to {formatDateTime(left_out_until)}.
            </Trans>
          )}
        </span>
      )}
    </span>
  );
}
