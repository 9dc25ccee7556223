import { Type } from 'typebox';
import { Nullable, resource } from '#platform/http/index';

export const TrajectoryParams = Type.Object({
  video_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the video.' }),
  tool: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Name of the trajectory: `manipulator_trajectory` for all that a recording measured.',
  }),
});

const Cells = Type.Array(Nullable(Type.Number()));
const Track = Type.Object(
  {
    channel: Type.String({ description: 'Channel of the recording.' }),
    schema: Type.String({ description: 'Type of its messages.' }),
    frame_id: Nullable(Type.String({ description: 'Frame of reference of positions.' })),
    position_3d: Type.Optional(Type.Array(Cells, { description: 'Positions x, y, z in meters.' })),
    rotation_3d: Type.Optional(Type.Array(Cells, { description: 'Roll, pitch and yaw in radians.' })),
    joints_rad: Type.Optional(
      Type.Record(Type.String(), Cells, {
        description: 'Positions of each joint as recorded: radians for joints that turn, meters for those that slide.',
      }),
    ),
  },
  { description: 'Measurements of one channel. Arrays run parallel to `t_sec`; null where nothing was measured.' },
);

export const Trajectory = resource(
  'Trajectory',
  Type.Object(
    {
      video_id: Type.String({ description: 'Identifier of the video.' }),
      tool: Type.String({ description: 'Name of the trajectory.' }),
      source: Type.Literal('measured', {
        description: 'Always `measured`: by the sensors of a recording, never estimated from frames.',
      }),
      machine_alias: Type.Null({ description: 'Always null: recordings do not name the machine.' }),
      machine_model: Type.Null({ description: 'Always null.' }),
      sampling_rate_hz: Type.Number({ description: 'Mean rate of `t_sec` in Hertz, at most 50.' }),
      frame_of_reference_3d: Nullable(
        Type.String({ description: 'Frame of reference of all positions; null if they differ, or none is stated.' }),
      ),
      duration_s: Type.Number({ description: 'Duration of the video in seconds.' }),
      t_sec: Type.Array(Type.Number(), { description: 'Times in seconds from the first frame.' }),
      // Names of tracks and joints are those of the recording: passed through in their wire form.
      tracks: Type.Unsafe<Record<string, object>>(
        Type.Record(Type.String(), Track, { description: 'Measurements by channel.' }),
      ),
      chunks: Type.Array(Type.Unknown(), { description: 'Always empty: the trajectory is not split.', maxItems: 0 }),
    },
    {
      description: 'Measured motion of a machine during a video.',
      examples: [
        {
          video_id: '019a0b1c2d3e7f008000000000000010',
          tool: 'manipulator_trajectory',
          source: 'measured',
          machine_alias: null,
          machine_model: null,
          sampling_rate_hz: 50,
          frame_of_reference_3d: null,
          duration_s: 12.5,
          t_sec: [0, 0.02],
          tracks: {
            joint_states: {
              channel: '/joint_states',
              schema: 'sensor_msgs/msg/JointState',
              frame_id: null,
              joints_rad: { elbow: [0.5, 0.51] },
            },
          },
          chunks: [],
        },
      ],
    },
  ),
);
