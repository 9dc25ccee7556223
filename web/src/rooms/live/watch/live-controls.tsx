import { Trans, useLingui } from '@lingui/react/macro';
import { RotateCcw, RotateCw, Square, Volume2, VolumeX } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useRef } from 'react';
import { ControlBar, ControlSeparator } from '#player/control-bar.tsx';
import type { LivePlayer } from '#player/live/live-player.ts';
import { useTime } from '#player/use-player.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { Keys } from '#ui/controls/keys.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatClock, formatNumber } from '#ui/format/format.ts';
import { useLiveState } from './live-badges.tsx';

const SPEEDS = [0.25, 0.5, 1, 1.5, 2, 4];
/** Seconds of a jump. */
export const JUMP_S = 10;

/** The bar below the frame of a running session. */
export function LiveControls({
  player,
  stage,
  onEnd,
  children,
}: {
  player: LivePlayer;
  stage: RefObject<HTMLElement | null>;
  /** Null if the session cannot be ended. */
  onEnd: (() => void) | null;
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const { playing, isAtEdge, speed, muted, ready } = useLiveState(player);
  const clock = useRef<HTMLSpanElement>(null);
  const show = useCallback(() => {
    const captured = player.captureTime();
    if (clock.current) clock.current.textContent = captured === null ? '--:--:--' : formatClock(captured, 1);
  }, [player]);
  useTime(player, show);
  // Catching up with the live edge is no speed that somebody chose.
  const shown = isAtEdge || !SPEEDS.includes(speed) ? 1 : speed;
  return (
    <ControlBar
      playing={playing}
      onToggle={() => player.toggle()}
      disabled={!ready}
      stage={stage}
      end={
        <IconButton
          icon={muted ? VolumeX : Volume2}
          label={muted ? t`Unmute` : t`Mute`}
          keys="M"
          onClick={() => player.toggleMuted()}
        />
      }
      last={
        onEnd && (
          <Button look="danger" icon={Square} onClick={onEnd}>
            <Trans>End session</Trans>
          </Button>
        )
      }
    >
      <IconButton
        icon={RotateCcw}
        label={t`Back ${JUMP_S} seconds`}
        keys="←"
        disabled={!ready}
        onClick={() => player.seek(player.time() - JUMP_S)}
      />
      <IconButton
        icon={RotateCw}
        label={t`Forward ${JUMP_S} seconds`}
        keys="→"
        disabled={!ready || isAtEdge}
        onClick={() => player.seek(player.time() + JUMP_S)}
      />
      <span ref={clock} data-clock="" className="num mx-1.5 font-mono text-lg">
        --:--:--
      </span>
      {!ready ? null : isAtEdge ? (
        <span className="inline-flex h-7.5 items-center gap-2 rounded-md border px-2.5 text-ink-2">
          <span aria-hidden className="size-1.75 rounded-full bg-bad" />
          <Trans>At the live edge</Trans>
          <span className="max-sm:hidden">
            <Keys>L</Keys>
          </span>
        </span>
      ) : (
        <Button look="primary" onClick={() => player.goLive()}>
          <span aria-hidden className="size-1.75 rounded-full bg-current" />
          <Trans>Back to live</Trans>
          <span className="max-sm:hidden">
            <Keys>L</Keys>
          </span>
        </Button>
      )}
      <ControlSeparator />
      <Select
        label={t`Speed`}
        value={String(shown)}
        onChange={(value) => player.setSpeed(Number(value))}
        options={SPEEDS.map((value) => ({ value: String(value), label: `${formatNumber(value)}×` }))}
      />
      {children}
    </ControlBar>
  );
}
