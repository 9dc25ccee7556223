import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import {
  jsonFormat,
  recordingBytes,
  recordingTimeNs,
  ros1Format,
  ros1Stamp,
  ros2Format,
  ros2Stamp,
} from '#test/mcap/recordings';
import { camera, cameraFrame, cameraRecording, type McapService, startMcapService } from '../mcap.fixture.ts';

let service: McapService;
beforeAll(async () => {
  service = await startMcapService();
});
afterAll(() => service.close());

type Track = Record<string, unknown> & { joints_rad?: Record<string, number[]>; rotation_3d?: number[][] };
type Trajectory = { t_sec: number[]; sampling_rate_hz: number; tracks: Record<string, Track> };
const trajectoryOf = (videoId: unknown, tool = 'manipulator_trajectory') =>
  service.call('GET', `/api/videos/${videoId}/trajectory_artifact/${tool}`);
async function ingestedTrajectory(bytes: Buffer): Promise<Trajectory> {
  const { video_ids } = await service.ingest(bytes);
  const { json, status, text } = await trajectoryOf(video_ids![0]);
  expect(status, text.slice(0, 500)).toBe(200);
  return json as unknown as Trajectory;
}
const header = (timeS: number, frame_id = '') => ({ stamp: ros1Stamp(recordingTimeNs(timeS)), frame_id });

test('joints and poses of a recording are the trajectory of its videos, on their clock', async () => {
  const [joints, pose, odometry] = [
    'sensor_msgs/msg/JointState',
    'geometry_msgs/msg/PoseStamped',
    'nav_msgs/msg/Odometry',
  ].map(jsonFormat) as [ReturnType<typeof jsonFormat>, ReturnType<typeof jsonFormat>, ReturnType<typeof jsonFormat>];
  const topics = [
    { topic: '/cam', ...camera },
    { topic: '/arm/joint_states', ...joints },
    { topic: '/tool.pose', ...pose },
    { topic: '/odom', ...odometry },
  ];
  const yaw = (angle: number) => ({ x: 0, y: 0, z: Math.sin(angle / 2), w: Math.cos(angle / 2) });
  const at = (channel: number, timeS: number, data: Uint8Array) => ({ channel, logNs: recordingTimeNs(timeS), data });
  // The camera starts after a second. The arm states its joints at 200 Hz, the tool its pose at 10 Hz.
  const cameras = Array.from({ length: 4 }, (_, i) => at(0, 1 + i, cameraFrame(i, 1 + i)));
  const arm = Array.from({ length: 1_000 }, (_, i) =>
    at(
      1,
      i / 200,
      joints.encode({
        header: header(i / 200),
        name: ['elbow', 'finger'],
        position: [i / 200, -1],
        velocity: [],
        effort: [],
      }),
    ),
  );
  const tool = Array.from({ length: 50 }, (_, i) => {
    // Turns through a half turn at 2.5 s, where the angle jumps from pi to minus pi.
    const orientation = yaw(Math.PI + (i / 10 - 2.5) / 10);
    const message = { header: header(i / 10, 'base'), pose: { position: { x: i / 10, y: 2, z: 3 }, orientation } };
    return at(2, i / 10, pose.encode(message));
  });
  const unset = { x: 0, y: 0, z: 0, w: 0 };
  const moved = Array.from({ length: 5 }, (_, i) => {
    const placed = { pose: { pose: { position: { x: i, y: 0, z: 0 }, orientation: unset } }, twist: { twist: {} } };
    return at(3, i, odometry.encode({ header: header(i, 'odom'), ...placed }));
  });
  const messages = [...cameras, ...arm, ...tool, ...moved].sort((a, b) => Number(a.logNs - b.logNs));
  const trajectory = await ingestedTrajectory(await recordingBytes({ channels: topics, messages }));
  expect(trajectory).toMatchObject({
    tool: 'manipulator_trajectory',
    source: 'measured',
    frame_of_reference_3d: null,
    chunks: [],
    sampling_rate_hz: expect.closeTo(50, 0),
    tracks: {
      'arm/joint_states': { channel: '/arm/joint_states', schema: 'sensor_msgs/msg/JointState', frame_id: null },
      tool_pose: { channel: '/tool.pose', frame_id: 'base' },
      odom: { channel: '/odom', frame_id: 'odom' },
    },
  });
  const { t_sec: times, tracks } = trajectory;
  expect(times[0]).toBeCloseTo(0, 1);
  expect(times.at(-1)).toBeGreaterThan(2.9);
  for (const [i, time] of times.entries()) {
    expect(tracks['arm/joint_states']!.joints_rad!.elbow![i]).toBeCloseTo(time + 1, 3);
    const [x, y] = (tracks.tool_pose!.position_3d as number[][])[i]!;
    expect([x, y]).toEqual([expect.closeTo(time + 1, 2), 2]);
    // Interpolated the short way around: the angle is always near a half turn.
    expect(Math.abs(tracks.tool_pose!.rotation_3d![i]![2]!)).toBeGreaterThan(2.9);
  }
  expect(tracks.odom).not.toHaveProperty('rotation_3d');
  expect(tracks.odom).not.toHaveProperty('joints_rad');
});

