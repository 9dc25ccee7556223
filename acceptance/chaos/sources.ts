import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { H264_OPTIONS, startHlsOrigin, testPattern } from '../../server/test/servers/live-sources.ts';
import { createS3TestClient } from '../../server/test/servers/s3-client.ts';
import { startS3Server } from '../../server/test/servers/s3-server.ts';

export const BUCKET = 'fleet-recordings';
const DRIP_BYTES = 16_384;

/** The clip with a number inside (an MP4 `free` box at its end): the same video with different bytes. */
export function variantOf(clip: Buffer, number: number): Buffer<ArrayBuffer> {
  const box = Buffer.alloc(16);
  box.writeUInt32BE(16, 0);
  box.write('free', 4, 'latin1');
  box.writeBigUInt64BE(BigInt(number), 8);
  return Buffer.concat([clip, box]);
}

/** Sources of videos on loopback: a slow web server, an S3 bucket and an HLS origin. The caller stops them. */
export async function startSources(clip: Buffer) {
  const { s3Server, ffmpeg } = inject('programs');
  const s3 = await startS3Server(s3Server!);
  const bucket = createS3TestClient(s3.endpoint);
  await bucket.makeBucket(BUCKET);
  const origin = await startHlsOrigin(ffmpeg!, { input: testPattern({ sound: false, darkS: 4 }), codec: H264_OPTIONS });
  const web = createServer(async (request, response) => {
    const bytes = variantOf(clip, Number(/(\d+)\.mp4$/.exec(request.url ?? '')?.[1] ?? 0));
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length });
    for (let at = 0; at < bytes.length && !response.destroyed; at += DRIP_BYTES) {
      response.write(bytes.subarray(at, at + DRIP_BYTES));
      await sleep(20);
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  return {
    env: { AWS_ENDPOINT_URL_S3: s3.endpoint },
    s3Url: s3.endpoint,
    liveUrl: origin.url,
    urlOf: (number: number) => `http://127.0.0.1:${(web.address() as AddressInfo).port}/${number}.mp4`,
    putObject: (key: string, number: number) => bucket.put(BUCKET, key, variantOf(clip, number)),
    async stop() {
      bucket.close();
      web.closeAllConnections();
      web.close();
      await Promise.all([s3.stop(), origin.stop()]);
    },
  };
}

export type Sources = Awaited<ReturnType<typeof startSources>>;
