// Numbers of recordings under their names: listed, asked for, and bounded.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import { jsonFormat, recordingBytes, recordingTimeNs } from '#test/mcap/recordings';
import { type McapService, startMcapService } from './mcap.fixture.ts';

let service: McapService;
beforeAll(async () => {
  service = await startMcapService();
});
afterAll(() => service.close());

type Analysis = {
  answer: string | null;
  events: { label: string; start_s: number; end_s: number }[];
};

async function ask(videoId: string, query: string) {
  const { json } = await service.call('POST', '/api/router/v2/query/start', {
    query,
    video_ids: [videoId],
    mode: 'fast',
  });
  const batch = String(json.batch_id);
  await expect
    .poll(async () => (await service.call('GET', `/api/batch/${batch}/status`)).json.status, { timeout: 120_000 })
    .toBe('completed');
  const { analyses } = (await service.call('POST', `/api/batch/${batch}/analyses/bulk`, { video_ids: [videoId] })).json;
  const [only] = analyses as (Analysis & { analysis: Analysis })[];
  return { events: only!.events, text: JSON.stringify(only) };
}

const channelsOf = async (videoId: string) =>
  (await service.call('GET', `/api/videos/${videoId}/telemetry`)).json as {
    channels: { name: string; unit: string | null; samples: number }[];
    channels_left_out: number;
  };

test.runIf(hasFootage)('the log of a car has channels, which prompts ask for', async () => {
  const ingest = await service.ingest(await readFile(footage('mcap/derived_comma2k19_seg40_telemetry_ros2.mcap')));
  const videoId = ingest.video_ids![0]!;
  const turning = await ask(videoId, 'when is the steering angle above 10 degrees');
  expect(turning.text).toMatch(/vehicle\/can\/steering_angle_deg/);
  const altitude = await ask(videoId, 'what is the highest altitude');
  expect(altitude.text).toMatch(/\d+(?:\.\d+)? m at 0:/);
  const battery = await ask(videoId, 'battery below 20 %');
  expect(battery.events).toEqual([]);
  expect(battery.text).toMatch(/is not in this recording: it has /);
  const { channels, channels_left_out } = await channelsOf(videoId);
  expect(channels).toContainEqual({ name: 'vehicle/can/steering_angle_deg', unit: '°', samples: 995 });
  expect(channels_left_out).toBe(0);
});

describe('a recording with numbers alone', () => {
  const battery = jsonFormat('robot.Battery');
  const recordingOf = (message: (i: number) => object, count = 100) =>
    recordingBytes({
      channels: [{ topic: '/power/battery', ...battery }],
      messages: Array.from({ length: count }, (_, i) => ({
        channel: 0,
        logNs: recordingTimeNs(i / 10),
        data: battery.encode(message(i)),
      })),
    });

  test('becomes a video whose channels can be searched', async () => {
    const ingest = await service.ingest(
      await recordingOf((i) => ({ percentage: 0.5 - i / 250, is_charging: false, cells: [{ name: 'a', volts: 4 }] })),
    );
    const videoId = ingest.video_ids![0]!;
    const { events } = await ask(videoId, 'battery below 20 %');
    expect(events).toHaveLength(1);
    expect((await ask(videoId, 'a red car')).text).toMatch(/has no readable camera channel/);
    expect((await channelsOf(videoId)).channels.map(({ name }) => name)).toEqual([
      'power/battery/percentage',
      'power/battery/is_charging',
      'power/battery/cells/a/volts',
    ]);
  });

  test('is bounded: ten thousand fields, values that are no numbers, long lists, names of any text', async () => {
    const deep = Array.from({ length: 40 }).reduce<object>((inner) => ({ inner }), { value: 1 });
    const ingest = await service.ingest(
      await recordingOf((i) => ({
        ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field_${n}_${i}`, i])),
        speed_of_nothing: i % 2 === 0 ? null : 'NaN',
        scan: Array.from({ length: 200 }, () => i),
        deep,
        '__proto__\u0000\n': i,
        ['x'.repeat(500)]: i,
      })),
    );
    expect(ingest.status).toBe('completed');
    const videoId = ingest.video_ids![0]!;
    expect((await ask(videoId, 'voltage below 10 V')).text).toMatch(/is not in this recording: it has .* and 251 more/);
    const { channels, channels_left_out } = await channelsOf(videoId);
    expect(channels).toHaveLength(256);
    expect(channels_left_out).toBeGreaterThan(9_000);
    expect(channels.every(({ name }) => name.length <= 120 && !/\p{C}/u.test(name))).toBe(true);
    expect(channels.some(({ name }) => /scan|deep|nothing/.test(name))).toBe(false);
  });
});
