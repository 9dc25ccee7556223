import { parquetWriteBuffer } from 'hyparquet-writer';

const CAMERA = 'observation.images.front';
const FPS = 10;

/**
 * Files of a dataset of LeRobot 2.1 by path: one episode of one camera, whose joint turns by a radian per second while
 * the speed is 10 m/s.
 */
export function lerobotFiles(video: Uint8Array, seconds: number): Map<string, Uint8Array> {
  const frames = Array.from({ length: seconds * FPS }, (_, i) => i);
  const number = { dtype: 'float32', shape: [1], names: null };
  const info = {
    codebase_version: 'v2.1',
    robot_type: 'arm',
    fps: FPS,
    total_episodes: 1,
    chunks_size: 1000,
    data_path: 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet',
    video_path: 'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4',
    features: {
      [CAMERA]: { dtype: 'video', shape: [48, 64, 3], names: ['height', 'width', 'channels'] },
      'observation.elbow': { ...number, names: ['elbow'] },
      'observation.speed': number,
      timestamp: number,
      episode_index: { ...number, dtype: 'int64' },
    },
  };
  const table = parquetWriteBuffer({
    columnData: [
      { name: 'timestamp', data: frames.map((i) => i / FPS), type: 'FLOAT' },
      { name: 'episode_index', data: frames.map(() => 0n), type: 'INT64' },
      { name: 'observation.elbow', data: frames.map((i) => i / FPS), type: 'FLOAT' },
      { name: 'observation.speed', data: frames.map(() => 10), type: 'FLOAT' },
    ],
  });
  return new Map<string, Uint8Array>([
    ['meta/info.json', Buffer.from(JSON.stringify(info))],
    ['meta/episodes.jsonl', Buffer.from(`${JSON.stringify({ episode_index: 0, tasks: ['reach the cup'] })}\n`)],
    ['data/chunk-000/episode_000000.parquet', new Uint8Array(table)],
    [`videos/chunk-000/${CAMERA}/episode_000000.mp4`, video],
  ]);
}
