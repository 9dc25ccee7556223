// Five questions on one video: through the API and the command line.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DARK_QUESTIONS } from './harness/answers.ts';
import { type CommandLine, openCommandLine } from './harness/command-line.ts';

type Listed = { event_id: string; incident_id: string; video_id: string };
let line: CommandLine;
let videoId: string;

beforeAll(async () => {
  line = await openCommandLine({ logIn: true });
  const [uploaded] = await line.json('upload', line.clip, '--name', 'five questions.mp4');
  videoId = uploaded!.video_id!;
  for (const question of DARK_QUESTIONS) await line.text('ask', question, '--video', videoId);
});
afterAll(() => line?.close());

const events = async (...flags: string[]) =>
  (await line.json('events', '--video', videoId, ...flags)) as unknown as Listed[];
async function get<Answer>(path: string): Promise<Answer> {
  const response = await fetch(line.service.url + path, { headers: { 'x-api-key': line.service.key } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as Answer;
}

test('each question has its events, and all of them are one incident', async () => {
  const all = await events();
  expect(all).toHaveLength(DARK_QUESTIONS.length);
  expect(new Set(all.map(({ incident_id }) => incident_id)).size).toBe(1);
  expect(await events('--incidents')).toMatchObject([
    { incident_id: all[0]!.incident_id, incident: { events: 5, questions: 5 } },
  ]);
  const { videos } = await get<{ videos: { video_id: string }[] }>('/api/videos?include=events&limit=100');
  expect(videos.find(({ video_id }) => video_id === videoId)).toMatchObject({ events: { count: 5, incidents: 1 } });
});

test('subtitles have the incident once, and tables all events', async () => {
  const exported = async (format: string) => {
    const path = join(line.folder, `events.${format}`);
    await line.text('export', '--format', format, '--video', videoId, '--out', path);
    return readFile(path, 'utf8');
  };
  expect((await exported('srt')).match(/-->/g)).toHaveLength(1);
  expect((await exported('jsonl')).trim().split('\n')).toHaveLength(5);
});

test('a person parts one, which a sixth question respects, and takes it back', async () => {
  const [last, ...others] = (await events()).map(({ event_id }) => event_id);
  const ids = others.map(String);
  const parted = await line.text('review', 'different', last!, ...ids);
  expect(parted).toContain(last!);
  await line.text('ask', 'the picture gets dark', '--video', videoId);
  const incidents = new Map((await events()).map(({ event_id, incident_id }) => [event_id, incident_id]));
  expect(incidents.get(last!)).toBe(last);
  expect(new Set(ids.map((id) => incidents.get(id)))).toEqual(new Set([incidents.get(ids[0]!)]));
  expect(incidents.get(ids[0]!)).not.toBe(last);
  await line.text('review', 'undecided', last!, ...ids);
  expect(new Set((await events()).slice(-5).map(({ incident_id }) => incident_id)).size).toBe(1);
});

test('a verdict on one is implied on the others, and written on none of them', async () => {
  const [first, ...others] = await events();
  await line.text('review', 'approve', first!.event_id);
  const after = (await events()) as unknown as (Listed & { approval: string; implied: object | null })[];
  const decided = after.filter(({ approval }) => approval === 'approved');
  expect(decided.map(({ event_id }) => event_id)).toEqual([first!.event_id]);
  const same = after.filter(
    ({ event_id, incident_id }) => event_id !== first!.event_id && incident_id === decided[0]!.incident_id,
  );
  expect(same.length).toBeGreaterThanOrEqual(others.length - 1);
  for (const { implied } of same) expect(implied).toMatchObject({ approval: 'approved', event_id: first!.event_id });
});
