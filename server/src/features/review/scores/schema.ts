import { Type } from 'typebox';
import { Maybe, Nullable, resource } from '#platform/http/index';

export const ScoresQuery = Type.Object({
  query: Maybe(Type.String({ maxLength: 10_000, description: 'Only this prompt.' })),
  folder_id: Maybe(Type.String({ maxLength: 255, description: 'Only events of the videos of this folder.' })),
  batch_id: Maybe(Type.String({ maxLength: 255, description: 'Only events of this batch.' })),
});

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
/** An estimate between 0 and 1 with its interval; null if nothing is known. */
export const EstimateField = (description: string) =>
  Nullable(
    Type.Object(
      {
        value: Share('The estimate.'),
        low: Share('Lower end of its 95 % interval.'),
        high: Share('Upper end of its 95 % interval.'),
      },
      { description },
    ),
  );
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const ReviewScores = resource(
  'ReviewScores',
  Type.Object(
    {
      scores: Type.Array(
        Type.Object({
          query: Type.String({ description: 'The prompt.' }),
          engine_version: Type.String({
            description: 'Version of the engine: planning, observers, models and the vision model.',
          }),
          folder_id: Nullable(Type.String({ description: 'Folder of the videos; null: no folder.' })),
          folder_name: Nullable(Type.String({ description: 'Name of that folder.' })),
          approved: Count('Events of the engine that reviewers approved.'),
          rejected: Count('Events of the engine that they rejected.'),
          unsure: Count('Events of the engine that they were unsure about.'),
          pending: Count('Events of the same analyses that are not decided.'),
          added: Count('Events that the engine missed and people added.'),
          precision: EstimateField('Share of the decided events that are right; null without one (Wilson interval).'),
          recall: EstimateField(
            'Share of the right events that the engine found (Wilson interval). Events that nobody noticed are not known, so it is an upper estimate; null while no missed event was added. `sampled` needs none.',
          ),
          sampled: Nullable(
            Type.Object(
              {
                ranges: Count('Reviewed ranges without events, except those with the verdict `unsure`.'),
                missed: Count('Ranges in which an event starts that the engine missed.'),
                events: Count('Missed events that start in them: those that were added, at least one in each.'),
                sampled_s: Type.Number({ minimum: 0, description: 'Their time in seconds.' }),
                unmatched_s: Type.Number({
                  minimum: 0,
                  description: 'Time without events of the engine in all analyses of the prompt, in seconds.',
                }),
                missed_events: Type.Object(
                  {
                    value: Type.Number({ minimum: 0, description: 'The estimate.' }),
                    low: Type.Number({ minimum: 0, description: 'Lower end of its 95 % interval.' }),
                    high: Type.Number({ minimum: 0, description: 'Upper end of its 95 % interval.' }),
                  },
                  { description: 'Events that the engine missed in all that time.' },
                ),
                recall: EstimateField(
                  'Share of the right events that the engine found, including missed events that nobody noticed; null if it found none, or none is decided.',
                ),
              },
              { description: 'Recall from random ranges without events; null if none was reviewed.' },
            ),
          ),
          overlap: EstimateField(
            'Mean temporal overlap (intersection over union) of approved events with their corrected times.',
          ),
          calibration_error: Nullable(
            Share('Mean difference of confidence and precision in bins of confidence, weighted by events.'),
          ),
          calibration: Type.Array(
            Type.Object({
              from: Share('Lowest confidence of the bin.'),
              to: Share('Upper end of the bin.'),
              events: Count('Number of decided events.'),
              confidence: Share('Their mean confidence.'),
              approved: Share('Share of them that are right.'),
            }),
            { description: 'Decided events by confidence.' },
          ),
        }),
        { description: 'One for each prompt, engine version and folder, most decided events first.' },
      ),
    },
    {
      description: 'How good the answers to prompts are, from reviews.',
      examples: [
        {
          scores: [
            {
              query: 'a cyclist crosses',
              engine_version: '1.4',
              folder_id: null,
              folder_name: null,
              approved: 20,
              rejected: 3,
              unsure: 1,
              pending: 0,
              added: 2,
              precision: { value: 0.869565, low: 0.678834, high: 0.954635 },
              recall: { value: 0.909091, low: 0.721852, high: 0.974714 },
              sampled: {
                ranges: 50,
                missed: 1,
                events: 1,
                sampled_s: 500,
                unmatched_s: 3_000,
                missed_events: { value: 6, low: 2, high: 31.5 },
                recall: { value: 0.769231, low: 0.388, high: 0.909091 },
              },
              overlap: { value: 0.8, low: 0.74, high: 0.86 },
              calibration_error: 0.06,
              calibration: [{ from: 0.8, to: 0.9, events: 23, confidence: 0.84, approved: 0.869565 }],
            },
          ],
        },
      ],
    },
  ),
);
