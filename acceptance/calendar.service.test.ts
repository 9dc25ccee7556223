// Cameras with a wrong clock, in two time zones, over a change to summer time: through the API and the command line.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from './harness/command-line.ts';

/** Folders of this run only, because the service may have existed before. */
const [GATE, DOCK] = ['gate', 'dock'].map((name) => `${name} ${Date.now()}`) as [string, string];
/** Seconds of the clip at which it is dark. */
const DARK_S = 6;

let line: CommandLine;
const ids: Record<string, string> = {};

beforeAll(async () => {
  line = await openCommandLine({ logIn: true });
  for (const [folder, names] of [
    // The clock of this camera is 45 s fast; its last video crosses the change to summer time.
    [GATE, ['gate_20260327_080040.mp4', 'gate_20260328_080040.mp4', 'gate_20260329_020040.mp4', 'gate.mp4']],
    [DOCK, ['dock_20260327_075955.mp4']],
  ] as const)
    for (const name of names) {
      const [uploaded] = await line.json('upload', line.clip, '--folder', folder, '--name', name);
      ids[name] = uploaded!.video_id!;
    }
  for (const [folder, body] of [
    [GATE, { time_zone: 'Europe/Berlin', shift_s: -45 }],
    [DOCK, { time_zone: 'America/New_York' }],
  ] as const) {
    const { folders } = await call<{ folders: { id: string; name: string }[] }>('GET', '/api/folders');
    const { id } = folders.find(({ name }) => name === folder)!;
    expect(await call('POST', `/api/folders/${id}/clock`, body)).toMatchObject({});
  }
});
afterAll(() => line?.close());

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const { url, key } = line.service;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  expect(response.status, `${method} ${path}`).toBe(200);
  return (await response.json()) as Answer;
}

const ask = (prompt: string, ...flags: string[]) => line.text('ask', prompt, ...flags);
const names = (shown: string) => [...shown.matchAll(/^(\S+\.mp4) \(/gm)].map(([, name]) => name);

test('the clocks of a folder are set at once, in its zone', async () => {
  const { recorded_at, time_zone, clock } = await call<{ recorded_at: string; time_zone: string; clock: object }>(
    'GET',
    `/api/video/${ids['gate_20260329_020040.mp4']}/status`,
  );
  expect([recorded_at, time_zone]).toEqual(['2026-03-29T00:59:55.000Z', 'Europe/Berlin']);
  expect(clock).toMatchObject({ source: 'name' });
});

test('a question about a day finds its video; the others are counted, and those without a clock are named', async () => {
  const shown = await ask('the picture is dark between 8:00:00 am and 8:00:10 am on 27 March 2026', '--folder', GATE);
  expect(names(shown)).toEqual(['gate_20260327_080040.mp4']);
  expect(shown).toContain('only between 08:00 and 08:00:10 on Friday 27 March 2026 (Europe/Berlin)');
  expect(shown).toContain('1 of 4 videos chosen');
  expect(shown).toContain('2 videos recorded at another time: not searched');
  expect(shown).toContain('1 video of which it is not known when they were recorded: not searched (gate.mp4)');
  expect(shown).toMatch(/0:0[56]\.\d to 0:0[78]\.\d/);
});

test('an hour that was skipped is in no video, and the one after it follows at once', async () => {
  const video = ['--video', ids['gate_20260329_020040.mp4']!];
  expect(await ask('is the picture dark between 2:00 am and 2:59 am on 29 March 2026?', ...video)).toMatch(
    /Not known: between 02:00 and 02:59 on Sunday 29 March 2026 \(Europe\/Berlin\): recorded at another time, since it covers 01:59:55 to 03:00:1\d/,
  );
  const found = await ask('the picture is dark after 3 am on 29 March 2026', ...video);
  expect(found).toContain('By the recording clock, it covers 01:59:55 to 03:00:1');
  expect(found).toMatch(/0:0[56]\.\d to 0:0[78]\.\d/);
});

test('times are those of each camera, or of the person who asks', async () => {
  const [gate, dock] = [ids['gate_20260327_080040.mp4']!, ids['dock_20260327_075955.mp4']!];
  const prompt = 'the picture is dark between 8 am and 9 am on 27 March 2026';
  expect(names(await ask(prompt, '--video', gate, dock)).toSorted()).toEqual([
    'dock_20260327_075955.mp4',
    'gate_20260327_080040.mp4',
  ]);
  const inBerlin = await ask(prompt, '--video', gate, dock, '--time-zone', 'Europe/Berlin');
  expect(names(inBerlin)).toEqual(['gate_20260327_080040.mp4']);
  expect(inBerlin).toContain('1 video recorded at another time: not searched');
});

test('events are filtered by local time, across the change of clocks', async () => {
  const events = await line.json('events', '--time-of-day', '03:00-03:10', '--recorded-after', '2026-03-29T00:00:00Z');
  const [event] = events.filter((each) => each.video_id === ids['gate_20260329_020040.mp4']);
  const startAt = Date.parse((event as unknown as { start_at: string }).start_at);
  expect(Math.abs(startAt - Date.parse('2026-03-29T00:59:55Z') - DARK_S * 1_000)).toBeLessThan(1_000);
  expect(await line.text('events', '--per', 'hour', '--recorded-after', '2026-03-29T00:00:00Z')).toMatch(
    /03:00 +│ +1 /,
  );
  const listed = await line.text('videos', 'list', '--folder', GATE, '--weekday', 'sun');
  expect(listed).toContain('gate_20260329_020040.mp4');
  expect(listed).not.toContain('gate_20260328_080040.mp4');
});

test('the first event of a month is that of all cameras, by their clocks', async () => {
  // The clock in the name of the other camera shows an earlier time, but it is in New York.
  const limits = ['--recorded-after', '2026-03-26T00:00:00Z', '--recorded-before', '2026-03-30T00:00:00Z'];
  const shown = await ask('when did it first get dark since 27 March 2026?', '--all', ...limits);
  expect(shown).toMatch(
    /First at 08:00:0\d on Friday 27 March 2026 \(Europe\/Berlin\), in gate_20260327_080040\.mp4 at 0:0\d\.\d/,
  );
});
