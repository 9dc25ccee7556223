/**
 * Measures what the service makes of a vision-language model, without one: on the labeled clips, an oracle answers
 * truly about the frames that it is shown, which is a ceiling for any model, and adversaries misbehave. Nothing here
 * says how good a real model is. `npm run bench -- look [--only PARTS_OF_FILE_NAMES] [--every N] [--failures]`
 * `--every` measures each Nth clip. `--only` splits the run, for example by folder (`road/`, or `telemetry/,tricky/`);
 * `--only limits` measures only the hour and the slow model.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { observations, signals } from '../server/src/engine/find/observations.fixture.ts';
import { createEngine, createModelFolder, type Plan } from '../server/src/engine/index.ts';
import { decodeObservations } from '../server/src/engine/observe/index.ts';
import type { Observations } from '../server/src/engine/observe/observations.ts';
import { createMemoryLedger } from '../server/src/engine/vision/calls/index.ts';
import { createVisionSearch, type FrameSource } from '../server/src/engine/vision/index.ts';
import { framesOf, profileOf } from '../server/src/engine/vision/oracle.fixture.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia, type Media } from '../server/src/platform/media/index.ts';
import { ADVERSARIES, type Adversary } from '../server/test/servers/vision-adversaries.ts';
import { startVisionModel } from '../server/test/servers/vision-model.ts';
import { createVisionOracle, type VisionOracle } from '../server/test/servers/vision-oracle.ts';
import { observed } from './lib/observed.ts';
import type { BenchmarkRow } from './run.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));

type LabeledClip = { file: string; events: { start: number; end: number; text: string }[] };
type OpenClip = { clip: LabeledClip; observations: Observations; source: FrameSource };
type Outcome = {
  kind: 'event' | 'question in words' | 'description' | 'absent';
  prompt: string;
  isRight: boolean;
  why: string;
  edgesS: number[];
};

/** Prompts for what no clip shows. */
const ABSENT = ['a zebra in a supermarket', 'a house on fire', 'a boat capsizes'];
const EDGE_S = 1;
/** Labels that last as long are in at least one of the frames shown: they are at most 1.7 s apart. */
const SEEN_S = 1.7;
/** Clips that are measured at the same time. */
const PARALLEL = 2;
/** Tokens of a frame of 768 × 432 pixels for models with patches of 28 × 28 pixels. */
const TOKENS_PER_IMAGE = 448;

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1]! : '';
  const every = args.includes('--every') ? Number(args[args.indexOf('--every') + 1]) : 1;
  const log = createLog('error');
  const settings = { engine: 'auto', processes: 1, ffmpegPath: 'ffmpeg', maxSeconds: 86_400, log } as const;
  // Images are drawn by one process each.
  if (only === 'limits') return [await hourRow(), await slowModelRow()];
  const medias = await Promise.all(Array.from({ length: PARALLEL }, () => createMedia(settings)));
  try {
    const oracle = await createVisionOracle();
    const clips = await openClips(medias, oracle, only, every);
    const { outcomes, second } = await askOracle(clips, oracle);
    if (args.includes('--failures'))
      for (const { prompt, isRight, why } of outcomes) if (!isRight) console.log(`${prompt}: ${why}`);
    const edges = outcomes.flatMap(({ edgesS }) => edgesS).toSorted((a, b) => a - b);
    const right = outcomes.filter(({ isRight }) => isRight);
    const kinds = [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, own]) => {
      const rightOnes = own.filter(({ isRight }) => isRight);
      return `${kind}: ${rightOnes.length} of ${own.length}`;
    });
    return [
      { name: 'prompts', value: outcomes.length, unit: '', note: kinds.join(', ') },
      {
        ...{ name: 'oracle: share of prompts answered right', unit: '', bar: { min: 0.85 } },
        value: right.length / outcomes.length,
        note: `${right.length} of ${outcomes.length}`,
      },
      { name: 'oracle: median edge error', value: edges[edges.length >> 1] ?? 0, unit: 's', bar: { max: 0.25 } },
      {
        ...{ name: 'oracle: edge error of 95 %', unit: 's', bar: { max: EDGE_S } },
        value: edges[Math.floor(0.95 * edges.length)] ?? 0,
      },
      { name: 'second identical run: calls', value: second.calls, unit: '', bar: { max: 0 } },
      { name: 'second identical run: frames drawn', value: second.frames, unit: '', bar: { max: 0 } },
      { name: 'second identical run: slowest prompt', value: second.slowestS, unit: 's', bar: { max: 1 } },
      ...(await adversaryRows(clips, oracle)),
      ...(only === '' ? [await hourRow(), await slowModelRow()] : []),
    ];
  } finally {
    await Promise.all(medias.map((media) => media.close()));
  }
}

