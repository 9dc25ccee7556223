import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from '../../server/test/random.ts';
import { DARK } from '../harness/answers.ts';
import type { Client } from './client.ts';
import { type Sources, variantOf } from './sources.ts';

/** Everything that the service has acknowledged. */
export type Ledger = {
  /** SHA-256 of each video's file by video name, with the id if the acknowledgment contained it. */
  videos: Map<string, { id: string; sha256: string }>;
  folders: Map<string, string>;
  imports: { jobId: string; names: string[] }[];
  queries: { batchId: string; streamId: string }[];
  sessions: { streamId: string; sessionId: string; videoId: string }[];
};

export const newLedger = (): Ledger => ({
  videos: new Map(),
  folders: new Map(),
  imports: [],
  queries: [],
  sessions: [],
});

export const operationsOf = (ledger: Ledger): number =>
  ledger.videos.size + ledger.folders.size + ledger.imports.length + ledger.queries.length + ledger.sessions.length;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const TUS = { 'tus-resumable': '1.0.0' };

type World = {
  client: Client;
  clip: Buffer;
  sources: Sources;
  ledger: Ledger;
  integrationId: string;
  random: () => number;
};

/**
 * One round of work, several kinds in parallel. Resolves when all of it has been acknowledged. `numbers` makes each
 * file unique.
 */
export async function work(world: World, numbers: () => number): Promise<void> {
  const { client, clip, sources, ledger, integrationId, random } = world;
  const pause = () => sleep(random() * 600);
  const remember = (name: string, id: unknown, number: number) =>
    ledger.videos.set(name, { id: String(id), sha256: sha256(variantOf(clip, number)) });

  async function uploads(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const number = numbers();
      const name = `upload ${number}.mp4`;
      const form = () => {
        const data = new FormData();
        data.set('source', 'file');
        data.set('file', new File([variantOf(clip, number)], name, { type: 'video/mp4' }));
        return data;
      };
      const { json } = await client.acknowledged('POST', '/api/upload-video', { form });
      remember(name, json.video_id, number);
      await ask(String(json.video_id));
      await pause();
    }
  }

  async function fetches(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const number = numbers();
      const form = () => new URLSearchParams({ source: 'video_url', video_url: sources.urlOf(number) });
      const { json } = await client.acknowledged('POST', '/api/upload-video', { form });
      remember(`${number}.mp4`, json.video_id, number);
      await pause();
    }
  }

  async function resumable(): Promise<void> {
    const number = numbers();
    const name = `pieces ${number}.mp4`;
    const bytes = variantOf(clip, number);
    const created = await client.acknowledged('POST', '/api/uploads', {
      headers: { ...TUS, 'upload-length': String(bytes.length), 'upload-metadata': `filename ${btoa(name)}` },
    });
    const path = String(created.headers.get('location'));
    remember(name, path.split('/').at(-1), number);
    const end = performance.now() + 120_000;
    for (let offset = 0; offset < bytes.length; ) {
      const head = await client.acknowledged('HEAD', path, { headers: TUS });
      offset = Number(head.headers.get('upload-offset'));
      if (offset >= bytes.length) break;
      if (performance.now() > end) throw new Error(`the resumable upload stands still at ${offset} of ${bytes.length}`);
      const piece = bytes.subarray(offset, offset + Math.ceil(bytes.length / 4)) as Uint8Array<ArrayBuffer>;
      const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
      await client.once('PATCH', path, { headers, body: piece }).catch(() => {});
      await pause();
    }
  }

  async function imports(): Promise<void> {
    const chosen = Array.from({ length: 4 }, numbers);
    const keys = chosen.map((number) => `drives/import ${number}.mp4`);
    await Promise.all(keys.map((key, i) => sources.putObject(key, chosen[i]!)));
    const json = { integration_id: integrationId, keys };
    const reply = await client.acknowledged('POST', '/api/s3/upload', { json });
    const names = chosen.map((number) => `import ${number}.mp4`);
    for (const [i, name] of names.entries()) remember(name, '', chosen[i]!);
    ledger.imports.push({ jobId: String(reply.json.import_job_id), names });
  }

  async function folders(): Promise<void> {
    for (let i = 0; i < 4; i++) {
      const name = `folder ${numbers()}`;
      const { json } = await client.acknowledged('POST', '/api/folders', { json: { name, scope: 'org' } });
      ledger.folders.set(name, String(json.id));
      await pause();
    }
  }

  async function ask(videoId: string): Promise<void> {
    const json = { query: DARK, video_id: videoId };
    const reply = await client.acknowledged('POST', '/api/router/v2/query/start', { json });
    ledger.queries.push({ batchId: String(reply.json.batch_id), streamId: String(reply.json.stream_id) });
  }

  async function repeatedQuestions(): Promise<void> {
    const ready = [...ledger.videos.values()]
      .map(({ id }) => id)
      .filter(Boolean)
      .slice(-6);
    for (let i = 0; i < 3 && ready.length > 0; i++) {
      await ask(pick(random, ready));
      await pause();
    }
  }

  async function live(): Promise<void> {
    const json = {
      source_url: sources.liveUrl,
      name: `camera ${numbers()}`,
      rapid_review_query: 'the picture is dark',
    };
    const reply = await client.acknowledged('POST', '/api/live/start-session', { json });
    const { session_id, stream_id, video_id } = reply.json;
    ledger.sessions.push({ sessionId: String(session_id), streamId: String(stream_id), videoId: String(video_id) });
    await sleep(9_000);
    await client.acknowledged('POST', '/api/live/end-session', { json: { session_id, stream_id } });
  }

  await Promise.all([uploads(), fetches(), resumable(), imports(), folders(), repeatedQuestions(), live()]);
}
