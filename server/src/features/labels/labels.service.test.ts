// Labels through the API: exports that return as the same events, ground truth that confirms and completes an analysis.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEvent } from '#test/events';
import { PUBLIC_URL } from '#test/library';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';

type Json = Record<string, unknown>;
type Event = {
  event_id: string;
  label: string;
  severity: string;
  approval: string;
  start_s: number;
  end_s: number;
  review: { added: boolean; origin?: string; reason: string | null; note: string | null } | null;
};

const WAIT = { timeout: 60_000, interval: 20 };
const FORMATS = ['csv', 'coco', 'cvat', 'label_studio'] as const;

let world: AnalysesWorld;
beforeAll(async () => {
  world = await openAnalyses();
});
afterAll(() => world?.close());

async function done<T = Json>(method: string, path: string, json?: object, key = world.key): Promise<T> {
  const answer = await world.api.call(method, path, json ? { key, json } : { key });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as T;
}

/** A completed batch on these videos, with `count` events of the engine each: every two seconds, 1.16 s long. */
async function ask(videoIds: string[], count: number, query = 'a car'): Promise<string> {
  world.engine.events = Array.from({ length: count }, (_, index) => createEvent(index, evidenceAt(2 * index + 1)));
  const { batch_id } = await done('POST', '/api/router/v2/query/start', { query, video_ids: videoIds });
  await vi.waitFor(async () => {
    expect((await done('GET', `/api/batch/${batch_id}/status`)).status).toBe('completed');
  }, WAIT);
  return String(batch_id);
}
const evidenceAt = (timeS: number) => ({
  frames: [
    { role: 'best' as const, timeS, pts: 0, boxes: [{ x: 0.1, y: 0.2, width: 0.3, height: 0.4, label: 'car' }] },
  ],
});

const events = async (batchId: string, filter = '') =>
  (await done<{ events: Event[] }>('GET', `/api/events?batch_id=${batchId}${filter}`)).events.toSorted(
    (a, b) => a.start_s - b.start_s || a.label.localeCompare(b.label),
  );
const importLabels = (batchId: string, content: string, more: object = {}) =>
  done<Json & { errors: { location: string; message: string }[] }>('POST', '/api/labels/import', {
    batch_id: batchId,
    content,
    ...more,
  });
const csv = (...rows: string[]) => ['label,start_s,end_s,video_name', ...rows].join('\n');

async function exportAs(format: string, batchId: string): Promise<string> {
  const { export_id } = await done('POST', '/api/exports', { format, batch_id: batchId });
  const url = await vi.waitFor(async () => {
    const { status, download_url } = await done('GET', `/api/exports/${export_id}`);
    expect(status).toBe('completed');
    return String(download_url).replace(PUBLIC_URL, world.api.base);
  }, WAIT);
  return (await fetch(url)).text();
}

const HOSTILE = '=cmd|"x" <b>&amp;, quoted\'s; ü';

describe('files that exports write', () => {
  let source: string;
  let videoId: string;
  const files = new Map<string, string>();
  beforeAll(async () => {
    videoId = await world.addVideo();
    source = await ask([videoId], 4);
    const [first, second, third] = await events(source);
    await done('PATCH', `/api/events/${first!.event_id}`, { approval: 'approved', severity: 'high', note: 'seen' });
    await done('PATCH', `/api/events/${second!.event_id}`, { approval: 'approved', label: HOSTILE, start_s: 2.123457 });
    await done('PATCH', `/api/events/${third!.event_id}`, { approval: 'rejected' });
    const analysisId = first!.event_id.slice(0, 32);
    const missed = { label: 'A cyclist crosses', start_s: 9.7, end_s: 11.3334 };
    await done('POST', `/api/videos/${videoId}/analyses/${analysisId}/events`, missed);
    for (const format of FORMATS) files.set(format, await exportAs(format, source));
  });

  test.each(FORMATS)('become the same approved events: %s', async (format) => {
    const target = await ask([videoId], 0);
    const result = await importLabels(target, files.get(format)!, { name: `truth.${format}` });
    expect(result).toMatchObject({ status: 'imported', format, labels: 3, videos: 1, added: 3, errors: [] });
    const fields = ({ label, severity, start_s, end_s, approval }: Event) => [
      label,
      severity,
      start_s,
      end_s,
      approval,
    ];
    const imported = await events(target);
    expect(imported.map(fields)).toEqual((await events(source, '&approval=approved')).map(fields));
    expect(imported[1]!.label).toBe(HOSTILE);
    expect(imported.map(({ review }) => [review!.added, review!.origin])).toEqual(
      Array(3).fill([true, `truth.${format}`]),
    );
    if (format === 'csv') expect(imported[0]!.review!.note).toBe('seen');
    const again = await importLabels(target, files.get(format)!);
    expect(again).toMatchObject({ status: 'imported', labels: 3, added: 0, confirmed: 0, unchanged: 3 });
    expect(await events(target)).toEqual(imported);
  });

  test('change nothing where they are from', async () => {
    const before = await events(source);
    for (const format of FORMATS) {
      expect(await importLabels(source, files.get(format)!), format).toMatchObject({ unchanged: 3, added: 0 });
    }
    expect(await events(source)).toEqual(before);
  });
});