/** Labeled clips with their observations; the oracle learns each frame that is drawn. */
async function openClips(
  medias: readonly Media[],
  oracle: VisionOracle,
  only: string,
  every: number,
): Promise<OpenClip[]> {
  const labels = JSON.parse(await readFile(join(SHARED, 'data/GROUND_TRUTH.json'), 'utf8')) as LabeledClip[];
  const engine = createEngine({
    media: medias[0]!,
    models: createModelFolder(join(SHARED, 'models')),
    vision: null,
    log: createLog('error'),
  });
  const opened: OpenClip[] = [];
  const chosen = labels
    .filter(({ file }) => only.split(',').some((part) => file.includes(part)))
    .filter((_, i) => i % every === 0);
  for (const clip of chosen) {
    const path = join(SHARED, 'data', clip.file);
    if (!existsSync(path) || !/\.\w+$/.test(clip.file)) continue;
    const artifacts = await observed(engine, path, { fresh: false, pass: 'dense' });
    const media = medias[opened.length % medias.length]!;
    opened.push({ clip, observations: decodeObservations(artifacts), source: sourceOf(media, oracle, clip, path) });
  }
  return opened;
}

function sourceOf(media: Media, oracle: VisionOracle, { events }: LabeledClip, path: string): FrameSource {
  const at = (timeS: number) => {
    const inView = events.filter(({ start, end }) => timeS >= start - 1e-6 && timeS <= end + 1e-6);
    return {
      timeS,
      shows: (text: string) => inView.some((event) => event.text === text),
      facts: inView.map(({ text }) => text),
    };
  };
  const drawn = new Map<number, Promise<Buffer>>();
  const parts = new Map<string, Promise<Buffer>>();
  const draw = async (timeS: number, maxSide: number) => {
    const jpeg = await media.frameImage(path, { timeS: timeS + 1e-6, maxSide });
    oracle.learn(jpeg, [at(timeS)]);
    return jpeg;
  };
  return {
    frame(timeS, maxSide) {
      const jpeg = drawn.get(timeS) ?? draw(timeS, maxSide);
      drawn.set(timeS, jpeg);
      return jpeg;
    },
    part(timeS, crop, maxSide) {
      const key = JSON.stringify([timeS, crop]);
      const jpeg = parts.get(key) ?? media.frameImage(path, { timeS: timeS + 1e-6, crop, maxSide });
      parts.set(key, jpeg);
      return jpeg;
    },
    async sheet(times, columns, tile) {
      const jpeg = await media.contactSheet(path, { times, columns, tile });
      oracle.learn(jpeg, times.map(at));
      return jpeg;
    },
  };
}

/** The plan of a prompt of which no observer knows a word: all of it is left to the model. */
function planOf(text: string): Plan {
  const step = {
    what: { kind: 'unknown' as const },
    negated: false,
    duration: null,
    join: null,
    within: null,
    same: false,
  };
  return {
    ...{ version: 1, query: text, question: null, window: null, corrected: [] },
    searches: [{ text, pick: null, steps: [{ ...step, text, unchecked: [] }] }],
  } as unknown as Plan;
}

/** The same, as a question for words. */
const questionOf = (text: string): Plan => ({ ...planOf(text), query: `Is it shown: ${text}?`, question: 'yes_no' });

const describing = (): Plan => ({ ...planOf('what happens'), question: 'describe', searches: [] }) as unknown as Plan;

type Ask = (plan: Plan) => ReturnType<ReturnType<typeof createVisionSearch>['search']>;

/**
 * Asks for each labeled event of a clip, in words for the first one and for something absent, and for a description.
 * Right are: one event whose edges are those of the label; an answer that cites only times of the label; nothing; an
 * answer with every label that lasts long enough to be in a frame.
 */