type Moved = { parent: string; child: string; timeS: number; x: number; yaw: number };
const poseOf = ({ x, yaw }: Moved) => ({
  translation: { x, y: 0, z: 0 },
  rotation: { x: 0, y: 0, z: Math.sin(yaw / 2), w: Math.cos(yaw / 2) },
});
const stamped = (stamp: (ns: bigint) => object) => (moved: Moved) => ({
  header: { seq: 0, stamp: stamp(recordingTimeNs(moved.timeS)), frame_id: moved.parent },
  child_frame_id: moved.child,
  transform: poseOf(moved),
});
const frames = (moved: Moved) => ({
  timestamp: ros1Stamp(recordingTimeNs(moved.timeS)),
  parent_frame_id: moved.parent,
  child_frame_id: moved.child,
  ...poseOf(moved),
});

test.each([
  ['ROS 2', ros2Format('tf2_msgs/msg/TFMessage'), (all: Moved[]) => ({ transforms: all.map(stamped(ros2Stamp)) })],
  ['ROS 1', ros1Format('tf/tfMessage'), (all: Moved[]) => ({ transforms: all.map(stamped(ros1Stamp)) })],
  ['Foxglove', jsonFormat('foxglove.FrameTransforms'), (all: Moved[]) => ({ transforms: all.map(frames) })],
  ['Foxglove, one by one', jsonFormat('foxglove.FrameTransform'), null],
] as const)('transforms of %s are the trajectory of the base in each fixed frame', async (_, format, toMessage) => {
  // The base drives along the x axis of odom; from the start, odom lies a meter along the y axis of map, turned left.
  const corrected: Moved = { parent: '/map', child: 'odom', timeS: 0, x: 1, yaw: Math.PI / 2 };
  const wheel = (timeS: number): Moved => ({ parent: 'base_link', child: 'wheel', timeS, x: 9, yaw: timeS });
  const drive = (timeS: number): Moved => ({ parent: 'odom', child: 'base_link', timeS, x: timeS, yaw: 0 });
  const at = (timeS: number, ...moved: Moved[]) => {
    const messages = toMessage ? [toMessage(moved)] : moved.map(frames);
    return messages.map((message) => ({ channel: 1, logNs: recordingTimeNs(timeS), data: format.encode(message) }));
  };
  const cameras = Array.from({ length: 5 }, (_, i) => ({
    channel: 0,
    logNs: recordingTimeNs(i),
    data: cameraFrame(i, i),
  }));
  const transforms = Array.from({ length: 41 }, (_, i) => at(i / 10, wheel(i / 10), drive(i / 10))).flat();
  const messages = [...at(0, corrected), ...cameras, ...transforms].sort((a, b) => Number(a.logNs - b.logNs));
  const channels = [
    { topic: '/cam', ...camera },
    { topic: '/tf', ...format },
  ];
  const { t_sec: times, tracks } = await ingestedTrajectory(await recordingBytes({ channels, messages }));
  expect(Object.keys(tracks).sort()).toEqual(['tf/map/base_link', 'tf/odom/base_link']);
  expect(tracks['tf/odom/base_link']).toMatchObject({ channel: '/tf', frame_id: 'odom' });
  expect(tracks['tf/map/base_link']).toMatchObject({ channel: '/tf', frame_id: 'map' });
  const [odom, map] = ['odom', 'map'].map((frame) => tracks[`tf/${frame}/base_link`]!.position_3d as number[][]);
  expect(times.length).toBe(41);
  for (const [i, time] of times.entries()) {
    expect(odom![i]).toEqual([expect.closeTo(time, 3), 0, 0]);
    expect(map![i]).toEqual([expect.closeTo(1, 3), expect.closeTo(time, 3), 0]);
    expect(tracks['tf/map/base_link']!.rotation_3d![i]![2]).toBeCloseTo(Math.PI / 2, 3);
  }
});

