// The user command line from login to the last key: everything over HTTP, as a user with only a key.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DARK } from './harness/answers.ts';
import { user } from './harness/command.ts';
import { type CommandLine, openCommandLine } from './harness/command-line.ts';
import type { Service } from './harness/service.ts';

/** Folders of this run only, because the service may have existed before. */
const [DRIVES, NIGHT, GATE] = ['drives', 'night', 'gate'].map((name) => `${name} ${Date.now()}`) as [
  string,
  string,
  string,
];

let line: CommandLine;
let service: Service;
let clip: string;
let folder: string;
let env: Record<string, string>;
const text = (...args: string[]) => line.text(...args);
const json = (...args: string[]) => line.json(...args);

beforeAll(async () => {
  line = await openCommandLine();
  ({ service, clip, env, folder } = line);
});
afterAll(() => line?.close());

test('initially nobody is logged in; a wrong key is not stored; a valid key is, readable only by its user', async () => {
  const before = await user(['videos'], { env });
  expect([before.code, before.stderr]).toEqual([1, expect.stringContaining('sightline login')]);

  const wrong = await user(['login', '--url', service.url], { env, input: `sk_${'x'.repeat(48)}\n` });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/key/i)]);
  expect((await user(['videos'], { env })).code).toBe(1);

  const nobody = await user(['login', '--url', 'http://127.0.0.1:9999'], { env, input: `${service.key}\n` });
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);

  const right = await user(['login', '--url', service.url], { env, input: `${service.key}\n` });
  expect([right.code, right.stdout]).toEqual([0, expect.stringContaining('read, write, admin')]);
  expect((await stat(join(env.XDG_CONFIG_HOME!, 'sightline', 'login.json'))).mode & 0o777).toBe(0o600);
  expect(right.stdout + right.stderr).not.toContain(service.key);
});

