import { Trans, useLingui } from '@lingui/react/macro';
import type { LiveSession } from '@sightline/sdk';
import { Square, SquareDashed, VectorSquare, WifiOff } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { LivePlayer } from '#player/live/live-player.ts';
import { BoxOverlay } from '#player/stage/box-overlay.tsx';
import type { BoxTrack } from '#player/stage/boxes.ts';
import { StageButton, StageMessage, toggleFullScreen } from '#player/stage/video-stage.tsx';
import type { ZonesState } from '#rooms/zones/use-zones.ts';
import { ZoneOverlay } from '#rooms/zones/zone-overlay.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { ProgressBar } from '#ui/states.tsx';
import { signStream } from '../sign-stream.ts';
import { LiveBadges, useLiveState } from './live-badges.tsx';

/** The frame of a running session with its overlays, or the reason why no frame is shown. */
export function LiveStage({
  player,
  session,
  stage,
  tracks,
  showBoxes,
  onToggleBoxes,
  zones,
}: {
  player: LivePlayer;
  session: LiveSession;
  stage: RefObject<HTMLElement | null>;
  tracks: readonly BoxTrack[];
  showBoxes: boolean;
  onToggleBoxes: () => void;
  zones: ZonesState;
}) {
  const { t } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const { width, height, ready, isAtEdge } = useLiveState(player);
  const hasFrames = session.chunk_count > 0;
  const isLost = hasFrames && !session.connected && session.status === 'ACTIVE';
  const sign = useMemo(() => signStream(session.session_id), [session.session_id]);
  useEffect(() => (hasFrames ? player.attach(video.current!, sign) : undefined), [player, sign, hasFrames]);
  return (
    <div className={`relative size-full overflow-hidden ${hasFrames ? 'bg-black' : ''}`}>
      <video
        ref={video}
        aria-label={t`Video ${session.name}`}
        playsInline
        muted
        className={`size-full object-contain ${isLost && isAtEdge ? 'opacity-45' : ''}`}
        onClick={() => player.toggle()}
        onDoubleClick={() => toggleFullScreen(stage.current)}
      />
      {ready && showBoxes && tracks.length > 0 && <BoxOverlay player={player} tracks={tracks} />}
      {ready && <ZoneOverlay width={width} height={height} zones={zones} />}
      <LiveBadges player={player} connected={session.connected} />
      {isLost && isAtEdge && <SourceLost session={session} />}
      {session.status === 'ENDING' && isAtEdge && (
        <Notice>
          <Trans>The session has ended. Its recording is being written and replaces this page when it is ready.</Trans>
        </Notice>
      )}
      {!hasFrames && <Starting session={session} />}
      {ready && zones.draft === null && (
        <div className="absolute right-2.5 bottom-2.5 flex gap-1.5 text-xs">
          <span className="num pointer-events-none rounded-sm bg-black/65 px-1.5 py-0.5 text-white max-sm:hidden">
            {width} × {height}
          </span>
          {zones.zones.length > 0 && (
            <StageButton icon={VectorSquare} pressed={zones.isShown} keys="Z" onClick={zones.toggle}>
              <Trans>Zones</Trans>
            </StageButton>
          )}
          {session.analysis && (
            <StageButton icon={showBoxes ? Square : SquareDashed} pressed={showBoxes} keys="B" onClick={onToggleBoxes}>
              <Trans>Boxes</Trans>
            </StageButton>
          )}
        </div>
      )}
    </div>
  );
}

const Notice = ({ children }: { children: ReactNode }) => (
  <div role="status" className="pointer-events-none absolute inset-x-0 bottom-12 grid place-items-center px-4">
    <p className="max-w-md rounded-md bg-black/75 px-3 py-2 text-center text-white">{children}</p>
  </div>
);

function SourceLost({ session: { message, chunks } }: { session: LiveSession }) {
  const last = chunks.at(-1);
  const since = last && new Date(Date.parse(last.capture_time) + last.duration_s * 1_000).toISOString();
  return (
    <div role="status" className="pointer-events-none absolute inset-0 grid place-items-center p-4">
      <div className="grid max-w-md justify-items-center gap-1 rounded-md bg-black/75 px-4 py-3 text-center text-white">
        <p className="flex items-center gap-2 font-medium">
          <WifiOff size={16} aria-hidden />
          <Trans>The source sends nothing</Trans>
        </p>
        {message && (
          <p className="text-sm">
            <ServiceText>{message}</ServiceText>
          </p>
        )}
        <p className="text-sm">
          {since && (
            <>
              <Trans>
                Last frame <Ago time={since} />.
              </Trans>{' '}
            </>
          )}
          <Trans>The service connects again by itself.</Trans>
        </p>
      </div>
    </div>
  );
}

function Starting({ session: { message, source_url, status } }: { session: LiveSession }) {
  const { t } = useLingui();
  return (
    <StageMessage>
      <div role="status" className="grid justify-items-center gap-2 text-center">
        <p className="font-medium text-lg">
          {status === 'ENDING' ? <Trans>The session ends</Trans> : <Trans>Connecting to the source</Trans>}
        </p>
        <p className="break-all font-mono text-ink-3 text-sm">{source_url}</p>
        {message ? (
          <p className="text-warn">
            <ServiceText>{message}</ServiceText>
          </p>
        ) : (
          <p className="text-ink-2">
            <Trans>The first frame appears after the next keyframe of the source, usually within seconds.</Trans>
          </p>
        )}
        <ProgressBar value={null} label={t`Connecting`} className="mt-2 w-48" />
      </div>
    </StageMessage>
  );
}