test('transforms of sensors on a machine, invalid ones and cycles are no trajectory', async () => {
  const format = jsonFormat('tf2_msgs/msg/TFMessage');
  const message = (timeS: number) => ({
    transforms: [
      stamped(ros1Stamp)({ parent: 'base_link', child: 'camera', timeS, x: 1, yaw: 0 }),
      stamped(ros1Stamp)({ parent: 'camera', child: 'base_link', timeS, x: 1, yaw: 0 }),
      stamped(ros1Stamp)({ parent: 'odom', child: 'odom', timeS, x: 1, yaw: 0 }),
      { header: { frame_id: 'odom' }, child_frame_id: 'base_link', transform: { translation: { x: 'far' } } },
      'no transform',
    ],
  });
  const messages = Array.from({ length: 5 }, (_, i) => [
    { channel: 0, logNs: recordingTimeNs(i), data: cameraFrame(i, i) },
    { channel: 1, logNs: recordingTimeNs(i), data: format.encode(message(i)) },
  ]).flat();
  const channels = [
    { topic: '/cam', ...camera },
    { topic: '/tf', ...format },
  ];
  const { video_ids } = await service.ingest(await recordingBytes({ channels, messages }));
  expect(await trajectoryOf(video_ids![0])).toMatchObject({ status: 404 });
});

test('a video without measurements has no trajectory, and an unknown video is not found', async () => {
  const { video_ids } = await service.ingest(await cameraRecording({ count: 3 }));
  expect(await trajectoryOf(video_ids![0])).toMatchObject({ status: 404, json: { error: 'trajectory_missing' } });
  expect(await trajectoryOf('none')).toMatchObject({ status: 404, json: { error: 'video_not_found' } });
});

test.runIf(hasFootage)('of real recordings: joints of a robot, odometry of a car', async () => {
  const kitti = await ingestedTrajectory(await readFile(footage('mcap/derived_kitti_seq1_ros2_jpeg.mcap')));
  const { odom } = kitti.tracks as { odom: Track & { position_3d: number[][] } };
  expect(odom.position_3d.length).toBe(kitti.t_sec.length);
  // Successive positions of a car are at most some meters apart.
  for (const [i, [x, y]] of odom.position_3d.slice(1).entries()) {
    const [beforeX, beforeY] = odom.position_3d[i]!;
    expect(Math.hypot(x! - beforeX!, y! - beforeY!)).toBeLessThan(10);
  }
  const excavator = await trajectoryOf(
    (await service.ingest(await readFile(footage('mcap/derived_kitti_seq1_ros2_jpeg.mcap')))).video_ids![0],
    'excavator_trajectory',
  );
  expect(excavator).toMatchObject({
    status: 404,
    json: { error: 'trajectory_missing', message: expect.stringMatching(/manipulator_trajectory/) },
  });
});
