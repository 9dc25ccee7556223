import { expect, test } from 'vitest';
import type { ExportedEvent } from '../types.ts';
import { createExportMedia, type ExportMediaDeps } from './export-media.ts';

const signal = new AbortController().signal;
const event = {
  videoId: 'video',
  videoName: 'clip.mp4',
  label: 'Dark',
  startS: 1,
  endS: 2,
  durationS: 5,
  startAt: null,
};

test('everything that an export renders lets go first what somebody waits for, and names its organization', async () => {
  const requests: [string, object][] = [];
  const takes =
    (name: string, result: unknown) =>
    async (
      _: unknown,
      { signal: _signal, ...options }: { signal?: AbortSignal; orgId?: string; priority?: string },
    ) => {
      requests.push([name, { orgId: options.orgId, priority: options.priority }]);
      return result;
    };
  const deps = {
    media: { frameImage: takes('image', Buffer.alloc(0)), trim: takes('clip', null), run: takes('run', null) },
    storage: { local: async () => ({ path: '/video', [Symbol.asyncDispose]: async () => {} }) },
    videos: { find: async () => ({ status: 'UPLOADED', storageKey: 'video' }) },
  } as unknown as ExportMediaDeps;
  await using media = createExportMedia(deps, { folder: '/nowhere', orgId: 'org', signal });
  const exported = event as ExportedEvent;
  const requester = { orgId: 'org', priority: 'batch' };
  await media.image(exported, { timeS: 1, boxes: [] } as unknown as Parameters<typeof media.image>[1]);
  await media.clip(exported);
  await media.episode(exported, { fps: 10 } as Parameters<typeof media.episode>[1]);
  await media.recap(async function* () {
    yield exported;
  });
  expect(requests).toEqual([
    ['image', requester],
    ['clip', requester],
    ['run', requester],
    ['run', requester],
  ]);
});
