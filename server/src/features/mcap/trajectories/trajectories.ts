import { json } from 'node:stream/consumers';
import { type RecordedTrajectory, type TrajectoryArtifact, toTrajectoryArtifact } from '#engine/robot-logs/index';
import { trajectoryKey, type Videos } from '#features/videos/index';
import type { Caller } from '#platform/http/index';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';

/** All that a recording measured is one trajectory; it does not tell a manipulator from another machine. */
const TOOL = 'manipulator_trajectory';

/** Trajectories that recordings measured, stored as a file beside each of their videos. */
export function createTrajectories({ storage, videos }: { storage: Storage; videos: Pick<Videos, 'get'> }) {
  return {
    /** Stores the part of a trajectory in a video, if there is one. */
    async store(
      videoId: string,
      trajectory: RecordedTrajectory,
      range: { startNs: bigint; endNs: bigint },
      signal: AbortSignal,
    ): Promise<void> {
      const artifact = toTrajectoryArtifact(trajectory, range);
      if (!artifact) return;
      const bytes = Buffer.from(JSON.stringify(artifact));
      await storage.write(trajectoryKey(videoId), bytes, { signal, contentType: 'application/json' });
    },

    /** Throws as `Videos.get` does, and `trajectory_missing` (404). */
    async get(caller: Caller, videoId: string, tool: string) {
      const { id } = await videos.get(caller, videoId);
      const stored = await storage.stat(trajectoryKey(id));
      if (!stored) throw problems.trajectory_missing();
      if (tool !== TOOL) {
        throw problems.trajectory_missing(`This video has no trajectory "${tool}", but a measured \`${TOOL}\`.`);
      }
      const file = await storage.read(trajectoryKey(id), { start: 0, end: stored.size - 1 });
      const artifact = (await json(file)) as TrajectoryArtifact;
      return { videoId: id, tool: TOOL, machineAlias: null, machineModel: null, chunks: [], artifact };
    },
  };
}

export type Trajectories = ReturnType<typeof createTrajectories>;
