import { Trans, useLingui } from '@lingui/react/macro';
import type { EventSummary } from '@sightline/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sightline } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { formatTime } from '#ui/format/format.ts';
import { ErrorNotice } from '#ui/states.tsx';

/** Events that are this close in time, in seconds, may show the same incident. */
const NEAR_S = 5;
const MAX_EVENTS = 500;
/** Most events that one decision is about. */
const MAX_DECIDED = 50;

const eventsOfVideo = (videoId: string) =>
  queryOptions({
    queryKey: ['events', 'incidents', videoId],
    queryFn: async ({ signal }) => {
      const params = { query: { video_id: videoId, limit: MAX_EVENTS } };
      return (await api.GET('/api/events', { params, signal })).data!.events;
    },
  });

/** Other events of the incident, and those at the same time, so that a person can part or join them. */
export function IncidentEvents({ event }: { event: EventSummary }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { data = [], error: unread } = useQuery(eventsOfVideo(event.video_id));
  const own = data.find(({ event_id }) => event_id === event.event_id)?.incident_id ?? event.incident_id;
  const { mutate, isPending, error } = useMutation({
    // The other one leaves or joins all of the incident, which stays as it is: not this event, if they part.
    mutationFn: ({ other, same }: { other: string; same: boolean }) => {
      const members = data.filter(({ event_id, incident_id }) => incident_id === own && event_id !== other);
      const event_ids = [...new Set([event.event_id, ...members.map(({ event_id }) => event_id)])];
      return sightline.decideIncident(other, { event_ids: event_ids.slice(0, MAX_DECIDED), same });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['events'] }),
  });
  const others = data.filter(
    (other) =>
      other.event_id !== event.event_id &&
      (other.incident_id === own || (other.start_s <= event.end_s + NEAR_S && other.end_s >= event.start_s - NEAR_S)),
  );
  if (others.length === 0 && !unread) return null;
  return (
    <section aria-label={t`Events at this time`} className="grid gap-1.5 border-t pt-3">
      <h3 className="text-ink-2 text-sm">
        <Trans>Events at this time</Trans>
      </h3>
      <ul className="grid max-h-64 gap-1.5 overflow-y-auto">
        {others.map((other) => {
          const isSame = other.incident_id === own;
          return (
            <li key={other.event_id} className="flex items-center gap-2 text-sm">
              <span className="grid min-w-0 flex-1">
                <span className="truncate" lang="en">
                  {other.label} <span className="num text-ink-3">{formatTime(other.start_s)}</span>
                </span>
                <span className="truncate text-ink-3" title={other.query}>
                  {other.query}
                </span>
              </span>
              <Button
                busy={isPending}
                aria-label={isSame ? t`Not the same incident: ${other.label}` : t`The same incident: ${other.label}`}
                onClick={() => mutate({ other: other.event_id, same: !isSame })}
              >
                {isSame ? <Trans>Not the same</Trans> : <Trans>The same</Trans>}
              </Button>
            </li>
          );
        })}
      </ul>
      {(error ?? unread) && <ErrorNotice error={error ?? unread} />}
    </section>
  );
}
