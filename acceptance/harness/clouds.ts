import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { lerobotFiles } from '../../server/test/mcap/lerobot-dataset.ts';
import {
  grayImage,
  grayLevel,
  jsonFormat,
  recordingBytes,
  recordingTimeNs,
  ros1Stamp,
} from '../../server/test/mcap/recordings.ts';
import { startGcsServer } from '../../server/test/servers/gcs-server.ts';
import { startGoogleTokens } from '../../server/test/servers/google-tokens.ts';
import { startHuggingFaceHub } from '../../server/test/servers/hugging-face-hub.ts';
import { createS3TestClient } from '../../server/test/servers/s3-client.ts';
import { startS3Server } from '../../server/test/servers/s3-server.ts';

const VIDEOS = ['drives/a.mp4', 'drives/b.mp4'];
const HF_TOKEN = 'hf_abcdefghijklmnopqrstuvwxyzabcdefgh';

/**
 * Buckets on third-party servers: `fleet-recordings` on S3 and on Google Cloud Storage, `partner-recordings` on S3, and
 * `namespace/name` on Hugging Face. Each contains the videos `drives/a.mp4` and `drives/b.mp4`; S3 also has
 * `drives/drive.mcap` and `drives/text.mp4`, which is not a video. `shared-recordings` on Google Cloud Storage contains
 * `drives/1/drive.mcap` and a dataset of LeRobot in `robots/arm/`. With `env` a service uses these servers as the
 * providers. The caller stops them.
 */
export async function startClouds(folder: string, video: Uint8Array) {
  const { s3Server, gcsServer } = inject('programs');
  const [s3, gcs, hub, google] = await Promise.all([
    startS3Server(s3Server!),
    startGcsServer(gcsServer!),
    startHuggingFaceHub({ token: HF_TOKEN }),
    startGoogleTokens(),
  ]);
  const recording = join(folder, 'drive.mcap');
  const keyFile = join(folder, 'key.json');
  const bytes = await twoCameras();
  await Promise.all([writeFile(recording, bytes), writeFile(keyFile, JSON.stringify(google.account))]);
  const fleet = createS3TestClient(s3.endpoint);
  for (const bucket of ['fleet-recordings', 'partner-recordings']) {
    await fleet.makeBucket(bucket);
    for (const key of VIDEOS) await fleet.put(bucket, key, video);
  }
  await gcs.makeBucket('fleet-recordings');
  for (const key of VIDEOS) {
    await gcs.put('fleet-recordings', key, video);
    hub.put('namespace/name', key, video);
  }
  await gcs.makeBucket('shared-recordings');
  await gcs.put('shared-recordings', 'drives/1/drive.mcap', bytes);
  for (const [path, file] of lerobotFiles(video, 10)) await gcs.put('shared-recordings', `robots/arm/${path}`, file);
  await fleet.put('fleet-recordings', 'drives/drive.mcap', bytes);
  await fleet.put('fleet-recordings', 'drives/text.mp4', Buffer.from('not a video at all'));
  fleet.close();
  return {
    env: {
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_ENDPOINT_URL_STS: s3.endpoint,
      STORAGE_EMULATOR_HOST: gcs.endpoint,
      HF_ENDPOINT: hub.endpoint,
      GOOGLE_APPLICATION_CREDENTIALS: keyFile,
    },
    s3Url: s3.endpoint,
    settings: { account: google.account, hf_token: HF_TOKEN, recording },
    async stop() {
      await Promise.all([s3.stop(), gcs.stop(), hub.stop(), google.stop()]);
    },
  };
}

/** A recording of two seconds from a front and a rear camera, and of a joint that turns by a radian per second. */
function twoCameras(): Promise<Buffer> {
  const camera = jsonFormat('foxglove.CompressedImage');
  const messages = Array.from({ length: 40 }, (_, i) => {
    const timeS = Math.floor(i / 2) / 10;
    const data = camera.encode({
      timestamp: ros1Stamp(recordingTimeNs(timeS)),
      format: 'jpeg',
      data: grayImage(grayLevel(i)),
    });
    return { channel: i % 2, logNs: recordingTimeNs(timeS), data };
  });
  const joints = jsonFormat('sensor_msgs/msg/JointState');
  const states = Array.from({ length: 40 }, (_, i) => {
    const header = { stamp: ros1Stamp(recordingTimeNs(i / 20)), frame_id: '' };
    return {
      channel: 2,
      logNs: recordingTimeNs(i / 20),
      data: joints.encode({ header, name: ['elbow'], position: [i / 20] }),
    };
  });
  const cameras = ['/camera/front/image', '/camera/rear/image'].map((topic) => ({ topic, ...camera }));
  const channels = [...cameras, { topic: '/joint_states', ...joints }];
  const all = [...messages, ...states].sort((a, b) => Number(a.logNs - b.logNs));
  return recordingBytes({ channels, messages: all });
}
