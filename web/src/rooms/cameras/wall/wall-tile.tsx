import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link, type LinkProps } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { classes } from '#ui/classes.ts';
import { Ago } from '#ui/format/ago.tsx';
import { formatClock, formatDateTime, formatWeekTime } from '#ui/format/format.ts';
import { toSentence } from '#ui/format/sentence.ts';
import { ServiceText } from '#ui/service-text.tsx';
import { isMuted } from '../camera-state.tsx';
import { snapshotAddress } from '../snapshot.tsx';
import { stateOf, type WallSource } from './layout.ts';
import { EventChip, NameChip, NoteChip, StateChip } from './tile-chips.tsx';
import { TileVideo } from './tile-video.tsx';
import type { RecentEvent } from './use-wall.ts';

/** Kind of the data of a dragged tile. */
const DRAGGED = 'application/x-sightline-stream';

/** A stream on the wall. The whole tile opens it; at its newest event, if nobody looked at that yet. */
export function WallTile({
  source,
  event,
  isPreview,
  clockAheadMs,
  isCurrent,
  attach,
  onOpen,
  onFocus,
  onKeyDown,
  onDropped,
  children,
}: {
  source: WallSource;
  /** The newest event that nobody looked at. */
  event: RecentEvent | undefined;
  isPreview: boolean;
  clockAheadMs: number;
  /** The one tile that Tab leads to. */
  isCurrent: boolean;
  attach: (link: HTMLAnchorElement | null) => void;
  onOpen: () => void;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Another tile was dropped on this one. */
  onDropped: (id: string) => void;
  /** Shown over the tile while it is arranged. */
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const tile = useRef<HTMLLIElement>(null);
  const [isTarget, setTarget] = useState(false);
  const { id, name, folder, camera, session } = source;
  const state = stateOf(source);
  const isPlayed = session !== null && session.chunk_count > 0 && (state === 'live' || state === 'lost');
  const label = event ? t`${name}: ${event.label}` : t`Open ${name}`;
  const reason = state === 'lost' ? reasonOf(source) : null;
  return (
    <li
      ref={tile}
      data-tile={id}
      // The tile may cut these off, and its link takes the pointer.
      title={[name, folder?.name, reason, event?.label].filter(Boolean).join('\n')}
      className={classes(
        '@container relative min-h-0 bg-black text-white max-sm:aspect-video',
        // Browsers without a GPU spend much on the corners of many videos.
        !isPreview && 'overflow-hidden rounded-lg',
        (event || isTarget) && 'outline-2 outline-accent outline-offset-1',
      )}
    >
      {camera?.snapshot_url && !isPlayed && (
        <img
          src={snapshotAddress(camera.snapshot_url, camera.last_frame_at)}
          alt=""
          className="absolute inset-0 size-full object-contain opacity-35 grayscale"
        />
      )}
      {isPlayed && (
        <TileVideo
          key={`${session.session_id} ${isPreview}`}
          session={session}
          tile={tile}
          isPreview={isPreview}
          isLost={state === 'lost'}
          clockAheadMs={clockAheadMs}
        />
      )}
      {(!isPlayed || state === 'lost') && <State source={source} />}
      {state === 'lost' && <Reason source={source} />}
      {camera?.state === 'off' && state === 'off' && (
        <Centered>
          <span className="font-normal text-sm">
            <Trans>Open the camera to turn it on</Trans>
          </span>
        </Centered>
      )}
      {state === 'ended' && (
        <Centered>
          <Trans>The session has ended</Trans>
          <span className="font-normal text-sm">
            <Trans>Open its recording</Trans>
          </span>
        </Centered>
      )}
      <Link
        {...addressOf(source, event)}
        ref={attach}
        draggable
        tabIndex={isCurrent ? 0 : -1}
        aria-label={label}
        onClick={onOpen}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED, id)}
        onDragOver={(over) => {
          if (!over.dataTransfer.types.includes(DRAGGED)) return;
          over.preventDefault();
          setTarget(true);
        }}
        onDragLeave={() => setTarget(false)}
        onDrop={(drop) => {
          drop.preventDefault();
          setTarget(false);
          onDropped(drop.dataTransfer.getData(DRAGGED));
        }}
        className="absolute inset-0 focus-visible:outline-3 focus-visible:outline-white focus-visible:-outline-offset-3"
      />
      <NameChip name={name} place={folder?.name ?? null} />
      <Note source={source} />
      {event && (
        <EventChip>
          <span className="truncate">{event.label}</span>
          <span className="@max-sm:hidden">
            <Ago time={event.created_at} />
          </span>
        </EventChip>
      )}
      {children}
    </li>
  );
}

