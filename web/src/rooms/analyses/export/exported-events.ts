import type { EventSummary } from '@sightline/sdk';
import { api } from '#api/client.ts';

/** Which events are exported: filters of `GET /api/events`, one for each list. An event in several is exported once. */
export type EventFilter = {
  q?: string;
  label?: string;
  severity?: 'low' | 'medium' | 'high';
  approval?: 'pending' | 'approved' | 'rejected' | 'unsure';
  folder_id?: string;
  video_id?: string;
  batch_id?: string;
  min_confidence?: number;
  created_after?: string;
  created_before?: string;
};

/** An event without the address of its picture, which expires; `url` opens it in the console. */
export type ExportedEvent = Omit<EventSummary, 'annotated_thumbnail_url'> & { url: string };

const PAGE_SIZE = 500;

/** Fetches all events of the filters, page by page. `onCount`: their number so far. Rejects if it is aborted. */
export async function fetchEvents(
  filters: readonly EventFilter[],
  { signal, onCount }: { signal: AbortSignal; onCount: (count: number) => void },
): Promise<ExportedEvent[]> {
  const events = new Map<string, ExportedEvent>();
  for (const filter of filters) {
    let cursor: string | undefined;
    do {
      const query = { ...filter, limit: PAGE_SIZE, cursor };
      const page = (await api.GET('/api/events', { params: { query }, signal })).data!;
      for (const event of page.events) events.set(event.event_id, toExported(event));
      onCount(events.size);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
  }
  return [...events.values()];
}

function toExported({ annotated_thumbnail_url: _, ...event }: EventSummary): ExportedEvent {
  const url = new URL(`/videos/${event.video_id}`, window.location.origin);
  url.search = new URLSearchParams({
    ...{ t: String(event.start_s), tab: 'events', analysis: event.analysis_id, event: event.event_id },
  }).toString();
  return { ...event, url: url.href };
}
