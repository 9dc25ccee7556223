import { useLingui } from '@lingui/react/macro';
import { Maximize, Pause, Play } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from '#ui/controls/button.tsx';
import { toggleFullScreen } from './stage/video-stage.tsx';

/** The bar below a frame: play first, full screen at the end. */
export function ControlBar({
  playing,
  onToggle,
  disabled,
  stage,
  end,
  last,
  children,
}: {
  playing: boolean;
  onToggle: () => void;
  disabled?: boolean;
  stage: RefObject<HTMLElement | null>;
  /** Before the button of the full screen. */
  end: ReactNode;
  /** After it. */
  last?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not wrap its items in all browsers.
    <div
      role="group"
      aria-label={t`Playback`}
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-1 gap-y-1 py-1"
    >
      <IconButton
        icon={playing ? Pause : Play}
        label={playing ? t`Pause` : t`Play`}
        keys={t`Space`}
        look="strong"
        disabled={disabled}
        onClick={onToggle}
      />
      {children}
      <span className="ml-auto flex items-center gap-1">
        {end}
        <IconButton icon={Maximize} label={t`Full screen`} keys="F" onClick={() => toggleFullScreen(stage.current)} />
        {last}
      </span>
    </div>
  );
}

export const ControlSeparator = () => <span aria-hidden className="mx-1 h-4.5 w-px bg-line max-sm:hidden" />;
