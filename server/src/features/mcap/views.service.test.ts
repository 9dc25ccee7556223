// Views of a recording, and the roles of its channels.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cameraRecording, camerasRecording, type McapService, startMcapService } from './mcap.fixture.ts';
import { NO_ROLES } from './types.ts';
import { assignRoles } from './views/roles.ts';

let service: McapService;
beforeAll(async () => {
  service = await startMcapService({ SIGHTLINE_RESTORE_HOURS: '0' });
});
afterAll(() => service.close());

test('roles that do not match the recording are reported, fail no video and can be replaced', async () => {
  const topics = ['/camera/front', '/camera/rear'];
  const ingest = await service.ingest(await camerasRecording(topics), {}, { front_channel: '/camera/fornt' });
  expect(ingest).toMatchObject({
    status: 'partial',
    error: 'The recording has no image channel "/camera/fornt". Its image channels: /camera/front, /camera/rear.',
    derived_videos: [{ status: 'completed' }, { status: 'completed' }],
    views: { front: expect.any(String), rear: expect.any(String) },
  });
  const again = await service.call('POST', `/api/mcap/${ingest.mcap_ingest_id}/stitch`, {
    front_channel: '/camera/rear',
  });
  expect(again.json).toMatchObject({ status: 'completed', error: null });
});

test('views do not include deleted videos', async () => {
  const topics = ['/camera/front', '/camera/left', '/camera/rear'];
  const ingest = await service.ingest(await camerasRecording(topics));
  const [front, left, rear] = ingest.video_ids;
  expect((await service.call('DELETE', `/api/video/${front}`)).status).toBe(200);
  await expect.poll(() => service.db.selectFrom('videos').select('id').where('id', '=', front!).execute()).toEqual([]);
  const remaining = { video_ids: [left, rear], primary_view_id: left, views: { left, rear } };
  const stitched = await service.call('POST', `/api/mcap/${ingest.mcap_ingest_id}/stitch`, {});
  expect(stitched.json, stitched.text).toMatchObject(remaining);
  expect((await service.call('GET', `/api/multi-view/${rear}`)).json).toMatchObject({ primary_view_id: left });
});

test('views of uploaded videos are linked, described and unlinked', async () => {
  const upload = async (first: number) =>
    String((await service.ingest(await cameraRecording({ first }))).primary_view_id);
  const [a, b] = [await upload(0), await upload(1)];
  const linked = await service.call('POST', '/api/multi-view/stitch', {
    primary_view_id: a,
    views: { Front: a, rear: b },
    offsets: { rear: 1.5 },
    labels: null,
  });
  expect(linked.json).toMatchObject({ primary_view_id: a, views: { front: a, rear: b } });
  expect((await service.call('GET', `/api/multi-view/${b}`)).json.details).toMatchObject([
    { offset_s: 0 },
    { offset_s: 1.5 },
  ]);
  for (const views of [{ rear: a }, { rear: b, left: b }, {}]) {
    const { json } = await service.call('POST', '/api/multi-view/stitch', { primary_view_id: a, views });
    expect(json).toMatchObject({ error: 'views_invalid' });
  }
  expect((await service.call('DELETE', `/api/multi-view/${b}`)).json).toMatchObject({
    status: 'unlinked',
    primary_view_id: a,
  });
  expect((await service.call('GET', `/api/multi-view/${a}`)).json).toMatchObject({ error: 'views_not_found' });
});

test('roles are derived from topics and never replace stated ones', () => {
  const rolesOf = (channels: string[], stated = NO_ROLES) =>
    Object.fromEntries(assignRoles(channels, stated).map(({ channel, role }) => [channel, role]));
  expect(rolesOf(['/cam/front', '/cam/constructor'])).toMatchObject({ '/cam/constructor': 'constructor' });
  const topics = ['/cam/rear/image_raw', '/cam/front_left/compressed', '/cam/forward/h264', '/cam_2/image'];
  expect(rolesOf(topics)).toEqual({
    '/cam/forward/h264': 'front',
    '/cam/rear/image_raw': 'rear',
    '/cam/front_left/compressed': 'front_left',
    '/cam_2/image': '2',
  });
  expect(rolesOf(topics, { ...NO_ROLES, channelRoles: { '/cam_2/image': 'front' } })).toMatchObject({
    '/cam_2/image': 'front',
    '/cam/forward/h264': 'front_2',
  });
  expect(rolesOf(['/usb_cam/image_raw'])).toEqual({ '/usb_cam/image_raw': 'front' });
});