describe('ground truth', () => {
  test('confirms events that it overlaps, adds missed ones, and counts in the scores', async () => {
    const query = `ground truth ${Date.now()}`;
    const batchId = await ask([await world.addVideo()], 4, query);
    // The engine has 0.34 to 1.5, 2.34 to 3.5, 4.34 to 5.5 and 6.34 to 7.5.
    const file = csv('car,0.3,1.6,', 'car,3.4,4.6,', 'bus,2.4,3.5,', 'car,10,11,', 'car,10,11,');
    const dry = await importLabels(batchId, file, { complete: true, dry_run: true });
    expect(dry).toMatchObject({ status: 'checked', labels: 5, added: 2, confirmed: 2, unchanged: 1, rejected: 2 });
    expect((await events(batchId)).map(({ approval }) => approval)).toEqual(Array(4).fill('pending'));

    const result = await importLabels(batchId, file, { complete: true, name: 'truth.csv' });
    expect(result).toEqual({ ...dry, status: 'imported', origin: 'truth.csv' });
    const found = await events(batchId);
    expect(found.map(({ label, start_s, end_s, approval }) => [label, start_s, end_s, approval])).toEqual([
      ['red car 0', 0.3, 1.6, 'approved'],
      ['red car 1', 2.4, 3.5, 'approved'],
      ['car', 3.4, 4.6, 'approved'],
      ['red car 2', 4.34, 5.5, 'rejected'],
      ['red car 3', 6.34, 7.5, 'rejected'],
      ['car', 10, 11, 'approved'],
    ]);
    expect(found[0]!.review!.reason).toBe('In the labels of truth.csv.');
    expect(found[3]!.review!.reason).toBe('Not in the labels of truth.csv.');
    const { scores } = await done<{ scores: Json[] }>('GET', `/api/review/scores?query=${encodeURIComponent(query)}`);
    expect(scores).toMatchObject([
      { approved: 2, rejected: 2, added: 2, precision: { value: 0.5 }, recall: { value: 0.5 } },
    ]);
    const again = await importLabels(batchId, file, { complete: true });
    expect(again).toMatchObject({ added: 0, confirmed: 0, rejected: 0, unchanged: 5 });
    expect(await events(batchId)).toEqual(found);
  });

  test('leaves what people decided or corrected since', async () => {
    const batchId = await ask([await world.addVideo()], 2);
    const [first] = await events(batchId);
    await done('PATCH', `/api/events/${first!.event_id}`, { approval: 'rejected', reason: 'a toy' });
    const file = csv('car,0.34,1.5,', 'bus,8,9,');
    expect(await importLabels(batchId, file)).toMatchObject({ added: 1, confirmed: 0, unchanged: 1 });
    const added = (await events(batchId)).at(-1)!;
    await done('PATCH', `/api/events/${added.event_id}`, { label: 'tram', start_s: 7.5, approval: 'unsure' });
    const before = await events(batchId);
    expect(await importLabels(batchId, file)).toMatchObject({ added: 0, confirmed: 0, unchanged: 2 });
    expect(await events(batchId)).toEqual(before);
  });

  test('is undone by one undo, and can be imported again', async () => {
    const batchId = await ask([await world.addVideo()], 1);
    const before = await events(batchId);
    const file = csv('car,0.34,1.6,', 'bus,8,9,', 'bus,10,11,');
    await importLabels(batchId, file);
    await done('POST', '/api/review/undo');
    const [found, ...added] = await events(batchId);
    expect(found).toMatchObject({ approval: 'pending', start_s: before[0]!.start_s, end_s: before[0]!.end_s });
    expect(added.map(({ approval }) => approval)).toEqual(['rejected', 'rejected']);
    expect(await importLabels(batchId, file)).toMatchObject({ added: 2, confirmed: 1, unchanged: 0 });
    expect((await events(batchId)).map(({ approval }) => approval)).toEqual(Array(3).fill('approved'));
  });

  test('is one verdict where two reviewers must agree', async () => {
    const { id } = await done('POST', '/api/folders', { name: 'Two', scope: 'org' });
    await done('PUT', `/api/review/folders/${id}`, { reviewers: 2 });
    const batchId = await ask([await world.addVideo({ scope: 'org', folderId: String(id) })], 1);
    const file = csv('car,0.34,1.5,');
    await importLabels(batchId, file);
    expect((await events(batchId)).map(({ approval }) => approval)).toEqual(['pending']);
    const other = await world.library.keyOf(await world.library.addUser(world.caller.orgId), ['read', 'write']);
    await done('POST', '/api/labels/import', { batch_id: batchId, content: file }, other.key);
    expect((await events(batchId)).map(({ approval }) => approval)).toEqual(['approved']);
  });
});

