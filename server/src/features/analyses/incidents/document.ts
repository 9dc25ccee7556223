/** The id of an event in a document, where it is followed by the type. Within a string, quotes are escaped. */
const EVENT_ID = /"event_id":"([^"]+)"(?=,"type":)/g;

/**
 * Adds the incidents of its events to a document, by the ids of the events. They are not stored there: an incident
 * may change with later answers and verdicts. The text is not parsed: a document may have megabytes.
 */
export const withIncidents = (text: string, incidents: ReadonlyMap<string, string>): string =>
  text.replace(EVENT_ID, (field, eventId: string) => {
    const incidentId = incidents.get(eventId);
    return incidentId === undefined ? field : `${field},"incident_id":${JSON.stringify(incidentId)}`;
  });
