import type { EventSource, FormatWriter } from '../types.ts';

/**
 * The first event of each incident: what several questions found is one caption and one clip. Events are ordered by
 * video, so memory is that of one video's incidents.
 */
export const firstOfIncidents = (events: EventSource): EventSource =>
  async function* () {
    let videoId: string | null = null;
    let shown = new Set<string>();
    for await (const event of events()) {
      if (event.videoId !== videoId) {
        videoId = event.videoId;
        shown = new Set();
      }
      const { incidentId } = event;
      if (incidentId !== null && shown.has(incidentId)) continue;
      if (incidentId !== null) shown.add(incidentId);
      yield event;
    }
  };

/** A writer of files that are watched or read along with a video, which have each incident once. */
export const perIncident =
  (write: FormatWriter): FormatWriter =>
  (events, media) =>
    write(firstOfIncidents(events), media);
