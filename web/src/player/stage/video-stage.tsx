import { Trans, useLingui } from '@lingui/react/macro';
import {
  Captions as CaptionsIcon,
  CaptionsOff,
  type LucideIcon,
  Square,
  SquareDashed,
  VectorSquare,
} from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { Keys } from '#ui/controls/keys.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { ErrorNotice } from '#ui/states.tsx';
import type { Player } from '../player.ts';
import type { Storyboard } from '../storyboard.ts';
import { usePlayerState } from '../use-player.ts';
import { type SignSource, UnplayableError, useSource } from '../use-source.ts';
import { BoxOverlay } from './box-overlay.tsx';
import type { BoxTrack } from './boxes.ts';
import { SeekPreview } from './seek-preview.tsx';

/** The frame of a video with what is drawn over it. Click: play or pause; double click: full screen. */
export function VideoStage({
  player,
  stage,
  name,
  sign,
  poster,
  frameRate,
  storyboard,
  tracks,
  showBoxes,
  onToggleBoxes,
  captions,
  showCaptions,
  onToggleCaptions,
  zones = null,
  isDrawing = false,
  children,
}: {
  player: Player;
  /** The element that full screen shows. */
  stage: RefObject<HTMLElement | null>;
  name: string;
  sign: SignSource;
  poster: string | undefined;
  frameRate: number | null;
  storyboard: Storyboard | null;
  tracks: readonly BoxTrack[];
  showBoxes: boolean;
  onToggleBoxes: () => void;
  /** Address of the captions as WebVTT; null if there are none. */
  captions: string | null;
  showCaptions: boolean;
  onToggleCaptions: () => void;
  /** State of the zones over the frame; null if the video has none. */
  zones?: { isShown: boolean; toggle: () => void } | null;
  /** True while presses belong to what is drawn over the frame: switches would take those in their corner. */
  isDrawing?: boolean;
  /** Shown over the frame. */
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const { error, retry } = useSource(player, video, sign);
  const { width, height, ready } = usePlayerState(player);
  // The poster is another frame than that of the shown time, and boxes belong to that one.
  const [hasFrame, setHasFrame] = useState(false);
  const rate = frameRate === null ? '' : ` · ${formatNumber(frameRate, { maximumFractionDigits: 2 })} fps`;
  return (
    <div className="relative size-full overflow-hidden bg-black">
      {/* biome-ignore lint/a11y/useMediaCaption: not every video has captions. */}
      <video
        ref={video}
        aria-label={t`Video ${name}`}
        playsInline
        preload="auto"
        poster={hasFrame ? undefined : poster}
        onLoadedData={() => setHasFrame(true)}
        onEmptied={() => setHasFrame(false)}
        className="size-full object-contain"
        onClick={() => player.toggle()}
        onDoubleClick={() => toggleFullScreen(stage.current)}
      >
        {captions !== null && <Captions url={captions} show={showCaptions} />}
      </video>
      <SeekPreview player={player} storyboard={storyboard} />
      {showBoxes && hasFrame && tracks.length > 0 && <BoxOverlay player={player} tracks={tracks} />}
      {children}
      {ready && !isDrawing && (
        <div className="absolute right-2.5 bottom-2.5 flex gap-1.5 text-xs">
          <span className="num pointer-events-none rounded-sm bg-black/65 px-1.5 py-0.5 text-white max-sm:hidden">
            {width} × {height}
            {rate}
          </span>
          {captions !== null && (
            <StageButton
              icon={showCaptions ? CaptionsIcon : CaptionsOff}
              pressed={showCaptions}
              keys="C"
              onClick={onToggleCaptions}
            >
              <Trans context="player">Captions</Trans>
            </StageButton>
          )}
          {zones !== null && (
            <StageButton icon={VectorSquare} pressed={zones.isShown} keys="Z" onClick={zones.toggle}>
              <Trans>Zones</Trans>
            </StageButton>
          )}
          {tracks.length > 0 && (
            <StageButton icon={showBoxes ? Square : SquareDashed} pressed={showBoxes} keys="B" onClick={onToggleBoxes}>
              <Trans>Boxes</Trans>
            </StageButton>
          )}
        </div>
      )}
      {error !== null && (
        <StageMessage>
          {error instanceof UnplayableError ? (
            <div className="grid justify-items-center gap-2 text-center">
              <p className="font-medium">
                <Trans>This browser cannot play the video</Trans>
              </p>
              <p className="text-ink-2">
                <Trans>Its format is not supported, and the converted stream failed, too.</Trans>
              </p>
              <Button onClick={retry}>
                <Trans>Try again</Trans>
              </Button>
            </div>
          ) : (
            <ErrorNotice error={error} onRetry={retry} />
          )}
        </StageMessage>
      )}
    </div>
  );
}

/** A switch over the frame. */
export const StageButton = ({
  icon: Icon,
  pressed,
  keys,
  onClick,
  children,
}: {
  icon: LucideIcon;
  pressed: boolean;
  keys: string;
  onClick: () => void;
  children: ReactNode;
}) => (
  <button
    type="button"
    aria-pressed={pressed}
    onClick={onClick}
    className="flex items-center gap-1.5 rounded-sm bg-black/65 px-1.5 py-0.5 text-white hover:bg-black/85"
  >
    <Icon size={12} aria-hidden />
    {children}
    <Keys>{keys}</Keys>
  </button>
);

/** Captions of a video. The browser places and draws them. */
function Captions({ url, show }: { url: string; show: boolean }) {
  const element = useRef<HTMLTrackElement>(null);
  useEffect(() => {
    element.current!.track.mode = show ? 'showing' : 'disabled';
  }, [show]);
  return <track ref={element} kind="captions" src={url} />;
}

/** A message in place of the frame. */
export const StageMessage = ({ children }: { children: ReactNode }) => (
  <div className="absolute inset-0 grid place-items-center bg-bg p-4">
    <div className="max-w-md">{children}</div>
  </div>
);

/** Shows an element on the whole screen, or leaves full screen. Browsers without it ignore this. */
export function toggleFullScreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void element?.requestFullscreen?.();
}
