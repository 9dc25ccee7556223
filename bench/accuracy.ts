/**
 * Compares the engine's events on labeled clips with what a person saw: prompts by family, prompts for what does not
 * happen, words outside the vocabulary, questions, and the calibration of confidence. `accuracy/score.ts` defines when
 * an event is right, `accuracy/as-people-ask/judge.ts` when a prompt as people type it is answered right (`--typed`
 * measures only these). The rows of `signals` (cuts and motion against peers) and `camera` (motion against recorded
 * speed) follow, so that one command reports all of accuracy; `--only` leaves them out.
 *
 * Observations are cached in the temporary folder by clip digest and observer version, so that a second run takes
 * seconds.
 *
 * With `--fast`, fast mode is measured on all prompts: each is answered from the pass that fast mode takes for it. With
 * `--sparse`, the sparse pass alone, as in long videos, on the prompts that it can answer.
 *
 * With `--unseen`, only prompts on clips that nothing else uses are measured, those of one part (default: `open`);
 * `accuracy/unseen/judge.ts` defines the verdicts.
 *
 * With `--detector NAME`, in any of these, another detector than the default one is measured. Without it, larger copies
 * of frames are observed where the service does: for prompts whose objects are small in a clip.
 *
 * `npm run bench -- accuracy [--typed | --fast | --sparse] [--failures] [--fresh] [--only PART_OF_A_FILE_NAME]`
 * `npm run bench -- accuracy --unseen [--part open | once | sealed] [--failures] [--reveal] [--fresh] [--only NAME]`
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine, Plan } from '../server/src/engine/index.ts';
import { CLASSES } from '../server/src/engine/observe/objects/classes.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createMedia, type Media } from '../server/src/platform/media/index.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import { AS_PEOPLE_ASK, judge, type TypedClip } from './accuracy/as-people-ask/index.ts';
import { printTypedFailures, rowsOfTyped, type TypedResult } from './accuracy/as-people-ask/report.ts';
import type { LabeledClip, LabeledQuestion } from './accuracy/ask.ts';
import { driveRow, type RecognizedClip, recognizeDrive } from './accuracy/drives.ts';
import { OUTSIDE } from './accuracy/outside.ts';
import { PICTURE } from './accuracy/picture.ts';
import { printFailures, type Results, rowsOf } from './accuracy/report.ts';
import { ROAD } from './accuracy/road.ts';
import { ROBOTICS } from './accuracy/robotics.ts';
import { score, timesOf } from './accuracy/score.ts';
import { SECURITY } from './accuracy/security.ts';
import { runUnseen } from './accuracy/unseen/index.ts';
import { cameraRows } from './lib/camera.ts';
import { type Artifacts, observed, observedForPlans } from './lib/observed.ts';
import { openEngine } from './lib/open-engine.ts';
import type { BenchmarkRow } from './run.ts';
import { cutRows } from './signals/cuts.ts';
import { motionRows } from './signals/motion.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const dataPath = (file: string) => join(SHARED, 'data', file);
const CLIPS: readonly LabeledClip[] = [...ROAD, ...SECURITY, ...PICTURE, ...ROBOTICS];

type Mode = 'thinking' | 'fast' | 'sparse';

export async function run(args: string[]): Promise<BenchmarkRow[]> {
  if (args.includes('--unseen')) return runUnseen(args, { data: join(SHARED, 'data'), models: join(SHARED, 'models') });
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1]! : '';
  const clips = CLIPS.filter(({ file }) => file.includes(only) && existsSync(dataPath(file)));
  if (clips.length === 0) {
    console.error('There are no labeled clips beside this repository: nothing to measure accuracy on.');
    return [];
  }
  const log = createLog('error');
  const media = await createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  try {
    const engine = openEngine({ media, log, args, models: join(SHARED, 'models') });
    const results: Results = { scored: [], absent: [], elsewhere: [], outside: [], answered: [] };
    const mode = args.includes('--fast') ? 'fast' : args.includes('--sparse') ? 'sparse' : 'thinking';
    const recognized: RecognizedClip[] = [];
    for (const clip of args.includes('--typed') ? [] : clips) {
      const artifacts = await askAll(clip, { engine, media, fresh: args.includes('--fresh'), mode }, results);
      if (mode === 'thinking') recognized.push(recognizeDrive(clip.file, artifacts));
    }
    const typed: TypedResult[] = [];
    // Only measured in thinking mode.
    const typedClips =
      mode !== 'thinking' ? [] : AS_PEOPLE_ASK.filter(({ file }) => file.includes(only) && existsSync(dataPath(file)));
    for (const clip of typedClips)
      typed.push(...(await askAsPeople(clip, { engine, media, fresh: args.includes('--fresh') })));
    if (args.includes('--failures')) {
      printFailures(results);
      printTypedFailures(typed);
    }
    if (args.includes('--typed')) return rowsOfTyped(typed);
    const rows = [...rowsOf(results), driveRow(recognized), ...rowsOfTyped(typed)].filter(({ value }) =>
      Number.isFinite(value),
    );
    if (only !== '' || mode !== 'thinking') return rows;
    return [
      ...rows,
      ...(await cutRows(media)),
      ...(await motionRows(media)),
      ...(await cameraRows(engine, media, join(SHARED, 'data'))),
    ];
  } finally {
    await media.close();
  }
}

async function askAll(
  clip: LabeledClip,
  { engine, media, fresh, mode }: { engine: Engine; media: Media; fresh: boolean; mode: Mode },
  results: Results,
): Promise<Artifacts> {
  const path = join(SHARED, 'data', clip.file);
  const { durationS } = await media.probe(path);
  const dense = mode === 'sparse' ? null : await observed(engine, path, { fresh, pass: 'dense' });
  const denseFor = mode === 'sparse' ? null : await observedForPlans(engine, path, { fresh });
  const sparse = mode === 'thinking' ? null : await observed(engine, path, { fresh, pass: 'sparse' });
  const artifactsFor = async (plan: Plan): Promise<Artifacts> => {
    if (!denseFor) return sparse!;
    const isDense = !sparse || engine.selectFirstPass(plan, durationS) === 'dense';
    return isDense || engine.selectCloserLook(plan, sparse) ? denseFor(plan) : sparse;
  };
  const frames = clip.labels ? await labelsOf(join(SHARED, 'data', clip.labels.file)) : new Map<string, number[]>();
  const ask = async (prompt: string) => {
    const plan = engine.plan(prompt);
    return engine.answer(plan, await artifactsFor(plan));
  };
  const answerable = async <Prompted extends { prompt: string }>(items: readonly Prompted[]): Promise<Prompted[]> => {
    if (mode !== 'sparse') return [...items];
    const answers = await Promise.all(items.map(({ prompt }) => ask(prompt)));
    return items.filter((_, at) => answers[at]!.coverage.every(({ status }) => status !== 'not_looked_for'));
  };
  const named = { clip: clip.file };
  for (const expectation of await answerable(clip.expectations)) {
    const times = timesOf(expectation, frames, clip.labels?.fps ?? 1);
    const { family, prompt } = expectation;
    results.scored.push({
      ...named,
      family,
      prompt,
      score: score(times, (await ask(prompt)).events, { durationS, toleranceS: clip.toleranceS }),
    });
  }
  const hours = durationS / 3600;
  for (const { family, prompt } of await answerable(clip.absent))
    results.absent.push({ ...named, family, prompt, found: (await ask(prompt)).events, hours });
  for (const name of CLASSES.filter((each) => !clip.inView.includes(each)))
    results.elsewhere.push({ ...named, prompt: `a ${name}`, found: (await ask(`a ${name}`)).events, hours });
  for (const prompt of [...OUTSIDE, ...(clip.outside ?? [])]) {
    const { events: findings, coverage } = await ask(prompt);
    const claimed = coverage.length > 0 && coverage.every(({ status }) => status === 'looked_for');
    results.outside.push({ ...named, prompt, found: findings, hours, claimed });
  }
  for (const question of await answerable(clip.questions ?? [])) {
    const reported = (await ask(question.prompt)).answer;
    results.answered.push({ ...named, ...question, reported, right: isRight(question, reported) });
  }
  return (dense ?? sparse)!;
}

/** Asks the prompts of a clip as people type them. */
async function askAsPeople(
  clip: TypedClip,
  { engine, media, fresh }: { engine: Engine; media: Media; fresh: boolean },
): Promise<TypedResult[]> {
  const path = dataPath(clip.file);
  const { durationS } = await media.probe(path);
  const artifactsFor = await observedForPlans(engine, path, { fresh });
  const judged = clip.prompts.map(async (label) => {
    const plan = engine.plan(label.prompt);
    const answer = engine.answer(plan, await artifactsFor(plan));
    return {
      ...judge(label, answer, { durationS, toleranceS: clip.toleranceS }),
      clip: clip.file,
      prompt: label.prompt,
      known: label.truth !== null,
      meant: label.truth
        ? `${label.reads.join(' ')} ${JSON.stringify(label.truth)}`
        : `nothing to report; ${label.blocks} blocks`,
      interpretation: answer.interpretation,
      answer: answer.answer,
      events: answer.events.length,
    };
  });
  return Promise.all(judged);
}

function isRight({ answer }: LabeledQuestion, reported: string | null): boolean {
  if (typeof answer === 'boolean') return reported !== null && (answer ? /^Yes\b/ : /^No\b/).test(reported);
  const counts = /^(?:[Nn]one|\d+(?: [\w ]+?)?(?:(?:,| and) \d+ [\w ]+?)*)(?=[ ,.:(]|$)/.exec(reported ?? '')?.[0];
  if (counts === undefined) return false;
  const total = [...counts.matchAll(/\d+/g)].reduce((sum, [n]) => sum + Number(n), 0);
  return total >= answer[0] && total <= answer[1];
}

/** Columns of a CSV file of hand-labeled frames. */
async function labelsOf(path: string): Promise<Map<string, number[]>> {
  const [head, ...lines] = (await readFile(path, 'utf8')).trim().split('\n');
  const rows = lines.map((line) => line.split(','));
  return new Map(head!.split(',').map((name, i) => [name.trim(), rows.map((row) => Number(row[i]))]));
}