describe('a file', () => {
  test('with errors changes nothing and reports each of them', async () => {
    const [one, two] = [await world.addVideo(), await world.addVideo()];
    const batchId = await ask([one, two], 0);
    const file = csv(
      `good,1,2,${one}`,
      'car,1,2,',
      `car,3,2,${one}.mp4`,
      `car,1,99,${two}`,
      'car,1,2,other.mp4',
      'car,x,2,',
    );
    const { errors, ...result } = await importLabels(batchId, file);
    expect(result).toMatchObject({ status: 'invalid', added: 0, confirmed: 0, unchanged: 0, error_count: 5 });
    expect(errors).toEqual([
      { location: 'line 3', message: 'It names no video, and the batch has several. Send `video_id`.' },
      { location: 'line 4', message: 'It ends before it starts.' },
      { location: 'line 5', message: 'It ends at 99 s, but the video has 12.5 s.' },
      { location: 'line 6', message: 'The batch has no video "other.mp4".' },
      { location: 'line 7', message: 'The start is not a time: "x". Write seconds, such as 12.5, or 0:12.5.' },
    ]);
    expect(await events(batchId)).toEqual([]);
  });

  test('may be of one video, or have more labels than the prompt asks for', async () => {
    const [one, two] = [await world.addVideo(), await world.addVideo()];
    const batchId = await ask([one, two], 0);
    const more = { video_id: two, labels: ['car'] };
    const result = await importLabels(batchId, csv('car,1,2,unknown.mp4', 'sky,0,12,unknown.mp4'), more);
    expect(result).toMatchObject({ status: 'imported', added: 1, skipped: 1, videos: 1 });
    expect(await events(batchId, `&video_id=${two}`)).toMatchObject([{ label: 'car' }]);
    const elsewhere = { batch_id: batchId, content: 'x', video_id: await world.addVideo() };
    const refused = await world.api.call('POST', '/api/labels/import', { key: world.key, json: elsewhere });
    expect(refused).toMatchObject({ status: 404, json: { error: 'labels_video_not_found' } });
    const foreign = { ...elsewhere, video_id: await world.library.add(await world.library.addUser()) };
    const forbidden = await world.api.call('POST', '/api/labels/import', { key: world.key, json: foreign });
    expect(forbidden).toMatchObject({ status: 403, json: { error: 'video_forbidden' } });
  });

  test('of frames: those of one object that follow one another are one label', async () => {
    const videoId = await world.addVideo();
    const batchId = await ask([videoId], 0);
    const images = [0, 10, 30, 100].map((frame_id, id) => ({ id, frame_id, video_name: `${videoId}.mp4` }));
    const annotations = images.flatMap(({ id }) => [
      { image_id: id, category_id: 1, track_id: 1 },
      ...(id === 1 ? [{ image_id: id, category_id: 1, track_id: 2 }] : []),
    ]);
    const coco = { images, annotations, categories: [{ id: 1, name: 'car' }] };
    expect(await importLabels(batchId, JSON.stringify(coco))).toMatchObject({ format: 'coco', labels: 3, added: 3 });
    // 25 frames a second.
    expect((await events(batchId)).map(({ start_s, end_s }) => [start_s, end_s])).toEqual([
      [0, 1.24],
      [0.4, 0.44],
      [4, 4.04],
    ]);
  });

  test('that is too large is refused', async () => {
    const json = { batch_id: '0'.repeat(32), content: 'x'.repeat(8_000_001) };
    expect((await world.api.call('POST', '/api/labels/import', { key: world.key, json })).status).toBe(400);
  });
});
