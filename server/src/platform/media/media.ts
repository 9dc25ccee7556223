import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Probe } from './engine/index.ts';
import { capture } from './live/index.ts';
import {
  compilerFor,
  createProcessPool,
  findSandboxes,
  listCode,
  type MediaProcess,
  type MediaTask,
  type MediaTaskOptions,
  openBest,
  type ProcessPool,
  spawnMediaProcess,
} from './process/index.ts';
import { openRtmpListener } from './rtmp/index.ts';
import type { Caption } from './subtitles/index.ts';
import {
  createTempFile,
  type FrameImageArgs,
  measureHeader,
  type PictureClipArgs,
  type ProbeArgs,
  type SegmentPlan,
  type TrimArgs,
} from './tasks/index.ts';
import type { Media, MediaRequester, MediaSettings } from './types.ts';

const TASKS = new URL('./tasks/tasks.ts', import.meta.url);
const SHEET = new URL('./tasks/contact-sheet.ts', import.meta.url);
const PICTURES = new URL('./tasks/picture-clip.ts', import.meta.url);
const CAPTIONS = new URL('./subtitles/captions-task.ts', import.meta.url);
const SEGMENTS = new URL('./tasks/segment-plan.ts', import.meta.url);
/** Probing and frame images read little of a file; this is about a hundred times their usual duration. */
const INTERACTIVE_TIMEOUT_S = 60;
/** Parallel renditions (contact sheets, clips, segments), and the timeout of one. */
const RENDERERS = 2;
const RENDER_TIMEOUT_S = 600;
/** Longest side of frame images in pixels. Larger frames are scaled down. */
const MAX_SIDE = 4_096;

/**
 * Starts one process. There are separate pools, so that interactive calls never queue behind whole videos: `processes`
 * for tasks, as many for live tasks, one for probes and frame images, two for renditions, one for segment plans, and
 * two for images and renditions that nobody waits for.
 * Processes end when they are idle, and the next task starts one. Throws `media_engine_unavailable` if node-av does not
 * load on this machine.
 */
export async function createMedia(options: MediaSettings): Promise<Media> {
  const { processes, maxSeconds, idleMs, tempDir = tmpdir(), readable = [], ownFolders = [], log } = options;
  const { scout, own: settings } = await openBest(await findSandboxes({ ...options.sandbox, readable }), {
    tempDir,
    readable: [...readable, ...listCode()],
    ownFolders: [...ownFolders, tempDir],
    log,
  });
  const { level, hasOwnUser, missing } = settings.sandbox;
  const spawn = ({ network = false } = {}) => spawnMediaProcess({ ...settings, network });
  const compiler = compilerFor(settings);
  const onModule = compiler?.add;
  const createPool = (name: string, size: number, first?: MediaProcess) =>
    createProcessPool({ name, size, spawn, log, first, idleMs, onModule });
  const pool = createPool('analysis', processes);
  const live = createPool('live', processes);
  const interactive = createPool('interactive', 1, scout);
  const rendering = createPool('rendering', RENDERERS);
  const planning = createPool('planning', 1);
  // Processes of their own: they keep a lower priority, and would be started again for each change of it.
  const unattended = createPool('unattended', RENDERERS);
  const pools = [pool, live, interactive, rendering, planning, unattended];

  /** Runs a short task, beside those that somebody waits for if nobody waits for it. */
  function runShort(
    attended: ProcessPool,
    task: MediaTask,
    requester: MediaRequester,
    timeoutS: number,
  ): Promise<unknown> {
    const { signal, orgId, priority = 'interactive' } = requester;
    if (priority === 'interactive') return attended.run(task, { signal, timeoutS });
    return unattended.run(task, { signal, timeoutS, orgId, priority });
  }
  const render = (task: MediaTask, requester: MediaRequester = {}) =>
    runShort(rendering, task, requester, RENDER_TIMEOUT_S);

  return {
    async probe(path, { signal, maxSeconds: longestS = maxSeconds } = {}) {
      const args: ProbeArgs = { path, maxSeconds: longestS };
      const timeoutS = INTERACTIVE_TIMEOUT_S;
      return (await interactive.run(
        { module: TASKS, name: 'probe', args, reads: [path] },
        { signal, timeoutS },
      )) as Probe;
    },
    async frameImage(path, { timeS, withinS = Number.POSITIVE_INFINITY, maxSide = MAX_SIDE, boxes = [], ...options }) {
      const { crop = null, ...requester } = options;
      // A part has the requested size if the frame is drawn larger.
      const scale = crop === null ? 1 : 1 / Math.max(crop.width, crop.height);
      const side = Math.min(Math.ceil(maxSide * scale), MAX_SIDE);
      const args: FrameImageArgs = { path, timeS, withinS, maxSide: side, boxes, crop };
      const task = { module: TASKS, name: 'frameImage', args, reads: [path] };
      const bytes = await runShort(interactive, task, requester, INTERACTIVE_TIMEOUT_S);
      return Buffer.from(bytes as Uint8Array);
    },
    async contactSheet(path, { times, columns, tile, ...requester }) {
      const args = { path, times, columns, tile };
      const task = { module: SHEET, name: 'contactSheet', args, reads: [path] };
      return Buffer.from((await render(task, requester)) as Uint8Array);
    },
    async pictureClip(pictures, { stepS, ...requester }) {
      await using file = await createTempFile(tempDir);
      const args: PictureClipArgs = { pictures, stepS, target: file.path };
      await render({ module: PICTURES, name: 'pictureClip', args, writes: [file.path] }, requester);
      return await readFile(file.path);
    },
    async captions(path, requester = {}) {
      const task = { module: CAPTIONS, name: 'captions', args: { path }, reads: [path] };
      return (await render(task, requester)) as Caption[];
    },
    async trim(path, { signal, orgId, priority, video, ...range }) {
      await using made = new AsyncDisposableStack();
      const file = made.use(await createTempFile(tempDir));
      const copies = video === 'copy';
      const args: TrimArgs = {
        path,
        target: file.path,
        request: { ...range, video: copies ? 'encode' : video },
        copies,
      };
      const task = { module: TASKS, name: 'trim', args, reads: [path], writes: [file.path] };
      const copied = (await render(task, { signal, orgId, priority })) as boolean;
      const headerBytes = await measureHeader(file.path);
      const owned = made.move();
      return { path: file.path, headerBytes, copied, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
    capture: (request, options) => capture(settings, request, options),
    receiveRtmp: (options) => openRtmpListener(settings, options),
    async planSegments(path, options) {
      const task = { module: SEGMENTS, name: 'planSegments', args: { path }, reads: [path] };
      return (await planning.run(task, { ...options, timeoutS: RENDER_TIMEOUT_S })) as SegmentPlan;
    },
    run: <Result>(task: MediaTask, options: MediaTaskOptions = {}) =>
      (options.live ? live : pool).run(task, options) as Promise<Result>,
    load: () => pools.map((each) => each.load()),
    sandbox: { level, hasOwnUser, missing },
    async close() {
      await compiler?.close();
      await Promise.all(pools.map((each) => each.close()));
    },
  };
}
