import { useLingui } from '@lingui/react/macro';
import { ChevronLeft, ChevronRight, Link2, Repeat, Scissors, Volume1, Volume2, VolumeX, X } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useRef } from 'react';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { Keys } from '#ui/controls/keys.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatNumber, formatTime } from '#ui/format/format.ts';
import { Popover } from '#ui/overlays/popover.tsx';
import { ControlBar, ControlSeparator } from './control-bar.tsx';
import { frameNumber } from './frames.ts';
import type { Marks, Player } from './player.ts';
import { usePlayerState, useTime } from './use-player.ts';

const SPEEDS = ['0.25', '0.5', '0.75', '1', '1.25', '1.5', '2', '4'] as const;

type ControlsProps = {
  player: Player;
  stage: RefObject<HTMLElement | null>;
  marks: Marks;
  onMarks: (marks: Marks) => void;
  onCopyLink: () => void;
  onClip: () => void;
  clipping: boolean;
  /** More actions on the range between the marks. */
  clipActions: ReactNode;
  /** Duration in seconds that is shown until the player knows it. */
  duration: number;
};

/** The bar below the frame. */
export function Controls({ player, stage, marks, onMarks, onCopyLink, duration, ...clips }: ControlsProps) {
  const { t } = useLingui();
  const { playing, speed } = usePlayerState(player);
  const speeds = SPEEDS.map((value) => ({ value: value as string, label: `${formatNumber(Number(value))}×` }));
  const shown = String(speed);
  if (!SPEEDS.some((value) => value === shown)) speeds.push({ value: shown, label: `${formatNumber(speed)}×` });
  return (
    <ControlBar
      playing={playing}
      onToggle={() => player.toggle()}
      stage={stage}
      end={
        <>
          <Button look="ghost" icon={Link2} onClick={onCopyLink} title={t`Link at this time`}>
            {/* With all texts and keys, the bar would need a second row. */}
            <span className="max-2xl:sr-only">{t`Link at this time`}</span>
          </Button>
          <Volume player={player} />
        </>
      }
    >
      <IconButton icon={ChevronLeft} label={t`Previous frame`} keys="," onClick={() => player.step(-1)} />
      <IconButton icon={ChevronRight} label={t`Next frame`} keys="." onClick={() => player.step(1)} />
      <Timecode player={player} expected={duration} />
      <ControlSeparator />
      <Select
        label={t`Speed`}
        options={speeds}
        value={shown}
        onChange={(value) => player.setSpeed(Number(value))}
        className="num border-transparent bg-transparent px-2"
      />
      <MarkButtons player={player} marks={marks} onMarks={onMarks} {...clips} />
    </ControlBar>
  );
}

/** The presented time with milliseconds, the duration and the number of the frame. */
function Timecode({ player, expected }: { player: Player; expected: number }) {
  const { t } = useLingui();
  const { duration } = usePlayerState(player);
  const time = useRef<HTMLSpanElement>(null);
  const frame = useRef<HTMLSpanElement>(null);
  const show = useCallback(
    (now: number) => {
      if (time.current) time.current.textContent = formatTime(now, 3);
      if (frame.current) frame.current.textContent = String(frameNumber(now, player.frameRate));
    },
    [player],
  );
  useTime(player, show);
  return (
    <span className="num flex items-baseline gap-1.5 whitespace-nowrap pl-1.5 font-mono text-ink-2 text-sm">
      <span ref={time} role="timer" aria-label={t`Current time`} className="font-medium text-ink text-lg" />
      <span>/ {formatTime(duration || expected, 3)}</span>
      <span className="text-ink-3 max-md:hidden">
        · {t`frame`} <span ref={frame} />
      </span>
    </span>
  );
}

function MarkButtons({
  player,
  marks,
  onMarks,
  onClip,
  clipping,
  clipActions,
}: Omit<ControlsProps, 'stage' | 'onCopyLink' | 'duration'>) {
  const { t } = useLingui();
  const { loop } = usePlayerState(player);
  const hasMarks = marks.in !== undefined || marks.out !== undefined;
  return (
    // On narrow screens, both marks wrap together.
    <span className="flex flex-wrap items-center gap-1">
      <Button look="ghost" className="num px-1.5" onClick={() => onMarks({ ...marks, in: player.time() })}>
        {marks.in === undefined ? t`In` : t`In ${formatTime(marks.in)}`}
        <span className="max-2xl:hidden">
          <Keys>I</Keys>
        </span>
      </Button>
      <Button look="ghost" className="num px-1.5" onClick={() => onMarks({ ...marks, out: player.time() })}>
        {marks.out === undefined ? t`Out` : t`Out ${formatTime(marks.out)}`}
        <span className="max-2xl:hidden">
          <Keys>O</Keys>
        </span>
      </Button>
      {hasMarks && (
        <>
          <IconButton
            icon={Repeat}
            label={t`Repeat between the marks`}
            pressed={loop}
            onClick={() => player.setLoop(!loop)}
          />
          <Button look="ghost" icon={Scissors} busy={clipping} onClick={onClip}>
            {t`Download clip`}
          </Button>
          {clipActions}
          <IconButton icon={X} label={t`Remove the marks`} onClick={() => onMarks({})} />
        </>
      )}
    </span>
  );
}

function Volume({ player }: { player: Player }) {
  const { t } = useLingui();
  const { volume, muted } = usePlayerState(player);
  const level = muted ? 0 : volume;
  const icon = level === 0 ? VolumeX : level < 0.5 ? Volume1 : Volume2;
  return (
    <Popover trigger={<IconButton icon={icon} label={t`Volume`} keys="M" />} className="min-w-0">
      <span className="flex items-center gap-2">
        <IconButton
          icon={icon}
          label={muted ? t`Unmute` : t`Mute`}
          pressed={muted}
          onClick={() => player.toggleMuted()}
        />
        <input
          type="range"
          aria-label={t`Volume`}
          min={0}
          max={1}
          step={0.05}
          value={level}
          onChange={(event) => player.setVolume(Number(event.target.value))}
          className="w-28 accent-accent"
        />
      </span>
    </Popover>
  );
}
