import { openAsBlob } from 'node:fs';

import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { footageIn } from '../server/test/footage.ts';
import type { ApiResponse } from '../server/test/http.ts';
import { flatClip, sceneClip } from '../server/test/media/clips.ts';
import { truncatedClip, writeInvalidFiles } from '../server/test/media/invalid-files.ts';
import { ask, DARK, fetchDocument, follow, readEvents, start } from './harness/answers.ts';
import { until } from './harness/processes.ts';
import { makeFolder, type Service, startService, storedFiles } from './harness/service.ts';

/** Files that are not videos, and unusual videos. The service has no detector weights here and works without them. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
const UPLOAD_BYTES = 6_000_000;

beforeAll(async () => {
  folder = await makeFolder();
  const env = { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models`, SIGHTLINE_MAX_UPLOAD_BYTES: String(UPLOAD_BYTES) };
  service = await startService(`${folder.path}/data`, { env });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

async function upload(
  file: Blob,
  name: string,
  fields: Record<string, string | Blob> = { source: 'file' },
): Promise<ApiResponse> {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.set(key, value);
  body.set('file', file, name);
  return service.call('POST', '/api/upload-video', { body, signal: AbortSignal.timeout(60_000) });
}

describe('files that are not videos are refused with a reason, and nothing of them is stored', async () => {
  const files = await writeInvalidFiles();

  test.each(files)('$name is 400 $code', async ({ path, name, code }) => {
    const answer = await upload(await openAsBlob(path), name);
    expect([answer.status, answer.json.error]).toEqual([400, code]);
    expect(answer.json.detail).toMatch(/^[A-Z].{20,}\.$/);
    expect(String(answer.json.detail)).not.toContain(folder.path);
  });

  test('afterwards the storage is empty and the service is healthy', async () => {
    await until(async () => (await storedFiles(service)).length === 0, 'refused files to be removed');
    const { json } = await service.call('GET', '/api/my-videos');
    expect((json.videos as { status: string }[]).filter((video) => video.status === 'uploaded')).toEqual([]);
    expect((await service.call('GET', '/ready')).status).toBe(200);
  });
});

describe('invalid uploads', () => {
  test('without a file are 400', async () => {
    const body = new FormData();
    body.set('source', 'file');
    const answer = await service.call('POST', '/api/upload-video', { body });
    expect([answer.status, answer.json.detail]).toEqual([400, expect.stringContaining('`file`')]);
  });

  test('without a source, or with an invalid one, are 400', async () => {
    const clip = await openAsBlob(await flatClip({ times: [0, 0.1, 0.2], endS: 0.3 }));
    for (const fields of [{}, { source: 'carrier pigeon' }] as Record<string, string>[]) {
      const answer = await upload(clip, 'clip.mp4', fields);
      expect([answer.status, answer.json.detail]).toEqual([400, expect.stringContaining('`source`')]);
    }
  });

  test('over the limit are 413', async () => {
    const answer = await upload(new Blob([new Uint8Array(UPLOAD_BYTES + 1)]), 'large.mp4');
    expect([answer.status, answer.json.error]).toEqual([413, expect.stringMatching(/too_large/)]);
    await until(
      async () => (await storedFiles(service)).every((name) => !name.startsWith('.partial')),
      'the rest to be removed',
    );
  });

  test('into an unknown folder are 404', async () => {
    const clip = await openAsBlob(await flatClip({ times: [0, 0.1, 0.2], endS: 0.3 }));
    const answer = await upload(clip, 'clip.mp4', { source: 'file', folder_id: '0'.repeat(32) });
    expect([answer.status, answer.json.error]).toEqual([404, 'folder_not_found']);
  });

  test.each([
    ['the loopback interface', 'http://127.0.0.1:1/clip.mp4'],
    ['this service itself', 'SERVICE/health'],
    ['a private network', 'http://10.0.0.1/clip.mp4'],
    ['the metadata service of a cloud', 'http://169.254.169.254/latest/meta-data/clip.mp4'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]/clip.mp4'],
    ['a file of the server', 'file:///etc/passwd'],
  ])('that would fetch from %s are refused', async (_, url) => {
    for (const type of ['form', 'multipart']) {
      const fields = { source: 'video_url', video_url: url.replace('SERVICE', service.url) };
      const body = type === 'form' ? new URLSearchParams(fields) : new FormData();
      if (body instanceof FormData) for (const [key, value] of Object.entries(fields)) body.set(key, value);
      const answer = await service.call('POST', '/api/upload-video', { body });
      const outcome = answer.status === 200 ? await outcomeOf(String(answer.json.video_id)) : answer.json;
      expect([200, 400]).toContain(answer.status);
      expect(outcome.error).toBe(/^file:/.test(url) ? 'fetch_url_invalid' : 'fetch_address_refused');
      expect(outcome.message).toMatch(/^\S.{20,}\.$/);
    }
  });
});

describe('unusual videos', () => {
  test('a truncated file is analyzed as far as it goes', async () => {
    const path = await truncatedClip();
    const answer = await upload(await openAsBlob(path), 'half.mp4');
    expect(answer.status).toBe(200);
    const { document } = await ask(service, { query: DARK, video_id: String(answer.json.video_id) });
    expect(document.analysis.status).toBe('COMPLETED');
    expect(document.analysis.events.map((event) => event.description)).toEqual([expect.stringMatching(/dark/i)]);
    expect(document.analysis.answer).toMatch(
      / The file ends early, after \S+ of 0:16\.0: the rest could not be analyzed\.$/,
    );
  });

  test('any name is preserved, and is never used as a path', async () => {
    const clip = await openAsBlob(await flatClip({ times: [0, 0.1, 0.2], endS: 0.3 }));
    const stored: [given: string, stored: string][] = [
      ['Überfahrt 雪 🎬.mp4', 'Überfahrt 雪 🎬.mp4'],
      ["it's; 100 %.mp4", "it's; 100 %.mp4"],
      ['../../etc/passwd', '../../etc/passwd'],
      ['Gate 3/4, 21/11/2026.mp4', 'Gate 3/4, 21/11/2026.mp4'],
      [`${'x'.repeat(300)}.mp4`, `${'x'.repeat(251)}.mp4`],
    ];
    for (const [given, name] of stored) {
      const { status, json } = await upload(clip, given);
      expect(status).toBe(200);
      expect((await service.call('GET', `/api/video/${json.video_id}/status`)).json.video_name).toBe(name);
    }
    expect((await storedFiles(service)).every((name) => /^[\w./~-]+$/.test(name))).toBe(true);
  });

  test('without weights, objects are reported as not searched for, and signals are found', async () => {
    const id = await service.upload(await sceneClip());
    const { document } = await ask(service, { query: `a car, ${DARK}`, video_id: id });
    expect(document.analysis.coverage).toMatchObject([
      { text: 'car', status: 'not_looked_for', reason: expect.stringMatching(/weights|model|detector/) },
      { text: 'picture gets dark', status: 'looked_for' },
    ]);
    expect(document.analysis.events).toHaveLength(1);
    const { json } = await service.call('GET', '/api/system');
    const objects = (json.observers as { kind: string }[]).find((observer) => observer.kind === 'objects');
    expect(objects).toMatchObject({ available: false, reason: expect.stringMatching(/\w+ \w+/) });
  });

  test('telemetry sent with a video answers prompts about it', async () => {
    const rows = Array.from({ length: 160 }, (_, i) => `${i / 10},${i > 100 ? 90 : 50}`);
    const metadata_file = new Blob([['time_s,speed_kmh', ...rows].join('\n')], { type: 'text/csv' });
    const { json } = await upload(await openAsBlob(await sceneClip()), 'drive.mp4', { source: 'file', metadata_file });
    const { document } = await ask(service, { query: 'faster than 80 km/h', video_id: json.video_id as string });
    expect(document.analysis.coverage).toMatchObject([{ by: ['telemetry (sidecar CSV)'], findings: 1 }]);
    expect(document.analysis.events).toHaveLength(1);
  });
});

const tricky = footageIn('tricky').map((path) => ({ name: basename(path), path }));
/** Files that must be refused, with the reason. All others must be analyzed. */
const REFUSED: Record<string, string> = {
  'androidx_mp4_sample_audio_only.mp4': 'media_no_video',
  'androidx_mp4_sample_malformed_free_box.mp4': 'media_unreadable',
  'androidx_mp4_sample_with_fake_auxiliary_tracks_interleaved_with_primary_video_tracks.mp4': 'media_dimensions',
  'androidx_vp9_invalid-bitstream.webm': 'media_damaged',
  'mediabunny_mp3.ts': 'media_no_video',
  'mpf_no_audio_no_video.mkv': 'media_no_video',
};
/** Valid files whose decoding takes longer than this test may; they are only stored and read. */
const LONG = new Set([
  'androidx_mp4_hdr10-av1.mp4',
  'androidx_mp4_long_1080p_av1.mp4',
  'androidx_mp4_sample_edit_list.mp4',
  'androidx_mp4_sample_fragmented_seekable_multiple_sidx.mp4',
  'mediabunny_hevc.ts',
  'mediabunny_missing-keyframe-labels.ts',
  'mediabunny_video-h265.mp4',
  'pyscenedetect_testvideo.mp4',
]);