async function askClip(clip: LabeledClip, { video: { durationS } }: Observations, ask: Ask): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const event of clip.events) {
    const { events, coverage } = (await ask(planOf(event.text)))!;
    // Edges outside of the video are its first and last frame.
    const edgesS =
      events.length === 1
        ? [Math.abs(events[0]!.startS - event.start), Math.abs(events[0]!.endS - Math.min(event.end, durationS))]
        : [];
    outcomes.push({
      kind: 'event',
      prompt: `${clip.file} ${event.text}`,
      isRight: edgesS.length === 2 && edgesS.every((error) => error <= EDGE_S),
      why: `${events.length} events, edges ${edgesS.map((e) => e.toFixed(2))}: ${coverage[0]?.reason}`,
      edgesS,
    });
  }
  const [first] = clip.events;
  if (first) outcomes.push(await askInWords(clip, first, durationS, ask));
  const absent = ABSENT[clip.file.length % ABSENT.length]!;
  const { events, candidates, answer: denial } = (await ask(questionOf(absent)))!;
  outcomes.push({
    ...{ kind: 'absent', prompt: `${clip.file} ${absent}`, edgesS: [] },
    isRight: events.length + candidates.length === 0 && denial === null,
    why: `${events.length} false events, answer "${denial?.text}"`,
  });
  const { answer } = (await ask(describing()))!;
  const isLong = ({ start, end }: LabeledClip['events'][number]) => Math.min(end, durationS) - start >= SEEN_S;
  const stated = clip.events.filter(({ text }) => answer?.text.includes(text.replace(/[.!?…]$/, '').slice(0, 40)));
  const missed = clip.events.filter((event) => isLong(event) && !stated.includes(event));
  outcomes.push({
    ...{ kind: 'description', prompt: `${clip.file} what happens`, edgesS: [] },
    isRight: stated.length > 0 && missed.length === 0,
    why: `misses ${missed.map(({ text }) => text).join('; ')}`,
  });
  return outcomes;
}

async function askInWords(
  clip: LabeledClip,
  event: LabeledClip['events'][number],
  durationS: number,
  ask: Ask,
): Promise<Outcome> {
  const { answer } = (await ask(questionOf(event.text)))!;
  const times = answer?.citations.flatMap(({ sources }) => sources.map(({ timeS }) => timeS)) ?? [];
  const isWithin = (timeS: number) => timeS >= event.start - EDGE_S && timeS <= Math.min(event.end, durationS) + EDGE_S;
  return {
    ...{ kind: 'question in words', prompt: `${clip.file} Is it shown: ${event.text}?`, edgesS: [] },
    isRight: times.length > 0 && times.every(isWithin),
    why: `answer "${answer?.text}"`,
  };
}

/** Runs a function on all items, as many at a time as there are processes that draw. Results are in their order. */
async function inParallel<T, Result>(items: readonly T[], run: (item: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const runFrom = async (first: number) => {
    for (let i = first; i < items.length; i += PARALLEL) results[i] = await run(items[i]!);
  };
  await Promise.all(Array.from({ length: PARALLEL }, (_, i) => runFrom(i)));
  return results;
}

/** Prints progress to stderr: the run takes minutes. */
function createReport(name: string, total: number): (item: string) => void {
  const started = performance.now();
  let done = 0;
  return (item) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.error(`${name}${++done} of ${total}, ${seconds} s (${item})`);
  };
}

/** Asks all prompts about every clip; then all of it again. */
async function askOracle(clips: readonly OpenClip[], oracle: VisionOracle) {
  const model = await startVisionModel(oracle.script);
  const search = createVisionSearch(profileOf(model.url));
  const ledger = createMemoryLedger();
  let frames = 0;
  let slowestS = 0;
  try {
    const askAll = async (run: string) => {
      [frames, slowestS] = [0, 0];
      const report = createReport(`${run}: `, clips.length);
      const perClip = await inParallel(clips, async ({ clip, observations: seen, source }) => {
        const counting: FrameSource = {
          ...source,
          frame(...args) {
            frames++;
            return source.frame(...args);
          },
        };
        const own = await askClip(clip, seen, async (plan) => {
          const start = performance.now();
          const ofClip = { ...ledger, videoId: clip.file };
          const result = await search.search({ plan, observations: seen, source: counting, ledger: ofClip });
          slowestS = Math.max(slowestS, (performance.now() - start) / 1000);
          return result;
        });
        report(clip.file);
        return own;
      });
      return perClip.flat();
    };
    const outcomes = await askAll('oracle');
    const before = model.requests.length;
    await askAll('second run');
    return { outcomes, second: { calls: model.requests.length - before, frames, slowestS } };
  } finally {
    await model.close();
  }
}

