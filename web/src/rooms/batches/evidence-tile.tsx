import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Confidence, EvidenceImage, Severity } from '#rooms/analyses/event-card.tsx';
import { analysisQuery } from '#rooms/analyses/queries.ts';
import { fromDocument } from '#rooms/analyses/types.ts';
import { VerdictButtons } from '#rooms/review/verdict-buttons.tsx';
import { EventMatch } from './event-match.tsx';
import { type BatchEvent, type ListedEvent, videoNameQuery } from './queries.ts';

/** An event as an image that opens it in its video. */
export function EvidenceTile({ event }: { event: BatchEvent | ListedEvent }) {
  const listed = 'videoName' in event;
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
    <article className="relative grid grid-cols-[minmax(0,1fr)] gap-1 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent has-[a:focus-visible]:outline-offset-2">
      <EvidenceImage event={{ ...event, image: event.image ?? image ?? null }} className="rounded-md" />
      <h3 className="truncate leading-4.5" lang="en">
        <VideoLink
          videoId={event.videoId}
          search={{ t: event.startS, tab: 'events', analysis: event.analysisId, event: event.id }}
          className="block truncate first-letter:uppercase after:absolute after:inset-0 focus-visible:outline-none"
        >
          {event.label}
        </VideoLink>
      </h3>
      <div className="flex items-center gap-2 text-sm">
        <Confidence value={event.confidence} />
        <Severity severity={event.severity} />
        {event.approval !== null && <VerdictButtons eventId={event.id} approval={event.approval} />}
        <span className="ml-auto min-w-0 truncate text-ink-3" title={name}>
          {name}
        </span>
      </div>
      {listed && <EventMatch matches={event.matches} />}
    </article>
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
