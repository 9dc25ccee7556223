import { type App, routes } from '#platform/http/index';
import { Trajectory, TrajectoryParams } from './schema.ts';
import type { Trajectories } from './trajectories.ts';

export function trajectoryRoutes(app: App, trajectories: Pick<Trajectories, 'get'>): void {
  const route = routes(app, { tag: 'MCAP', scope: 'read', folderKeys: true });
  route.get(
    '/api/videos/:video_id/trajectory_artifact/:tool',
    {
      id: 'getTrajectory',
      summary: 'Get the measured trajectory of a machine in a video',
      description:
        'Returns the joints and poses that a recording measured during the video: messages of the types `JointState`, `PoseStamped`, `PoseWithCovarianceStamped`, `PoseInFrame` and `Odometry`. Nothing is estimated from frames: 404 for other videos.',
      params: TrajectoryParams,
      response: Trajectory,
      errors: [404],
    },
    async ({ caller, params }) => {
      const { artifact, ...shared } = await trajectories.get(caller, params.videoId, params.tool);
      return {
        ...shared,
        source: artifact.source,
        samplingRateHz: artifact.sampling_rate_hz,
        frameOfReference3d: artifact.frame_of_reference_3d,
        durationS: artifact.duration_s,
        tSec: artifact.t_sec,
        tracks: artifact.tracks,
      };
    },
  );
}
