import { useLingui } from '@lingui/react/macro';
import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { VerdictButtons } from '#rooms/review/verdict-buttons.tsx';
import { classes } from '#ui/classes.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { useCopy } from '#ui/controls/copy.tsx';
import { formatConfidence, formatTime } from '#ui/format/format.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Badge } from '#ui/states.tsx';
import { EventCardFrame } from './event-card-frame.tsx';
import { type EventItem, ownAddress, type PanelVideo } from './types.ts';

/** An event with its evidence. The whole card selects it. */
export function EventCard({
  video,
  event,
  selected,
  onSelect,
}: {
  video: PanelVideo;
  event: EventItem;
  selected: boolean;
  onSelect: () => void;
}) {
  const range = `${formatTime(event.startS)}–${formatTime(event.endS)}`;
  return (
    <EventCardFrame
      image={
        <>
          <EvidenceImage event={event} />
          <Actions video={video} event={event} range={range} />
        </>
      }
      label={event.label}
      why={event.why}
      caveats={event.caveats}
      selected={selected}
      onSelect={onSelect}
    >
      {event.isPreliminary && <Preliminary />}
      <Confidence value={event.confidence} />
      <Severity event={event} />
      <Verification status={event.verification} />
      {event.approval !== null && (
        <span className="ml-auto">
          <VerdictButtons eventId={event.id} approval={event.approval} />
        </span>
      )}
    </EventCardFrame>
  );
}

/** The best frame of an event with its boxes drawn in. `children` are over it. */
export function EvidenceImage({
  event,
  className,
  children,
}: {
  event: EventItem;
  className?: string;
  children?: React.ReactNode;
}) {
  const [state, setState] = useState<'loading' | 'loaded' | 'broken'>('loading');
  return (
    <div
      className={classes('relative aspect-video shrink-0 self-start overflow-hidden rounded-sm bg-raise', className)}
    >
      {event.image && state !== 'broken' && (
        <img
          src={event.image}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setState('loaded')}
          onError={() => setState('broken')}
          className={classes('size-full object-contain', state === 'loaded' && 'bg-black')}
        />
      )}
      <span className="num absolute bottom-1 left-1 rounded-sm bg-black/75 px-1 text-white text-xs">
        {formatTime(event.startS)}–{formatTime(event.endS)}
      </span>
      {children}
    </div>
  );
}

/** Confidence as a bar and a number. */
export function Confidence({ value }: { value: number }) {
  const { t } = useLingui();
  return (
    <span className="flex items-center gap-2" title={t`Confidence`}>
      <span aria-hidden className="h-0.75 w-9 overflow-hidden rounded-full bg-line">
        <span className="block h-full bg-ink-2" style={{ width: `${value * 100}%` }} />
      </span>
      <span className="sr-only">{t`Confidence`}</span>
      <span className="num">{formatConfidence(value)}</span>
    </span>
  );
}

/** The severity that a rule or a person stated; nothing for other events. */
export function Severity({ event: { severity } }: { event: Pick<EventItem, 'severity'> }) {
  const { t } = useLingui();
  if (severity === 'high') return <Badge tone="bad">{t`high severity`}</Badge>;
  if (severity === 'medium') return <Badge tone="warn">{t`medium severity`}</Badge>;
  return severity === 'low' ? <Badge>{t`low severity`}</Badge> : null;
}

/** Marks an event that may change or be withdrawn until the question is answered. */
function Preliminary() {
  const { t } = useLingui();
  return <Badge tone="accent">{t`preliminary`}</Badge>;
}

/** Verdict of a vision-language model that was shown the event again. */
function Verification({ status }: { status: string | undefined }) {
  const { t } = useLingui();
  if (status === 'verified') return <Badge tone="ok">{t`verified`}</Badge>;
  if (status === 'refuted') return <Badge tone="bad">{t`refuted`}</Badge>;
  return status === 'unverified' ? <Badge tone="warn">{t`not verified`}</Badge> : null;
}

const OVER_IMAGE = 'size-6! bg-black/65! text-white! hover:bg-black/85!';

/** Actions besides the verdict. They are over the image: beside it, each card would have one more line. */
function Actions({ video, event, range }: { video: PanelVideo; event: EventItem; range: string }) {
  const { t } = useLingui();
  const { showError } = useToasts();
  const copy = useCopy();
  const [busy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    try {
      const body = { kind: 'clip' as const, start: event.startS, end: Math.max(event.endS, event.startS + 1) };
      const params = { path: { video_id: video.videoId } };
      const { data } = await api.POST('/api/video/{video_id}/signed-url', { params, body });
      const link = document.createElement('a');
      link.href = ownAddress(data!.url);
      link.download = `${video.name.replace(/\.\w+$/, '')} ${formatTime(event.startS).replaceAll(':', '.')}.mp4`;
      link.click();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  function copySummary() {
    const address = new URL(`/videos/${video.videoId}`, window.location.origin);
    address.searchParams.set('t', String(event.startS));
    void copy(`${video.name} ${range} ${event.label} (${formatConfidence(event.confidence)})\n${address}`);
  }

  return (
    <span className="absolute top-1 right-1 z-10 flex gap-1 opacity-0 focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
      <IconButton
        icon={Download}
        label={t`Download the clip`}
        className={OVER_IMAGE}
        disabled={busy}
        onClick={() => void download()}
      />
      <IconButton icon={Copy} label={t`Copy the event with its link`} className={OVER_IMAGE} onClick={copySummary} />
    </span>
  );
}