describe.runIf(tricky.length > 0)('unusual real files are analyzed, or refused with a reason', () => {
  const outcomes = new Map<
    string,
    { answer: ApiResponse; status?: string; message?: string | null; analysisId?: string }
  >();

  beforeAll(async () => {
    const waiting = [...tricky];
    const uploader = async () => {
      for (let file = waiting.pop(); file; file = waiting.pop()) {
        outcomes.set(file.name, { answer: await upload(await openAsBlob(file.path), file.name) });
      }
    };
    await Promise.all([uploader(), uploader(), uploader()]);
    const accepted = [...outcomes].flatMap(([name, outcome]) =>
      outcome.answer.status === 200 && !LONG.has(name) ? [outcome] : [],
    );
    const video_ids = accepted.map(({ answer }) => String(answer.json.video_id));
    const { batch_id, stream_id } = await start(service, { query: 'a cut, the picture freezes, silence', video_ids });
    const signal = AbortSignal.timeout(200_000);
    await Array.fromAsync(readEvents(await follow(service, stream_id, { signal })));
    const { json } = await service.call('GET', `/api/batch/${batch_id}/status`);
    const videos = json.videos as {
      video_id: string;
      analysis_id: string;
      status: string;
      last_error: string | null;
    }[];
    for (const outcome of accepted) {
      const video = videos.find((each) => each.video_id === outcome.answer.json.video_id)!;
      Object.assign(outcome, { status: video.status, message: video.last_error, analysisId: video.analysis_id });
    }
  }, 300_000);

  test.each(tricky)('$name', async ({ name }) => {
    const { answer, status, message, analysisId } = outcomes.get(name)!;
    if (answer.status === 400) {
      expect(answer.json.error).toBe(REFUSED[name] ?? 'analyzed');
      expect(answer.json.detail).toMatch(/^[A-Z].{20,}\.$/);
      return;
    }
    expect([answer.status, REFUSED[name]]).toEqual([200, undefined]);
    if (LONG.has(name)) {
      const video = await service.call('GET', `/api/video/${answer.json.video_id}/status`);
      expect(video.json.status).toBe('uploaded');
      return;
    }
    expect([status, message]).toEqual(['completed', null]);
    const { analysis, metadata } = await fetchDocument(service, String(answer.json.video_id), analysisId!);
    const durationS = Number(metadata.duration_s);
    expect(durationS).toBeGreaterThan(0);
    for (const { start_s, end_s } of analysis.events) {
      expect(start_s).toBeGreaterThanOrEqual(0);
      expect(end_s).toBeGreaterThanOrEqual(start_s);
      expect(end_s).toBeLessThanOrEqual(durationS + 0.5);
    }
  });
});

/** Waits for the result of a video's upload. */
async function outcomeOf(videoId: string): Promise<Record<string, unknown>> {
  return until(async () => {
    const { json } = await service.call('GET', `/api/video/${videoId}/status`);
    return json.status === 'processing' ? null : json;
  }, 'the upload to end');
}
