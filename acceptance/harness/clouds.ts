import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { startGcsServer } from '../../server/test/gcs-server.ts';
import { startGoogleTokens } from '../../server/test/google-tokens.ts';
import { startHuggingFaceHub } from '../../server/test/hugging-face-hub.ts';
import { afterNs, json, levelOf, recordingBytes, ros1Stamp, stillPicture } from '../../server/test/recordings.ts';
import { createFiller } from '../../server/test/s3-filler.ts';
import { startS3Server } from '../../server/test/s3-server.ts';

const VIDEOS = ['drives/a.mp4', 'drives/b.mp4'];
const HF_TOKEN = 'hf_abcdefghijklmnopqrstuvwxyzabcdefgh';

/**
 * Somebody's buckets, on servers that are not ours: `fleet-recordings` on S3 and on Google Cloud Storage, `partner-recordings` on S3, and
 * `namespace/name` on Hugging Face. Each has the videos `drives/a.mp4` and `drives/b.mp4`; on S3 there are `drives/drive.mcap`, and
 * `drives/text.mp4`, which is none, too. With `env` a service takes these servers for the providers. Stop it.
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
  const fleet = createFiller(s3.endpoint);
  for (const bucket of ['fleet-recordings', 'partner-recordings']) {
    await fleet.makeBucket(bucket);
    for (const key of VIDEOS) await fleet.put(bucket, key, video);
  }
  await gcs.makeBucket('fleet-recordings');
  for (const key of VIDEOS) {
    await gcs.put('fleet-recordings', key, video);
    hub.put('namespace/name', key, video);
  }
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
    told: { account: google.account, hf_token: HF_TOKEN, recording },
    async stop() {
      await Promise.all([s3.stop(), gcs.stop(), hub.stop(), google.stop()]);
    },
  };
}

/** A recording of two seconds by a front and a rear camera. */
function twoCameras(): Promise<Buffer> {
  const camera = json('foxglove.CompressedImage');
  const messages = Array.from({ length: 40 }, (_, i) => {
    const timeS = Math.floor(i / 2) / 10;
    const data = camera.encode({
      timestamp: ros1Stamp(afterNs(timeS)),
      format: 'jpeg',
      data: stillPicture(levelOf(i)),
    });
    return { channel: i % 2, logNs: afterNs(timeS), data };
  });
  const channels = ['/camera/front/image', '/camera/rear/image'].map((topic) => ({ topic, ...camera }));
  return recordingBytes({ channels, messages });
}