describe('a video', () => {
  let videoId: string;
  let batchId: string;

  test('is uploaded into a folder, complete', async () => {
    const missing = await user(['upload', '/nowhere.mp4'], { env });
    expect([missing.code, missing.stderr]).toEqual([1, 'There is no file /nowhere.mp4.\n']);
    const [answer] = await json('upload', clip, '--folder', DRIVES, '--name', 'ride.mp4');
    videoId = answer!.video_id!;
    const [status] = await json('videos', 'show', videoId);
    const { sha256 } = status!.metadata as unknown as { sha256: string };
    expect(sha256).toBe(
      createHash('sha256')
        .update(await readFile(clip))
        .digest('hex'),
    );
    expect(await text('videos', 'list', '--folder', DRIVES)).toMatch(
      new RegExp(`${videoId}.*ride\\.mp4.*0:16\\.0.*${DRIVES}`),
    );
    expect(await text('folders')).toContain(DRIVES);
  });

  test('shows how a prompt would be understood before it is run', async () => {
    const [preview] = await json('ask', `${DARK}, pothole`, '--video', videoId, '--dry-run');
    expect(preview).toMatchObject({ total_videos: 1, observed_videos: 0, parts: [{ status: 'looked_for' }, {}] });
    const shown = await text('ask', `${DARK}, pothole`, '--video', videoId, '--dry-run');
    expect(shown).toMatch(/^Understood as: picture .*not understood: "pothole"\..*not looked for.*1 video, 0/s);
  });

  test('zones are drawn in it, named in prompts, and deleted', async () => {
    const door = ['zones', 'create', 'door', '0.1,0.1', '0.5,0.1', '0.5,0.9', '--video', videoId, '--note', 'entrance'];
    const [, id] = /^Created the zone door: (\w{32})\.$/.exec(await text(...door))!;
    expect(await text('zones', 'create', 'gate', '0,0.5', '1,0.5', '--video', videoId)).toMatch(
      /^Created the line gate/,
    );
    const listed = await text('zones', '--video', videoId);
    expect(listed).toMatch(new RegExp(`${id} .* door .* polygon .* video .* 0\\.1,0\\.1 0\\.5,0\\.1 0\\.5,0\\.9`));
    expect(await text('ask', 'a person enters zone door', '--video', videoId, '--dry-run')).toMatch(
      /^Understood as: .*door/,
    );
    const again = await user(door, { env });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('named "door" already')]);
    const outside = await user(['zones', 'create', 'wall', '2,0', '1,1', '--video', videoId], { env });
    expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining('two numbers from 0 to 1')]);
    expect(await text('zones', 'delete', id!)).toBe(`Deleted ${id}.`);
    expect(await text('zones', '--video', videoId)).not.toContain('door');
  });

  test('is analyzed, and events arrive as they are found', async () => {
    const events = await json('ask', DARK, '--video', videoId);
    expect(events[0]).toMatchObject({ id: 1, kind: 'batch_created' });
    expect(events.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed' } });
    batchId = (events[0]!.data as unknown as { batch_id: string }).batch_id;
    const streamed = events.filter(({ kind }) => kind === 'finding');
    expect(streamed).toHaveLength(1);

    const { code, stdout, stderr } = await user(['ask', DARK, '--folder', DRIVES, '--fast'], { env });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/0:06\.\d to 0:0[78]\.\d.*dark/i);
    const [nothing] = [await user(['ask', DARK, '--folder', 'nowhere'], { env })];
    expect(nothing!.code).toBe(1);
  });

  test('its batch and stream can be read again, and its events can be searched', async () => {
    const [status, document] = await json('batch', batchId, '--wait');
    expect(status).toMatchObject({ status: 'completed', aggregated_progress: { total: 1, completed: 1 } });
    expect(document).toMatchObject({ video_id: videoId, analysis: { status: 'COMPLETED' } });
    const again = await json('follow', String(status!.stream_id), '--last-id', '1');
    expect(again.map(({ id }) => Number(id))).toEqual(again.map((_, i) => i + 2));
    const [list] = await json('batches', '--status', 'completed');
    expect((list!.batches as unknown as { batch_id: string }[]).map(({ batch_id }) => batch_id)).toContain(batchId);
    expect(await text('batches')).toMatch(new RegExp(`${batchId} .* completed .* 1 of 1 .*dark`));
    expect(await text('analyses', videoId)).toMatch(/completed .* 1 .*dark/);
    expect(await text('cancel', batchId)).toMatch(/: completed$/);
    const retried = await user(['retry', batchId], { env });
    expect([retried.code, retried.stderr]).toEqual([1, expect.stringContaining('nothing to retry')]);
    expect(await text('events', 'dark', '--video', videoId)).toMatch(/ to .*dark/);
    const [event] = await json('events', 'dark', '--video', videoId, '--limit', '1');
    expect(event).toMatchObject({ video_id: videoId, label: expect.stringContaining('dark') });
    const [found] = await json('search', 'when it gets dark', '--folder', DRIVES);
    expect(found).toMatchObject({ status: 'completed', matches: [{ video_id: videoId }] });
  });

  test('its events are reviewed', async () => {
    const [event] = await json('events', 'dark', '--video', videoId, '--limit', '1');
    const { event_id: id, analysis_id: analysis } = event as unknown as Record<string, string>;
    expect(await text('events', '--to-review', '--video', videoId)).toContain(id!);
    const [approved] = await json('review', 'approve', id!, '--note', 'at dusk');
    expect(approved).toMatchObject({ events: [{ event_id: id, approval: 'approved', review: { note: 'at dusk' } }] });
    const [rejected] = await json('review', 'reject', id!, '--reason', 'wrong time');
    expect(rejected).toMatchObject({ events: [{ approval: 'rejected', review: { reason: 'wrong time' } }] });
    expect(await text('review', 'undo')).toMatch(/approved/);
    expect(await text('review', 'add', videoId, analysis!, 'a flash', '--start', '1', '--end', '2')).toMatch(/a flash/);
    expect(await text('review', 'history', id!)).toMatch(/undone .*wrong time/);
    expect(await text('review', 'scores')).toMatch(/1\.00 \(.*0\.50 \(/);
    const [compared] = await json('review', 'compare', 'there is a cut', '--baseline', DARK, '--min-confidence', '0.4');
    expect(compared).toMatchObject({ status: 'completed', compared_videos: 1, baseline: { right: 1, missed: 1 } });
    expect(await text('review', 'comparison', String(compared!.batch_id))).toMatch(/disappeared\W+right/);
    expect(await text('events', '--approval', 'approved', '--video', videoId)).toMatch(/a flash/);
  });

  test('a dataset of its batch is created, changed, downloaded with its verdicts, and deleted', async () => {
    const [{ batch_id: reviewed }] = (await json('events', 'flash', '--video', videoId)) as unknown as [
      Record<string, string>,
    ];
    const [made] = await json('datasets', 'create', 'Dusk', '--batch', reviewed!, '--description', 'for training');
    expect(made).toMatchObject({ status: 'ready', batch_ids: [reviewed], search_description: 'for training' });
    const id = String(made!.id);
    expect(await text('datasets')).toMatch(new RegExp(`${id} .*Dusk .* ready .* 1 .* 2 .* 2 .* 0`));
    expect(await text('datasets', 'list', '--shared')).toBe('There are no datasets.');
    const changed = await text('datasets', 'change', id, '--name', 'Dawn', '--add-video', videoId);
    expect(changed).toBe(`Dawn (${id}) is ready: 1 batch, 2 videos, 2 events (2 approved, 0 rejected).`);
    expect(await text('datasets', 'show', id)).toBe(changed);
    const out = join(folder, 'dataset.json');
    const eventsOf = async (...options: string[]) => {
      expect(await text('datasets', 'download', id, '--out', out, ...options)).toBe(`Saved ${out}.`);
      const { batches, dataset_metadata, unanalyzed_videos } = JSON.parse(await readFile(out, 'utf8'));
      expect([dataset_metadata.name, unanalyzed_videos[0].videos[0].video_id]).toEqual(['Dawn', videoId]);
      return batches[0].results[0].events.map(({ label }: { label: string }) => label);
    };
    expect(await eventsOf('--approval', 'approved')).toContain('a flash');
    expect(await eventsOf('--approval', 'rejected')).toEqual([]);
    await eventsOf('--val', '0.1', '--test', '0.2', '--seed', 'spring');
    const { splits, batches, unanalyzed_videos } = JSON.parse(await readFile(out, 'utf8'));
    expect(splits).toEqual({ val_share: 0.1, test_share: 0.2, seed: 'spring' });
    expect(batches[0].results[0].split).toBe(unanalyzed_videos[0].videos[0].split);
    const [version] = await json(
      'datasets',
      'freeze',
      id,
      '--name',
      'Spring',
      '--approval',
      'approved',
      '--val',
      '0.1',
    );
    expect(version).toMatchObject({ number: 1, name: 'Spring', status: 'ready', event_count: 2, video_count: 1 });
    expect(await text('datasets', 'download-version', id, '1', '--out', out)).toBe(`Saved ${out}.`);
    const digest = createHash('sha256')
      .update(await readFile(out))
      .digest('hex');
    expect(digest).toBe(version!.sha256);
    expect(await text('datasets', 'versions', id)).toMatch(new RegExp(`1 .*Spring .* ready .* ${digest}`));
    expect(await text('datasets', 'delete-version', id, '1')).toBe(`Deleted version 1 of ${id}.`);
    const events = (...options: string[]) => text('datasets', 'events', id, ...options);
    expect(await events()).toMatch(/a flash/);
    expect(await events('--where', '{"approval": "rejected"}')).toBe('No event matches.');
    expect(await events('--query', 'a flash', '--limit', '1')).toMatch(/a flash/);
    expect(await text('datasets', 'coverage', id)).toBe('The dataset has no events with fields of fixed values.');
    const fields = join(folder, 'taxonomy.json');
    const dark = [{ name: 'dark', type: 'boolean', description: 'the picture is dark' }];
    await writeFile(fields, JSON.stringify({ label: 'Light', fields: dark }));
    expect(await text('datasets', 'classify', id, fields)).toMatch(/^Filled dark in \d analyses\.$/);
    expect(await text('datasets', 'fields', id)).toMatch(/ dark +│ boolean /);
    expect(await text('datasets', 'coverage', id, '--field', 'dark')).toMatch(/ dark +│ events /);
    expect((await user(['datasets', 'coverage', id, '--field', 'wet'], { env })).stderr).toMatch(/wet.*It has: dark/);
    const clipped = await text('datasets', 'change', id, '--add-clip', `${videoId}@1-2.5=at dusk`, `${videoId}@0-1`);
    expect(clipped).toMatch(/: 1 batch, 2 videos, 2 clips, 2 events/);
    const shown = await text('datasets', 'show', id);
    expect(shown).toMatch(/ ride\.mp4 .* 0:00\.0 .* 0:01\.0 /);
    expect(shown).toMatch(/ ride\.mp4 .* 0:01\.0 .* 0:02\.5 .* at dusk /);
    const [clip_id] = /\b\w{32}(?= │ ride)/.exec(shown)!;
    expect(await text('datasets', 'change', id, '--remove-clip', clip_id)).toContain(', 1 clip, ');
    const wrong = await user(['datasets', 'change', id, '--add-clip', `${videoId}@1`], { env });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('VIDEO_ID@START-END')]);
    const late = await user(['datasets', 'change', id, '--add-clip', `${videoId}@1-9999`], { env });
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('not a range of the video')]);
    const flash = JSON.stringify({ batch_id: reviewed, label: 'a flash' });
    const [found] = await json(
      'datasets',
      'create',
      'Flashes',
      '--clips-of-events',
      flash,
      '--clip',
      `${videoId}@0-0.5`,
    );
    expect(found).toMatchObject({
      clips: [
        { start_s: 0, end_s: 0.5, label: null },
        { start_s: 1, end_s: 2, label: 'a flash' },
      ],
    });
    expect(await text('datasets', 'delete', String(found!.id))).toContain('Deleted');
    expect(await text('datasets', 'delete', id)).toBe(`Deleted ${id}.`);
    expect((await user(['datasets', 'show', id], { env })).stderr).toContain('no dataset');
  });

  test('labels of another tool confirm and complete its events', async () => {
    const [{ batch_id: labeled }] = (await json('events', 'flash', '--video', videoId)) as unknown as [
      Record<string, string>,
    ];
    const file = join(folder, 'labels.csv');
    await writeFile(file, 'label,start_s,end_s\na bird,3,4\n');
    const importLabels = (...options: string[]) => text('review', 'import-labels', labeled!, file, ...options);
    expect(await importLabels('--dry-run')).toBe('Would import 1 label of 1 video: 1 added.');
    expect(await importLabels()).toBe('Imported 1 label of 1 video: 1 added.');
    expect(await importLabels()).toBe('Imported 1 label of 1 video: 1 unchanged.');
    expect(await text('review', 'undo')).toMatch(/a bird .* rejected/);
    await writeFile(file, 'label,start_s,end_s\na bird,soon,4\n');
    const { code, stdout } = await user(['review', 'import-labels', labeled!, file], { env });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/errors:\nline 2: The start is not a time/)]);
  });

  test('it is exported with its events as MCAP, and the files are what the service sent', async () => {
    const out = join(folder, 'mcap files');
    expect(await text('exports', 'mcap', videoId, '--out', out)).toBe(`${out}: 2 files`);
    const session = join(out, 'sessions', videoId);
    const [mcap, recording] = await Promise.all(
      (await readdir(session)).sort().map((name) => readFile(join(session, name))),
    );
    expect(mcap!.subarray(1, 5).toString()).toBe('MCAP');
    const { metadata } = (await service.call('GET', `/api/video/${videoId}/status`)).json as {
      metadata: { sha256: string };
    };
    expect(createHash('sha256').update(recording!).digest('hex')).toBe(metadata.sha256);
    const { code, stderr } = await user(['exports', 'mcap', videoId, '--event', 'x'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('no event')]);
  });

  test('its observations are printed as a table for spreadsheets, and the library is counted', async () => {
    expect(
      await text('observations', videoId, '--fields', 'brightness', '--from', '5', '--to', '7', '--points', '4'),
    ).toMatch(/^field,time_s,min,max\n(brightness,[56]\.?\d*,[\d.]+,[\d.]+(\n|$)){4}$/);
    const [lanes] = await json('observations', videoId, '--fields', 'brightness');
    expect(lanes).toMatchObject({ video_id: videoId, lanes: [{ field: 'brightness' }] });
    expect(await text('telemetry', videoId)).toMatch(/^field,time_s,min,max,latitude,longitude/);
    const [tracks] = await json('tracks', videoId, '--from', '0', '--to', '5');
    expect(tracks).toMatchObject({ video_id: videoId, tracks: expect.any(Array) });
    expect((await text('tracks', videoId)).length).toBeGreaterThan(0);
    const unmeasured = await user(['actions', videoId], { env });
    expect([unmeasured.code, unmeasured.stderr]).toEqual([1, expect.stringContaining('no telemetry')]);
    expect(await text('videos', 'count', '--folder', DRIVES)).toMatch(/ videos .* 1 .* uploaded +│ 1 .* yes +│ 1 /s);
    expect(await text('videos', 'views', videoId)).toBe('There are no sets of views.');
  });

  test('has subtitles, which are its captions', async () => {
    const file = join(folder, 'talk.en.srt');
    await writeFile(file, '1\n00:00:01,000 --> 00:00:02,500\nPlease stop.\n');
    expect(await text('videos', 'subtitles', 'add', videoId, file)).toBe(
      `${videoId}  1 caption, 0:01.0 to 0:02.5, language: en`,
    );
    const captions = await fetch(await text('videos', 'url', videoId, '--kind', 'captions_srt'));
    expect(await captions.text()).toBe('1\n00:00:01,000 --> 00:00:02,500\nPlease stop.\n');
    expect(await text('videos', 'subtitles', 'remove', videoId)).toBe(`${videoId}  removed`);
    await writeFile(file, 'no subtitles');
    const refused = await user(['videos', 'subtitles', 'add', videoId, file], { env });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The subtitle file cannot be used')]);
  });

  test('time without events is sampled for recall', async () => {
    const [{ samples }] = (await json(
      'review',
      'sample',
      '--query',
      DARK,
      '--count',
      '50',
      '--length',
      '4',
    )) as unknown as [{ samples: { video_id: string; analysis_id: string; start_s: number; end_s: number }[] }];
    const { video_id: id, analysis_id: analysis, start_s: from, end_s: to } = samples[0]!;
    const range = [id, analysis, String(from), String(to)];
    expect(await text('review', 'seen', ...range)).toMatch(/: clear$/);
    expect(await text('review', 'scores', '--query', DARK)).toMatch(/0 of 1/);
    const left = await text('review', 'sample', '--query', DARK, '--count', '50', '--length', '4');
    expect(left.split('\n').length).toBeGreaterThan(1);
    const outside = await user(['review', 'seen', id, analysis, '5000', '5004'], { env });
    expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining('within the video')]);
  });

  test('is observed before anyone asks', async () => {
    expect(await text('observation-runs', 'list')).toBe('No videos were observed by request.');
    expect(await text('observation-runs', 'start', 'signals', '--video', videoId)).toMatch(
      /^signals: completed, 1 of 1 video\n/,
    );
    const [list] = await json('observation-runs', 'list');
    const [{ observation_id: id }] = list!.runs as unknown as [{ observation_id: string }];
    expect(await json('observation-runs', 'show', id)).toMatchObject([{ observers: ['signals'], total: 1, failed: 0 }]);
    expect(await json('observation-runs', 'cancel', id)).toMatchObject([{ status: 'completed' }]);
    const unknown = await user(['observation-runs', 'start', 'smells', '--video', videoId], { env });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no observer "smells".')]);
  });

  test('plays by a URL without a key, is moved, deleted and restored', async () => {
    const video = await fetch(await text('videos', 'url', videoId));
    expect(new Uint8Array(await video.arrayBuffer())).toEqual(new Uint8Array(await readFile(clip)));
    const part = await fetch(await text('videos', 'url', videoId, '--kind', 'clip', '--start', '5', '--end', '7'));
    expect([part.status, part.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(await text('videos', 'move', videoId, '--folder', NIGHT)).toContain('done');
    expect(await json('videos', 'list', '--folder', NIGHT)).toMatchObject([{ videos: [{ video_id: videoId }] }]);
    expect(await text('videos', 'delete', videoId)).toContain('done');
    expect((await user(['videos', 'show', videoId], { env })).code).toBe(1);
    expect(await text('videos', 'restore', videoId)).toContain('done');
    const [unknown] = [await user(['videos', 'delete', '0'.repeat(32)], { env })];
    expect([unknown!.code, unknown!.stdout]).toEqual([1, expect.stringContaining('no video')]);
  });

  test('is forgotten by when it was recorded, unless it is on legal hold', async () => {
    const videos = ['first', 'second', 'third', 'other day', 'no clock'].map(async (name) => {
      const [answer] = await json('upload', clip, '--folder', GATE, '--name', `${name}.mp4`);
      return String(answer!.video_id);
    });
    const [first, second, third, later, untimed] = await Promise.all(videos);
    const recordedAt = (id: string, recorded_at: string) =>
      text('api', 'PATCH', `/api/video/${id}`, JSON.stringify({ recorded_at }));
    for (const id of [first!, second!, third!]) await recordedAt(id, '2026-03-04T10:00:00Z');
    await recordedAt(later!, '2026-03-05T10:00:00Z');
    await text('videos', 'delete', third!);
    expect(await text('videos', 'hold', first!, '--reason', 'Claim 4711')).toContain('done');
    expect(await json('videos', 'list', '--held')).toMatchObject([{ videos: [{ video_id: first }] }]);
    const refused = await user(['videos', 'delete', first!, '--erase'], { env });
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('legal hold')]);

    const [{ folder_id }] = (await json('videos', 'show', first!)) as unknown as [{ folder_id: string }];
    const time = ['--recorded-after', '2026-03-04T10:00:05Z', '--recorded-before', '2026-03-04T10:00:10Z'];
    const place = ['--folder-id', folder_id];
    for (const missing of [time, place, ['one id']]) {
      expect((await user(['forget', ...missing], { env })).code).toBe(1);
    }
    const plan = await text('forget', ...time, ...place);
    expect(plan).toMatch(/second\.mp4.*third\.mp4.*in the trash/s);
    expect(plan).toContain('2 videos would be erased as a whole. Nothing was deleted');
    expect(plan).toContain('1 video on legal hold: not erased.');
    expect(plan).toContain('1 video of which it is not known when they were recorded');
    expect(plan).not.toContain('other day.mp4');
    expect(await text('forget', ...time, ...place, '--label', 'unheard of')).toContain('0 videos would be erased');
    expect(await json('forget', ...time, ...place)).toMatchObject([
      { would_erase: [{ video_id: second }, { video_id: third }], on_hold: [{ video_id: first }] },
    ]);

    expect(await text('forget', ...time, ...place, '--reason', 'Request 17', '--yes')).toMatch(/^2 videos erased\.\n/);
    expect((await user(['videos', 'show', second!], { env })).code).toBe(1);
    expect((await user(['videos', 'restore', third!], { env })).code).toBe(1);
    for (const id of [first!, later!, untimed!]) expect(await text('videos', 'show', id)).toContain('"uploaded"');
    for (const id of [second!, third!]) {
      await expect.poll(() => text('videos', 'erased', '--video', id), { timeout: 60_000 }).toContain('Request 17');
    }
    expect(await text('videos', 'erased')).toMatch(/2026-03-04 10:00.*0:16\.0/);
    expect(await text('videos', 'release', first!)).toContain('done');
  });
});

test('keys are created, listed and revoked; a read-only key reports that it may not write', async () => {
  const soon = await user(['keys', 'create', '--name', 'reader', '--days', 'soon'], { env });
  expect([soon.code, soon.stdout, soon.stderr]).toEqual([1, '', expect.stringContaining('It must be a number.')]);
  const [made] = await json('keys', 'create', '--name', 'reader', '--scopes', 'read', '--days', '1');
  const reader = { SIGHTLINE_URL: service.url, SIGHTLINE_API_KEY: String(made!.key) };
  expect((await user(['videos'], { env: reader })).code).toBe(0);
  const refused = await user(['folders', 'create', 'x'], { env: reader });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('"write"')]);
  expect(await text('keys')).toMatch(/reader.*read .*active/);
  expect(await text('keys', 'revoke', String(made!.key_id))).toContain('cannot be reactivated');
  expect((await user(['videos'], { env: reader })).code).toBe(1);
});

test('after logging out nobody is logged in', async () => {
  await text('logout');
  expect((await user(['videos'], { env })).code).toBe(1);
});