type Address = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** Where a tile leads: to its event, to its session, or to the camera that does not run. */
function addressOf({ id, session }: WallSource, event: RecentEvent | undefined): Address {
  if (event) return { to: '/videos/$videoId', params: { videoId: event.video_id }, search: { event: event.event_id } };
  if (session) return { to: '/videos/$videoId', params: { videoId: session.video_id }, search: {} };
  return { to: '/live/cameras', search: { camera: id } };
}

function State({ source }: { source: WallSource }) {
  switch (stateOf(source)) {
    case 'ended':
      return (
        <StateChip dot="off">
          <Trans>Ended</Trans>
        </StateChip>
      );
    case 'lost':
      return (
        <StateChip dot="off">
          <Trans>Offline</Trans>
        </StateChip>
      );
    case 'ending':
      return (
        <StateChip dot="off">
          <Trans>Ending</Trans>
        </StateChip>
      );
    case 'off':
      return (
        <StateChip dot="off">
          {source.camera?.state === 'off_by_schedule' ? <Trans>Off by schedule</Trans> : <Trans>Off</Trans>}
        </StateChip>
      );
    default:
      return (
        <StateChip dot="warn">
          <Trans>Connecting</Trans>
        </StateChip>
      );
  }
}

const Centered = ({ children }: { children: ReactNode }) => (
  <div className="num pointer-events-none absolute inset-x-3 inset-y-8 grid content-center justify-items-center gap-0.5 text-center font-semibold">
    {children}
  </div>
);

/** Sentence of the service about why a source sends nothing; null: there is none. */
function reasonOf({ camera, session }: WallSource): string | null {
  const message = camera?.message ?? session?.message;
  return message ? toSentence(message) : null;
}

/** States the reason why a tile shows no new frames, since when, and when the service tries again. */
function Reason({ source }: { source: WallSource }) {
  const { camera } = source;
  const since = camera?.offline_since ? formatDateTime(camera.offline_since) : null;
  const message = reasonOf(source);
  const retryAt = camera?.retry_at ? formatClock(Date.parse(camera.retry_at)) : null;
  return (
    <Centered>
      {since === null ? <Trans>The source sends nothing</Trans> : <Trans>Offline since {since}</Trans>}
      {message && (
        <span className="@max-xs:hidden line-clamp-2 font-normal text-sm">
          <ServiceText>{message}</ServiceText>
        </span>
      )}
      <span className="@max-xs:hidden font-normal text-sm">
        {retryAt === null ? (
          <Trans>The service connects again by itself.</Trans>
        ) : (
          <Trans>Next attempt at {retryAt}</Trans>
        )}
      </span>
    </Centered>
  );
}

function Note({ source: { camera, session } }: { source: WallSource }) {
  if (camera && isMuted(camera)) {
    const at = formatWeekTime(camera.muted_until!);
    return (
      <NoteChip>
        <BellOff size={12} aria-hidden />
        <Trans>Muted until {at}</Trans>
      </NoteChip>
    );
  }
  if (camera?.state === 'off_by_schedule' && camera.next_change_at) {
    const at = formatWeekTime(camera.next_change_at);
    return <NoteChip>{<Trans>On at {at}</Trans>}</NoteChip>;
  }
  // A session without a question is marked as recorded only.
  if (session === null || session.rapid_review_query === null) return null;
  return <NoteChip>{<Plural value={session.event_count} one="# event" other="# events" />}</NoteChip>;
}
