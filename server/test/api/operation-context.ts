import { readFile } from 'node:fs/promises';
import { inject, vi } from 'vitest';
import { startTestApp, type TestApp } from '../app.ts';
import { flatClip } from '../media/clips.ts';
import { type GcsServer, startGcsServer } from '../servers/gcs-server.ts';
import { startGoogleTokens } from '../servers/google-tokens.ts';
import { startHuggingFaceHub } from '../servers/hugging-face-hub.ts';
import { createS3TestClient } from '../servers/s3-client.ts';
import { type S3Server, startS3Server } from '../servers/s3-server.ts';
import type { OperationContext } from './keyed-operations.ts';

export type Operations = {
  app: TestApp;
  ground: OperationContext;
  /** Keys of the owner, by scope. */
  keyOf: Record<string, string>;
  close(): Promise<void>;
};

/** A service without a worker, and three buckets, for tests that call every operation. Close it. */
export async function openOperations({ logLevel = 'error' as 'error' | 'silent' } = {}): Promise<Operations> {
  const { s3Server, gcsServer } = inject('programs');
  const closing: (() => unknown)[] = [];
  const [s3, gcs, hub, tokens]: [
    S3Server,
    GcsServer,
    Awaited<ReturnType<typeof startHuggingFaceHub>>,
    Awaited<ReturnType<typeof startGoogleTokens>>,
  ] = await Promise.all([
    startS3Server(s3Server!),
    startGcsServer(gcsServer!),
    startHuggingFaceHub({ token: 'hf_test' }),
    startGoogleTokens(),
  ]);
  closing.push(s3.stop, gcs.stop, hub.stop, tokens.stop);
  const filler = createS3TestClient(s3.endpoint);
  closing.push(filler.close);
  for (const bucket of ['fleet', 'films']) await filler.makeBucket(bucket);
  await gcs.makeBucket('fleet');
  for (const [variable, value] of Object.entries({
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    HF_ENDPOINT: hub.endpoint,
    STORAGE_EMULATOR_HOST: gcs.endpoint,
  })) {
    vi.stubEnv(variable, value);
  }
  const app = await startTestApp(
    {
      SIGHTLINE_STORAGE: 's3://films/here',
      SIGHTLINE_S3_ENDPOINT: s3.endpoint,
      SIGHTLINE_S3_REGION: 'us-east-1',
      HF_ENDPOINT: hub.endpoint,
      STORAGE_EMULATOR_HOST: gcs.endpoint,
      SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
      SIGHTLINE_MEDIA_PROCESSES: '1',
      SIGHTLINE_MAX_LIVE_SESSIONS: '100',
    },
    // Its errors are the reason of a failure.
    { roles: { api: true, worker: false }, logLevel },
  );
  closing.push(app.close);
  const owner = (await app.sightline.accounts.owner())!;
  const make = async (scope: 'read' | 'write' | 'admin') =>
    (await app.sightline.keys.create({ ...owner, name: scope, scopes: [...new Set(['read', scope] as const)] })).key;
  const keyOf = { read: await make('read'), write: await make('write'), admin: await make('admin') };
  const clip = await readFile(await flatClip({ times: [0, 0.5], endS: 1 }));
  const body = new FormData();
  body.set('source', 'file');
  body.set('file', new Blob([clip as Uint8Array<ArrayBuffer>]), 'ride.mp4');
  const { json } = await app.api.call('POST', '/api/upload-video', { key: keyOf.write, body });
  // The queue's tables are made when the first job is sent.
  await app.api.call('POST', '/api/router/v2/query/start', {
    key: keyOf.write,
    json: { query: 'a person walks', video_id: json.video_id },
  });
  let put = 0;
  const ground: OperationContext = {
    app,
    owner,
    clip,
    key: keyOf.admin!,
    s3: s3.endpoint,
    account: tokens.account,
    videoId: String(json.video_id),
    url: `${hub.endpoint}/buckets/ns/open/resolve/ride.mp4`,
    async put(extension = 'mp4') {
      const name = extension === 'mp4' ? `a/${++put}.mp4` : `${++put}/a.${extension}`;
      await filler.put('fleet', name, clip);
      await gcs.put('fleet', name, clip);
      hub.put('ns/fleet', name, clip);
      return name;
    },
  };
  hub.put('ns/open', 'ride.mp4', clip, { open: true });
  return {
    app,
    ground,
    keyOf,
    async close() {
      for (const close of closing.reverse()) await close();
      vi.unstubAllEnvs();
    },
  };
}
