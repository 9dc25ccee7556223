// The user command line with livestreams, buckets and recordings.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startHlsOrigin } from '../server/test/servers/live-sources.ts';
import { DARK } from './harness/answers.ts';
import { beginUser, type RunningCommand, user } from './harness/command.ts';
import { type CommandLine, openCommandLine } from './harness/command-line.ts';

const { s3Server, gcsServer, ffmpeg } = inject('programs');
const hasBuckets = s3Server !== null && gcsServer !== null;
/** A folder of this run only, because the service may have existed before. */
const IMPORTED = `imported ${Date.now()}`;

let line: CommandLine;
let env: Record<string, string>;
let camera: Awaited<ReturnType<typeof startHlsOrigin>> | null = null;
const text = (...args: string[]) => line.text(...args);
const json = (...args: string[]) => line.json(...args);

beforeAll(async () => {
  line = await openCommandLine({ buckets: hasBuckets, logIn: true });
  ({ env } = line);
});
afterAll(async () => {
  await camera?.stop();
  await line?.close();
});

/** A livestream runs during all other tests here; its results are checked at the end. */
let live: string[];
let watching: RunningCommand;
test.runIf(ffmpeg)('a livestream is started and followed', async () => {
  camera = await startHlsOrigin(ffmpeg!, { input: ['-re', '-stream_loop', '-1', '-i', line.clip] });
  const named = ['--name', 'Gate 4', '--stream', `gate-${Date.now()}`, '--query', DARK];
  const [started] = await json('live', 'start', camera.url, ...named);
  expect(started).toMatchObject({ name: 'Gate 4', stream_id: named[3] });
  live = [String(started!.stream_id), String(started!.session_id)];
  watching = beginUser(['live', 'show', ...live, '--follow'], { env });

  const nowhere = await user(['live', 'start', 'ftp://camera.example/'], { env });
  expect([nowhere.code, nowhere.stdout, nowhere.stderr]).toEqual([1, '', expect.stringContaining('rtsp')]);
});

describe.runIf(hasBuckets)('buckets and recordings', () => {
  let integration: string;

  test('credentials are saved without exposing them to other programs, and import named or matching objects', async () => {
    const access = { name: 'Fleet', bucket: 'fleet-recordings', endpoint_url: line.clouds!.s3Url };
    const input = JSON.stringify({ ...access, access_key_id: 'AKIATEST', secret_access_key: 'secret' });
    const saved = await user(['import', 'connect', 's3'], { env, input });
    expect([saved.code, saved.stderr]).toEqual([0, '']);
    integration = saved.stdout.trim();
    expect(await text('import', 'integrations')).toMatch(/Fleet.*s3.*fleet-recordings/);

    const named = ['import', 'start', integration, 'drives/a.mp4', 'drives/b.mp4', '--folder', IMPORTED, '--wait'];
    const [all] = await json(...named);
    expect(all).toMatchObject({ status: 'completed', total: 2, uploaded: 2, failed: 0, folder_name: IMPORTED });
    // One of the objects is not a video, which sets the exit code.
    const fitting = await user(['import', 'start', integration, '--prefix', 'drives/t', '--wait'], { env });
    expect([fitting.code, fitting.stdout]).toEqual([1, expect.stringContaining('0 of 1 imported, 1 failed')]);
    expect(await text('import')).toContain(String(all!.id));
  });

  test('a recording becomes videos, whether uploaded or imported', async () => {
    const [sent] = await json('mcap', 'upload', line.clouds!.settings.recording, '--wait');
    expect(sent).toMatchObject({ status: 'completed', derived_videos: [{ role: 'front' }, { role: 'rear' }] });
    expect(await text('mcap', 'list')).toMatch(new RegExp(`${sent!.mcap_ingest_id} .*completed`));
    expect(await text('videos', 'views')).toMatch(/ rear /);
    const roles = ['--front', '/camera/rear/image', '--role', '/camera/front/image=rear'];
    const stitched = await text('mcap', 'stitch', String(sent!.mcap_ingest_id), ...roles);
    expect(stitched).toMatch(/camera\/rear\/image.*front/);
    const imported = await json('mcap', 'import', integration, 'drives/drive.mcap', '--wait');
    expect(imported).toMatchObject([{ status: 'completed', video_ids: { length: 2 } }]);
  });

  test('a dataset of LeRobot becomes videos, and what its machine did is listed', async () => {
    const directory = 'gs://shared-recordings/robots/arm/';
    const [job] = await json('import', 'recordings', directory, '--format', 'lerobot', '--wait');
    expect(job).toMatchObject({ status: 'completed', total: 1, failed: 0 });
    const { json: rows } = await line.service.call('GET', `/api/import-jobs/${job!.id}/videos`);
    const [id] = (rows.videos as { video_ids: string[] }[])[0]!.video_ids;
    await text('ask', 'speed above 5 m/s', '--video', id!);
    const actions = await text('actions', id!);
    expect(actions).toMatch(/driving.*10\.0/);
    expect(actions).toMatch(/Measured by: .*observation\.speed/);
  });
});

test.runIf(ffmpeg)('the livestream is listed, plays, gets another prompt, and is followed to its end', async () => {
  await watching.says(/^\d\d:\d\d .*dark.* \(0\.\d\d\)$/m);
  expect(await text('live', 'list', '--stream', live[0]!)).toMatch(new RegExp(`${live[1]}.*Gate 4.*ACTIVE`));
  expect(await text('live', 'show', ...live)).toMatch(
    /^Understood as: .*dark.*\n\d\d:\d\d .*dark[\s\S]*: ACTIVE, \d+:\d\d\.\d$/,
  );
  expect(await (await fetch(await text('live', 'manifest', live[1]!))).text()).toContain('#EXTM3U');
  const [requested] = await json('live', 'ask', live[1]!, 'a cut', '--add');
  expect(requested).toMatchObject({ searches: ['picture gets dark', 'cut'] });
  expect(await text('live', 'end', ...live)).toBe('The session is ending.');
  expect([await watching.ended, watching.stdout()]).toEqual([0, expect.stringMatching(/: FINISHED, \d+:\d\d\.\d\n$/)]);
  expect(await text('live', 'end', ...live)).toBe('The session has ended already.');

  const reported = await json('live', 'show', ...live, '--follow');
  expect(reported.map(({ id }) => id)).toEqual([...reported.slice(1).map((_, i) => i + 1), undefined]);
  expect(reported.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['progress', 'finding', 'finding_ended']));
  expect(reported.slice(-2)).toMatchObject([{ kind: 'done' }, { status: 'FINISHED', video_id: expect.any(String) }]);
  const nobody = await user(['live', 'show', live[0]!, '0'.repeat(32), '--follow'], { env });
  expect([nobody.code, nobody.stdout, nobody.stderr]).toEqual([1, '', expect.stringMatching(/^There is no .+\.\n$/)]);
});
