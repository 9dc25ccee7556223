import { Trans, useLingui } from '@lingui/react/macro';
import type { LiveSessionSummary } from '@sightline/sdk';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { LivePlayer } from '#player/live/live-player.ts';
import { signStream } from '#rooms/live/sign-stream.ts';
import { SecondsBehind, useLiveState } from '#rooms/live/watch/live-badges.tsx';
import { StateChip } from './tile-chips.tsx';
import { useOnScreen } from './use-wall.ts';

/** The frames of a session while its tile is visible, and whether they are live and how far behind. */
export function TileVideo({
  session,
  tile,
  isPreview,
  isLost,
  clockAheadMs,
}: {
  session: LiveSessionSummary;
  tile: RefObject<HTMLElement | null>;
  isPreview: boolean;
  /** The source sends nothing: the last frame stays, dimmed. */
  isLost: boolean;
  clockAheadMs: number;
}) {
  const { t } = useLingui();
  const { session_id, name, rapid_review_query } = session;
  const video = useRef<HTMLVideoElement>(null);
  const [player] = useState(() => new LivePlayer({ isPreview }));
  const { ready, delayS, isInterrupted } = useLiveState(player);
  const isOnScreen = useOnScreen(tile);
  const sign = useMemo(() => signStream(session_id, { preview: isPreview }), [session_id, isPreview]);
  useEffect(() => player.setClock(clockAheadMs), [player, clockAheadMs]);
  useEffect(() => (isOnScreen ? player.attach(video.current!, sign) : undefined), [player, sign, isOnScreen]);
  return (
    <>
      <video
        ref={video}
        aria-label={t`Video ${name}`}
        data-delay={delayS ?? undefined}
        playsInline
        muted
        className={`size-full object-contain ${isLost ? 'opacity-35 grayscale' : ''} ${ready ? '' : 'invisible'}`}
      />
      {isLost ? null : !ready ? (
        <StateChip dot="warn">
          <Trans>Connecting</Trans>
        </StateChip>
      ) : isInterrupted ? (
        <StateChip dot="warn">
          <Trans>Interrupted</Trans>
        </StateChip>
      ) : (
        <StateChip dot={rapid_review_query === null ? 'ring' : 'live'}>
          {rapid_review_query === null ? <Trans>Recording only</Trans> : <Trans>Live</Trans>}
          {delayS !== null && (
            <span className="font-normal">
              <SecondsBehind seconds={delayS} />
            </span>
          )}
        </StateChip>
      )}
    </>
  );
}
