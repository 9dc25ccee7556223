import { Type } from 'typebox';
import { Nullable, resource } from '#platform/http/index';
import { HEAD, Head } from './schema.ts';

const CausationAnnotation = Type.Object(
  {
    keyframe_s: Type.Number({ description: 'Start of the action in seconds from the first frame.' }),
    decision: Type.Object(
      {
        longitudinal: Nullable(Type.String({ description: 'As in `ego_meta_actions`.' })),
        lateral: Nullable(Type.String({ description: 'As in `ego_meta_actions`.' })),
      },
      { description: 'The measured action.' },
    ),
    critical_components: Type.Array(
      Type.Object({
        component: Type.String({ description: 'A road user, sign, light or obstacle.' }),
        location: Nullable(Type.String({ description: '`ahead`, `left`, `right` or `oncoming`.' })),
      }),
      { description: 'What is the reason; empty if the model named nothing that it confirmed.' },
    ),
    chain_of_causation: Type.String({ description: 'The visible reason, in one sentence of the model.' }),
  },
  { description: 'The reason of one action.' },
);

export const Causation = resource(
  'Causation',
  Type.Object(
    {
      video_id: Head.video_id,
      schema_version: Type.String({ description: 'Version of the format.' }),
      duration_s: Nullable(Type.Number({ description: 'Duration of the video in seconds.' })),
      frame_size: Nullable(Type.Array(Type.Integer(), { description: 'Width and height of the frames in pixels.' })),
      source: Type.String({ description: 'Source of the measurements, such as `GoPro track`.' }),
      notes: Type.Array(Type.String(), { description: 'Limits of the measurements, such as derived ones.' }),
      ego_meta_actions: Type.Array(
        Type.Object(
          {
            start_s: Type.Number({ description: 'Start in seconds from the first frame.' }),
            end_s: Type.Number({ description: 'End in seconds.' }),
            longitudinal: Nullable(
              Type.String({
                description:
                  '`stopped`, `driving`, `accelerating`, `braking` or `braking_hard`; null if it was not measured.',
              }),
            ),
            lateral: Nullable(
              Type.String({ description: '`straight`, `left` or `right`; null if it was not measured, or at a stop.' }),
            ),
            speed_mps: Nullable(Type.Number({ description: 'Mean speed in meters per second.' })),
          },
          { description: 'An action.' },
        ),
        { description: 'Actions of the vehicle, in order of time. Times without measurements are in none.' },
      ),
      annotations: Nullable(
        Type.Array(CausationAnnotation, {
          description: 'Actions whose reason the vision-language model saw and confirmed, in order of time.',
        }),
      ),
      annotations_unavailable: Nullable(Type.String({ description: 'Reason why `annotations` is null.' })),
    },
    {
      description: 'Actions of the vehicle that carries the camera.',
      examples: [
        {
          video_id: HEAD.video_id,
          schema_version: '1.0',
          duration_s: 60,
          frame_size: [1920, 1080],
          source: 'GoPro track',
          notes: ['acceleration is computed from speed, over 1 s'],
          ego_meta_actions: [
            { start_s: 0, end_s: 8.2, longitudinal: 'driving', lateral: 'straight', speed_mps: 13.4 },
            { start_s: 8.2, end_s: 11.5, longitudinal: 'braking', lateral: 'straight', speed_mps: 6.1 },
          ],
          annotations: [
            {
              keyframe_s: 8.2,
              decision: { longitudinal: 'braking', lateral: 'straight' },
              critical_components: [{ component: 'pedestrian', location: 'ahead' }],
              chain_of_causation: 'A pedestrian steps onto the crossing ahead.',
            },
          ],
          annotations_unavailable: null,
        },
      ],
    },
  ),
);