/** False events and answers of each adversary, on labeled, absent and open prompts. */
async function adversaryRows(clips: readonly OpenClip[], oracle: VisionOracle): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  const report = createReport('adversaries: ', Object.keys(ADVERSARIES).length);
  for (const [name, adversary] of Object.entries(ADVERSARIES)) {
    let found = 0;
    let prompted = 0;
    for (const { clip, observations: seen, source } of clips.filter((_, i) => i % 5 === 0)) {
      const plans = [...clip.events.slice(0, 2).map(({ text }) => planOf(text)), planOf(ABSENT[0]!), describing()];
      for (const plan of plans) {
        const text = plan.searches[0]?.text;
        const { events, answer } = await askAdversary(adversary, oracle, plan, seen, source);
        const isTrue = ({ startS, endS }: { startS: number; endS: number }) =>
          clip.events.some(
            (event) => event.text === text && startS >= event.start - EDGE_S && endS <= event.end + EDGE_S,
          );
        // None of these models is to be believed in words, either.
        found += events.filter((event) => !isTrue(event)).length + Number(answer !== null);
        prompted++;
      }
    }
    rows.push({
      name: `adversary "${name}": false events`,
      value: found,
      unit: '',
      bar: { max: 0 },
      note: `${prompted} prompts`,
    });
    report(name);
  }
  return rows;
}

async function askAdversary(
  adversary: Adversary,
  oracle: VisionOracle,
  plan: Plan,
  seen: Observations,
  source: FrameSource,
) {
  const model = await startVisionModel((request, n) => adversary(request, oracle.script(request, n), n));
  const search = createVisionSearch(profileOf(model.url), { timeoutMs: 1000, retryMs: 1 });
  const result = await search.search({ plan, observations: seen, source });
  await model.close();
  return result!;
}

/** Tokens of a question about an hour, with an event that lasts six seconds. */
async function hourRow(): Promise<BenchmarkRow> {
  const oracle = await createVisionOracle();
  const model = await startVisionModel((request, n) => ({
    ...oracle.script(request, n),
    inputTokens: TOKENS_PER_IMAGE * request.images.length + Math.ceil(request.texts.join('').length / 4),
  }));
  const source = framesOf(oracle, { pothole: [[2000, 2006]] });
  const video = observations(3600, { signals: signals(3600) });
  const result = await createVisionSearch(profileOf(model.url)).search({
    plan: planOf('pothole'),
    observations: video,
    source,
  });
  await model.close();
  const { inputTokens, outputTokens, calls } = result!.usage;
  const note = `${calls} calls, ${result!.events.length} event found`;
  return {
    name: 'tokens of a question about an hour',
    value: (inputTokens + outputTokens) / 1e6,
    unit: 'M',
    bar: { max: 0.32 },
    note,
  };
}

/** Duration of a question about 140 s, with a model that takes 25 s for each call. */
async function slowModelRow(): Promise<BenchmarkRow> {
  const oracle = await createVisionOracle();
  const model = await startVisionModel((request, n) => ({ ...oracle.script(request, n), delayMs: 25_000 }));
  const source = framesOf(oracle, { pothole: [[50, 60]] });
  const video = observations(140, { signals: signals(140) });
  const start = performance.now();
  const result = await createVisionSearch(profileOf(model.url)).search({
    plan: planOf('pothole'),
    observations: video,
    source,
  });
  const seconds = (performance.now() - start) / 1000;
  await model.close();
  const note = `${result!.usage.calls} calls, ${result!.events.length} event found`;
  return { name: 'a question about 140 s at 25 s a call', value: seconds, unit: 's', bar: { max: 90 }, note };
}
