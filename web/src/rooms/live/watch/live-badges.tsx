import { Trans } from '@lingui/react/macro';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { LivePlayer, LiveState } from '#player/live/live-player.ts';
import { useTime } from '#player/use-player.ts';
import { formatMoment, formatNumber, formatTime } from '#ui/format/format.ts';

const CHIP = 'num rounded-sm bg-black/70 px-1.5 py-0.5 text-white text-xs';
/** A shorter delay is not worth a number. */
const NOTABLE_S = 2;

export const useLiveState = (player: LivePlayer): LiveState => useSyncExternalStore(player.subscribe, player.state);

/** Over the frame: whether it is live, how far behind, and when it was captured. */
export function LiveBadges({ player, connected }: { player: LivePlayer; connected: boolean }) {
  const { isAtEdge, delayS, ready } = useLiveState(player);
  const moment = useRef<HTMLSpanElement>(null);
  const show = useCallback(() => {
    const captured = player.captureTime();
    if (moment.current) moment.current.textContent = captured === null ? '' : formatMoment(captured);
  }, [player]);
  useTime(player, show);
  if (!ready) return null;
  return (
    <div
      data-delay={delayS ?? undefined}
      className="pointer-events-none absolute inset-x-2.5 top-2.5 flex items-start gap-1.5"
    >
      {isAtEdge && connected ? (
        <span className={`${CHIP} flex items-center gap-1.5 font-semibold`}>
          <span aria-hidden className="size-2 rounded-full bg-[oklch(0.72_0.16_25)]" />
          <Trans>LIVE</Trans>
        </span>
      ) : (
        <span className={`${CHIP} font-semibold`}>
          {isAtEdge ? <Trans>LAST FRAME</Trans> : <Trans>RECORDED</Trans>}
        </span>
      )}
      {delayS !== null && (delayS >= NOTABLE_S || !isAtEdge) && (
        <span className={CHIP}>
          <Delay seconds={delayS} isAtEdge={isAtEdge} />
        </span>
      )}
      <span ref={moment} className={`${CHIP} ml-auto empty:hidden max-sm:hidden`} />
    </div>
  );
}

function Delay({ seconds, isAtEdge }: { seconds: number; isAtEdge: boolean }) {
  if (!isAtEdge) return <Trans>{formatTime(seconds, 0)} behind live</Trans>;
  return <SecondsBehind seconds={seconds} />;
}

/** States how far a frame at the live edge is behind its capture. */
export function SecondsBehind({ seconds }: { seconds: number }) {
  const decimal = formatNumber(seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return <Trans>{decimal} s behind</Trans>;
}
