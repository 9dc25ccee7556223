import type { Static } from 'typebox';
import { expect } from 'vitest';
import { startTestApp } from '#test/app';
import {
  grayImage,
  grayLevel,
  jsonFormat,
  type RecordingPlan,
  recordingBytes,
  recordingTimeNs,
  ros1Stamp,
} from '#test/mcap/recordings';
import type { IngestResource } from './ingest-schema.ts';

export type IngestJson = Static<typeof IngestResource>;

export const camera = jsonFormat('foxglove.CompressedImage');

/** Image number `i` of a camera, with its capture time. */
export const cameraFrame = (i: number, timeS: number) =>
  camera.encode({ timestamp: ros1Stamp(recordingTimeNs(timeS)), format: 'jpeg', data: grayImage(grayLevel(i)) });

/** A recording with one camera that takes `count` images from number `first` on, one every `intervalS` seconds. */
export const cameraRecording = ({
  count = 5,
  first = 0,
  intervalS = 1,
  options = {},
}: {
  count?: number;
  first?: number;
  intervalS?: number;
  options?: RecordingPlan['options'];
} = {}): Promise<Buffer> =>
  recordingBytes({
    channels: [{ topic: '/cam', ...camera }],
    messages: Array.from({ length: count }, (_, i) => ({
      channel: 0,
      logNs: recordingTimeNs(i * intervalS),
      data: cameraFrame(first + i, i * intervalS),
    })),
    options,
  });

let recordings = 0;

/** A recording of these cameras, an image a second of each. No two recordings have the same images. */
export function camerasRecording(topics: readonly string[], seconds = 3): Promise<Buffer> {
  const first = 7 * ++recordings;
  const image = (i: number) => grayImage(grayLevel(i) + (first % 16));
  return recordingBytes({
    channels: topics.map((topic) => ({ topic, ...camera })),
    messages: Array.from({ length: seconds }, (_, i) => {
      const timestamp = ros1Stamp(recordingTimeNs(i));
      return topics.map((_, channel) => ({
        channel,
        logNs: recordingTimeNs(i),
        data: camera.encode({ timestamp, format: 'jpeg', data: image(first + i + channel) }),
      }));
    }).flat(),
  });
}

export type McapService = Awaited<ReturnType<typeof startMcapService>>;

/** The whole service with functions that upload and process recordings over HTTP. Close it. */
export async function startMcapService(env: Record<string, string> = {}) {
  const app = await startTestApp(env);
  const { keys, accounts, database } = app.sightline;
  const owner = (await accounts.owner())!;
  const { key: writer } = await keys.create({ ...owner, name: 'writer', scopes: ['read', 'write'] });

  const call = (method: string, path: string, json?: object, key = writer) =>
    app.api.call(method, path, { key, ...(json && { json }) });

  async function create(bytes: Buffer, settings: object = {}) {
    const body = { filename: 'drive.mcap', size_bytes: bytes.length, ...settings };
    const { status, json, text } = await call('POST', '/api/mcap/create-ingest', body);
    expect(status, text).toBe(200);
    const url = new URL(String(json.upload_url));
    const headers = json.upload_headers as Record<string, string>;
    const put = (body: Buffer) =>
      app.api.call('PUT', url.pathname + url.search, { body: new Uint8Array(body), headers });
    return { id: String(json.mcap_ingest_id), put };
  }

  async function upload(bytes: Buffer, settings: object = {}): Promise<string> {
    const { id, put } = await create(bytes, settings);
    expect((await put(bytes)).json).toEqual({ mcap_ingest_id: id, status: 'uploaded' });
    return id;
  }

  async function waitUntilEnded(id: string): Promise<IngestJson> {
    for (;;) {
      const { json, status, text } = await call('GET', `/api/mcap/${id}`);
      expect(status, text).toBe(200);
      if (['completed', 'partial', 'failed'].includes(String(json.status))) return json as IngestJson;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  return {
    app,
    owner,
    db: database.db,
    call,
    create,
    upload,
    waitUntilEnded,
    close: () => app.close(),

    /** Uploads and processes a recording, and returns the ended ingest. */
    async ingest(bytes: Buffer, settings: object = {}, roles: object = {}): Promise<IngestJson> {
      const id = await upload(bytes, settings);
      expect((await call('POST', `/api/mcap/${id}/process`, roles)).status).toBe(200);
      return waitUntilEnded(id);
    },
  };
}
