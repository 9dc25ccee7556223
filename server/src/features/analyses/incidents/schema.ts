import { Type } from 'typebox';
import { Nullable, resource } from '#platform/http/index';

const EXAMPLE = '019a0b1c2d3e7f008000000000000010';

export const IncidentDecisionRequest = resource(
  'IncidentDecisionRequest',
  Type.Object(
    {
      event_ids: Type.Array(Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of an event.' }), {
        minItems: 1,
        maxItems: 50,
        description: 'Other events of the same video.',
      }),
      same: Nullable(
        Type.Boolean({
          description:
            'True: the event shows the same incident as each of these, whatever they are about. False: it is not the same as any of them. Null: decisions about them are taken back.',
        }),
      ),
    },
    {
      description: 'A decision of a person about the incidents of events.',
      examples: [{ event_ids: [`${EXAMPLE}-3`], same: false }],
    },
  ),
);

export const IncidentParams = Type.Object({
  event_id: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the event.' }),
});

export const DecidedIncidents = resource(
  'DecidedIncidents',
  Type.Object(
    {
      events: Type.Array(
        Type.Object({
          event_id: Type.String({ description: 'Identifier of the event.' }),
          incident_id: Nullable(Type.String({ description: 'Its incident now; null until it is computed.' })),
        }),
        { description: 'The event and the others, without duplicates.' },
      ),
    },
    {
      description: 'Incidents after a decision.',
      examples: [
        {
          events: [
            { event_id: `${EXAMPLE}-0`, incident_id: `${EXAMPLE}-0` },
            { event_id: `${EXAMPLE}-3`, incident_id: `${EXAMPLE}-3` },
          ],
        },
      ],
    },
  ),
);
