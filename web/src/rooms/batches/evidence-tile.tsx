import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, CircleHelp, type LucideIcon, X } from 'lucide-react';
import { Confidence, EvidenceImage, Severity } from '#rooms/analyses/event-card.tsx';
import { analysisQuery } from '#rooms/analyses/queries.ts';
import { fromDocument } from '#rooms/analyses/types.ts';
import { VerdictButtons } from '#rooms/review/verdict-buttons.tsx';
import { Swatch } from '#timeline/drawing/swatch.tsx';
import { classes } from '#ui/classes.ts';
import { formatTime } from '#ui/format/format.ts';
import { EventMatch } from './event-match.tsx';
import { HoverClip, useRests } from './hover-clip.tsx';
import { type BatchEvent, type ListedEvent, videoNameQuery } from './queries.ts';

/**
 * An event as an image that opens it in its video and plays while the pointer rests on it. Its label and its video
 * have a line each, so that neither squeezes the other. `color`: number of a timeline color.
 */
export function EvidenceTile({ event, color }: { event: BatchEvent | ListedEvent; color?: number | undefined }) {
  const listed = 'videoName' in event;
  const { rests, handlers } = useRests();
  const { data: name } = useQuery({
    ...videoNameQuery(event.videoId),
    ...(listed ? { enabled: false, initialData: event.videoName } : {}),
  });
  // Events of a stream have no image; it is in the document of their analysis.
  const { data: image } = useQuery({
    ...analysisQuery(event.videoId, event.analysisId),
    enabled: event.image === null && !listed,
    select: ({ analysis }) => {
      const found = analysis.events.find(({ event_id }) => event_id === event.id);
      return found ? fromDocument(found).image : null;
    },
  });
  return (
    <article
      {...handlers}
      className="group relative grid grid-cols-[minmax(0,1fr)] gap-1 has-[h3_a:focus-visible]:outline-2 has-[h3_a:focus-visible]:outline-accent has-[h3_a:focus-visible]:outline-offset-2"
    >
      <EvidenceImage
        event={{ ...event, image: event.image ?? image ?? null }}
        className="rounded-md group-hover:outline-2 group-hover:outline-accent"
      >
        {rests && <HoverClip videoId={event.videoId} startS={event.startS} endS={event.endS} />}
        {event.approval !== null && <Verdict approval={event.approval} implied={listed ? event.implied : null} />}
        <span className="absolute top-1 left-1">
          <Severity event={event} />
        </span>
      </EvidenceImage>
      {event.approval !== null && (
        <span className="absolute top-1 right-1 z-10 rounded-md bg-black/65 opacity-0 focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100 [&_button]:text-white! [&_button]:hover:bg-black/85!">
          <VerdictButtons eventId={event.id} approval={event.approval} />
        </span>
      )}
      <div className="flex items-center gap-2 leading-4.5">
        {color !== undefined && <Swatch color={color} />}
        <h3 className="min-w-0 flex-1 truncate font-medium text-base" lang="en">
          <VideoLink
            videoId={event.videoId}
            search={{ t: event.startS, tab: 'events', analysis: event.analysisId, event: event.id }}
            className="block truncate first-letter:uppercase after:absolute after:inset-0 focus-visible:outline-none"
          >
            {event.label}
          </VideoLink>
        </h3>
        {/* On telephones, the bar would leave no space for the label. */}
        <span className="shrink-0 text-sm max-sm:[&_[aria-hidden]]:hidden">
          <Confidence value={event.confidence} />
        </span>
      </div>
      <p className="flex gap-1 text-ink-2 text-sm">
        <span className="min-w-0 truncate" title={name}>
          {name ?? '…'}
        </span>
        <span className="num shrink-0 text-ink-3">· {formatTime(event.startS)}</span>
        {listed && event.questions > 1 && (
          <span className="ml-auto shrink-0 text-ink-3">
            <Plural value={event.questions} one="# question" other="# questions" />
          </span>
        )}
      </p>
      {listed && <EventMatch matches={event.matches} />}
    </article>
  );
}

const VERDICTS: Record<string, { icon: LucideIcon; tone: string }> = {
  approved: { icon: Check, tone: 'bg-ok' },
  rejected: { icon: X, tone: 'bg-bad' },
  unsure: { icon: CircleHelp, tone: 'bg-warn' },
};

/**
 * The decision of reviewers, over the image; the buttons take its place under a pointer. One that only follows from
 * that on another event of the incident is outlined.
 */
function Verdict({ approval, implied }: { approval: string; implied: string | null }) {
  const { t } = useLingui();
  const verdict = VERDICTS[implied ?? approval];
  if (!verdict) return null;
  const names: Record<string, string> = { approved: t`Approved`, rejected: t`Rejected`, unsure: t`Unsure` };
  const impliedNames: Record<string, string> = { approved: t`Implied: approved`, rejected: t`Implied: rejected` };
  const { icon: Icon, tone } = verdict;
  return (
    <span
      className={classes(
        'absolute top-1.5 right-1.5 grid size-5 place-items-center rounded-full group-focus-within:invisible group-hover:invisible pointer-coarse:invisible',
        implied ? 'border border-dashed bg-panel text-ink' : `${tone} text-bg`,
      )}
    >
      <Icon size={13} strokeWidth={2.5} aria-hidden />
      <span className="sr-only">{implied ? impliedNames[implied] : names[approval]}</span>
    </span>
  );
}

type VideoLinkProps = {
  videoId: string;
  search: Record<string, string | number>;
  className?: string;
  children: React.ReactNode;
};

const VIDEO_PAGE: string = '/videos/$videoId';

/** A link to a place in a video. */
export const VideoLink = ({ videoId, search, className, children }: VideoLinkProps) => (
  <Link to={VIDEO_PAGE} params={{ videoId } as never} search={search as never} className={className}>
    {children}
  </Link>
);
