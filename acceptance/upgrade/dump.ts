import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApiClient } from '../../server/test/http.ts';
import { flatClip } from '../../server/test/media/clips.ts';
import { ask, DARK } from '../harness/answers.ts';
import { sightline } from '../harness/command.ts';
import { type Service, startService } from '../harness/service.ts';

/** Files in the archive of a dump: a backup, and what the API returned when it was made. */
const BACKUP = 'backup';
const ANSWERS = 'answers.json';

const run = promisify(execFile);

/** Responses of a service by path, and keys that it issued. */
export type Answers = {
  /** A key of all folders, and one that is limited to a folder. */
  keys: { whole: string; limited: string };
  responses: { key: keyof Answers['keys']; path: string; json: unknown }[];
  /** The video that was analyzed. */
  videoId: string;
};

/** Makes a service with every kind of content that users create, and writes its dump as the archive `file`. */
export async function makeDump(folder: string, file: string): Promise<Answers> {
  const service = await startService(join(folder, 'data'), { env: { SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' } });
  const answers = await fillService(service).finally(() => service.stop());
  const dump = join(folder, 'dump');
  await mkdir(dump);
  const { code, stderr } = await sightline(['backup', join(dump, BACKUP)], { env: service.env });
  if (code !== 0) throw new Error(`no backup: ${stderr}`);
  await writeFile(join(dump, ANSWERS), JSON.stringify(answers, null, 1));
  await run('tar', [
    '--create',
    '--xz',
    '--file',
    file,
    '--directory',
    dump,
    '--sort=name',
    '--owner=0',
    '--group=0',
    '.',
  ]);
  return answers;
}

/** Restores a dump with the present version into an empty data folder. Returns what the API has to return. */
export async function restoreDump(file: string, folder: string, env: Record<string, string>): Promise<Answers> {
  const dump = join(folder, 'unpacked');
  await mkdir(dump);
  await run('tar', ['--extract', '--file', file, '--directory', dump]);
  const { code, stderr } = await sightline(['restore', join(dump, BACKUP)], { env });
  if (code !== 0) throw new Error(`the backup is not restored: ${stderr}`);
  return JSON.parse(await readFile(join(dump, ANSWERS), 'utf8')) as Answers;
}

/** Requests the paths of a dump again. */
export const repeatRequests = (url: string, { keys, responses }: Answers) =>
  Promise.all(responses.map(({ key, path }) => get(url, keys[key], path)));

async function get(url: string, key: string, path: string): Promise<unknown> {
  const { status, json, text } = await createApiClient(url).call('GET', path, { key });
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return withoutVolatile(json);
}

/** Fields that change whenever a key is used. */
const VOLATILE = ['last_used_at'];

/** Content without volatile fields, and URLs without host and signature, which differ in each response. */
function withoutVolatile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVolatile);
  if (typeof value === 'string') return URL.canParse(value) ? new URL(value).pathname : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !VOLATILE.includes(name));
  return Object.fromEntries(fields.map(([name, each]) => [name, withoutVolatile(each)]));
}

/** Uses every kind of content: folders, videos, analyses, reviews, saved questions, webhooks, zones, holds and keys. */
async function fillService(service: Service): Promise<Answers> {
  const call = async (method: string, path: string, json?: unknown) => {
    const answer = await service.call(method, path, { json });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json as Record<string, string>;
  };
  const folder = await call('POST', '/api/folders', { name: 'Gate, ünïcode', scope: 'org' });
  const folderId = folder.id!;
  const saved = await call('POST', '/api/saved-questions', { name: 'Dark', query: DARK, folder_id: folderId });
  await call('POST', '/api/webhooks', {
    url: 'https://127.0.0.1:9/hook',
    description: 'Kept',
    event_types: ['alert.raised'],
    folder_id: folderId,
  });

  // A picture that gets dark after four seconds, in two kilobytes.
  const times = Array.from({ length: 60 }, (_, at) => at / 5);
  const levels = times.map((timeS) => (timeS >= 4 && timeS < 8 ? 10 : 120));
  const clip = await flatClip({ times, levels, endS: 12 });
  const analyzed = await service.upload(clip, 'gate.mp4');
  const deleted = await service.upload(clip, 'deleted "\\N".mp4');
  await call('PATCH', `/api/video/${analyzed}`, { tags: ['night'] });
  await call('POST', '/api/videos/move', { video_ids: [analyzed], folder_id: folderId });
  const { document, analysisId } = await ask(service, { query: DARK, video_ids: [analyzed] });
  const events = document.analysis.events.map(({ event_id }) => event_id);
  if (events.length === 0) throw new Error(`the analysis found nothing: ${JSON.stringify(document.analysis)}`);
  await call('PATCH', `/api/events/${events[0]}`, { approval: 'approved', note: 'Seen by the guard' });
  await call('POST', `/api/videos/${analyzed}/analyses/${analysisId}/events`, {
    label: 'missed',
    start_s: 1,
    end_s: 2,
    severity: 'high',
  });
  await call('POST', '/api/zones', {
    name: 'Lane',
    video_id: analyzed,
    points: [
      { x: 0, y: 0.5 },
      { x: 1, y: 0.5 },
    ],
  });
  await call('POST', '/api/videos/hold', { video_ids: [analyzed], reason: 'Claim 4711' });
  await call('DELETE', `/api/video/${deleted}`);
  const whole = await call('POST', '/api/keys', { name: 'whole', scopes: ['read', 'write', 'admin'] });
  const limited = await call('POST', '/api/keys', { name: 'limited', scopes: ['read'], folder_id: folderId });

  const keys = { whole: whole.key!, limited: limited.key! };
  const paths = [
    '/api/folders',
    `/api/folders/${folderId}`,
    '/api/my-videos',
    `/api/video/${analyzed}/status`,
    `/api/videos/${analyzed}/analyses`,
    `/api/videos/${analyzed}/analyses/${analysisId}`,
    '/api/events',
    ...events.flatMap((id) => [`/api/events/${id}`, `/api/events/${id}/history`]),
    '/api/saved-questions',
    `/api/saved-questions/${saved.saved_question_id}`,
    '/api/webhooks',
    `/api/zones?video_id=${analyzed}`,
    '/api/keys',
  ];
  const limitedPaths = ['/api/my-videos', '/api/events'];
  const requested = [
    ...paths.map((path) => ({ key: 'whole' as const, path })),
    ...limitedPaths.map((path) => ({ key: 'limited' as const, path })),
  ];
  const responses = await Promise.all(
    requested.map(async ({ key, path }) => ({ key, path, json: await get(service.url, keys[key], path) })),
  );
  return { keys, responses, videoId: analyzed };
}
