/**
 * Latency of the second prompt on a video: observations are stored, so nothing is decoded or rendered. Ten minutes of
 * video through the whole service over HTTP, from the request to the end of the stream. Objects are observed if the
 * detector's weights are available.
 *
 * `npm run bench -- second-prompt`
 */
import { existsSync, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../server/src/engine/index.ts';
import type { Media } from '../../server/src/platform/media/index.ts';
import { loopedClip, sceneClip } from '../../server/test/media/clips.ts';
import { median, timed } from '../lib/measure.ts';
import { PROMPTS } from '../lib/prompts.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));
const FOOTAGE = join(SHARED, 'data/road/udacity_solidWhiteRight.mp4');
const ENLARGE = new URL('../lib/analysis.ts', import.meta.url);
const MODELS = join(SHARED, 'models');
const SECONDS = 600;
const FIRST = 'a car';
const ROUNDS = 3;

export async function run(): Promise<BenchmarkRow[]> {
  const service = await startService({ models: MODELS });
  const { media, engine } = service.sightline;
  const clip = await longClip(media);
  const work = countWork(media);
  const watch = watchStages(engine);
  try {
    const { client } = service;
    const { video_id } = await client.upload(await openAsBlob(clip), { name: 'ten-minutes.mp4' });
    await client.ready(video_id);
    const first = await timed(() => ask(service, video_id, FIRST));

    work.clear();
    watch.clear();
    const measured: (MeasuredPrompt & { prompt: string; ms: number })[] = [];
    for (const prompt of Array(ROUNDS).fill(PROMPTS).flat() as string[]) {
      const started = performance.now();
      const answered = await ask(service, video_id, prompt);
      measured.push({ ...answered, prompt, ms: performance.now() - started });
    }
    const tasks = work.list();
    const times = measured.map(({ ms }) => ms);
    console.log(
      `stages of the second prompts: ${watch.stages().join(', ')}; media tasks: ${tasks.join(', ') || 'none'}`,
    );
    for (const prompt of PROMPTS) {
      const same = measured.filter((each) => each.prompt === prompt);
      const ms = median(same.map((each) => each.ms));
      console.log(`  ${ms.toFixed(0).padStart(5)} ms  ${String(same[0]!.events).padStart(4)} events  ${prompt}`);
    }

    const pictures = await listImageUrls(service, video_id, measured);
    const drawn = await measureFetches(pictures);
    const retained = await measureFetches(pictures);
    return [
      { name: 'first prompt on ten minutes of video', value: first / 1000, unit: 's' },
      {
        name: 'second prompt, from asking to the end of the stream, median',
        value: median(times),
        unit: 'ms',
        bar: { max: 150 },
        note: `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms over ${times.length} prompts; load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`,
      },
      { name: 'of that, finding, median', value: median(watch.times()), unit: 'ms' },
      { name: 'media tasks that the second prompts took', value: tasks.length, unit: '', bar: { max: 0 } },
      ...(pictures.length === 0
        ? []
        : [
            { name: 'evidence picture, first fetch, median', value: median(drawn), unit: 'ms' },
            { name: 'evidence picture, later fetches, median', value: median(retained), unit: 'ms' },
          ]),
    ];
  } finally {
    await service.stop();
    await rm(clip);
  }
}

/** Ten minutes of 1080p, like a current camera's; a generated clip if there is no footage. */
async function longClip(media: Media): Promise<string> {
  if (!existsSync(FOOTAGE)) return loopedClip(await sceneClip(), SECONDS);
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const path = join(folder, 'large.mp4');
  await media.run({ module: ENLARGE, name: 'enlarge', args: { source: FOOTAGE, path } });
  const clip = await loopedClip(path, SECONDS);
  await rm(folder, { recursive: true });
  return clip;
}

/** Records which of the engine's stages run, and the time of finding in milliseconds. */
function watchStages(engine: Engine) {
  let stages = new Set<string>();
  let times: number[] = [];
  const { plan, observe, answer, queryVisionModel: look, drawEvidence: draw } = engine;
  const noting =
    <Args extends unknown[], Result>(stage: string, call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      stages.add(stage);
      return call(...args);
    };
  Object.assign(engine, {
    plan: noting('plan', plan),
    observe: noting('observe', observe),
    answer: noting('find', (...args: Parameters<typeof answer>) => {
      const started = performance.now();
      const found = answer(...args);
      times.push(performance.now() - started);
      return found;
    }),
    queryVisionModel: noting('look', look),
    drawEvidence: noting('draw', draw),
  } satisfies Partial<Engine>);
  return {
    clear() {
      if (!stages.has('observe')) throw new Error('the first prompt observed nothing that was noted');
      stages = new Set();
      times = [];
    },
    stages: () => [...stages],
    times: () => times,
  };
}

/** Records all tasks that are sent to media processes. */
function countWork(media: Media) {
  let names: string[] = [];
  const { probe, frameImage: picture, run: runTask } = media;
  Object.assign(media, {
    probe(...args) {
      names.push('probe');
      return probe(...args);
    },
    frameImage(...args) {
      names.push('frameImage');
      return picture(...args);
    },
    run(task, options) {
      names.push(task.name);
      return runTask(task, options);
    },
  } satisfies Pick<Media, 'probe' | 'frameImage' | 'run'>);
  return {
    clear() {
      if (!names.includes('observe')) throw new Error('the first prompt decoded nothing that was counted');
      names = [];
    },
    list: () => [...names],
  };
}

type MeasuredPrompt = { analysisId: string; events: number };

async function ask({ client }: BenchmarkService, videoId: string, query: string): Promise<MeasuredPrompt> {
  let ended: Record<string, unknown> = {};
  for await (const { kind, data } of client.ask({ query, videoIds: [videoId] })) {
    if (kind === 'video_completed') ended = data;
  }
  if (ended.status !== 'completed') throw new Error(`"${query}" was not answered: ${ended.message}`);
  return { analysisId: String(ended.analysis_id), events: Number(ended.events) };
}

const MOST_PICTURES = 20;

async function listImageUrls(
  { client }: BenchmarkService,
  videoId: string,
  measured: readonly MeasuredPrompt[],
): Promise<string[]> {
  const urls: string[] = [];
  for (const { analysisId } of measured) {
    const { analysis } = await client.document(videoId, analysisId);
    urls.push(...analysis.events.slice(0, 3).flatMap(({ data }) => data.annotated_thumbnail_url ?? []));
  }
  return urls.slice(0, MOST_PICTURES);
}

async function measureFetches(urls: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const url of urls) {
    times.push(
      await timed(async () => {
        const response = await fetch(url);
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      }),
    );
  }
  return times;
}
