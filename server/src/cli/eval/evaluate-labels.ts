import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createProgress, table } from '@sightline/sdk/terminal';
import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import {
  type Answer,
  type Artifacts,
  createEngine,
  createModelConverter,
  createModelFolder,
  type ObservationKind,
  type Plan,
} from '#engine/index';
import { createMedia } from '#platform/media/index';
import { Problem } from '#platform/problem';
import { fetchDefaults } from '../models.ts';
import { observeClosely } from '../observe-closely.ts';
import type { Context } from '../types.ts';
import { type JudgedLabel, judgeLabel, measureReliability, summarize } from './score.ts';

const labelSchema = Type.Object({
  /** Path of the video, relative to the file of labels. */
  video: Type.String(),
  prompt: Type.String(),
  /** Start and end of each event in seconds; empty: nothing may be found. */
  events: Type.Optional(Type.Array(Type.Tuple([Type.Number(), Type.Number()]))),
  /** Words that the answer must contain. */
  answer: Type.Optional(Type.String({ minLength: 1 })),
});
const fileSchema = Type.Object({ labels: Type.Array(labelSchema, { minItems: 1 }) });
type Label = Static<typeof labelSchema>;

/**
 * Asks every prompt of a file of labels with the configured models, in this process, and prints how many answers are
 * right and what they took. Throws `labels_invalid` (400) if the file is not one.
 */
export async function evaluateLabels(
  context: Context,
  { labels: file, json }: { labels: string; json?: boolean },
): Promise<void> {
  const { config, log, interrupted: signal } = context;
  const labels = await readLabels(file);
  const byVideo = Map.groupBy(labels, ({ video }) => resolve(dirname(file), video));
  const media = await createMedia({
    ...config.media,
    maxSeconds: config.limits.videoSeconds,
    readable: [config.modelsDir, ...byVideo.keys()],
    log,
  });
  const progress = createProgress();
  try {
    await fetchDefaults(context);
    const { vision, language, detector } = config;
    const models = createModelFolder(config.modelsDir, createModelConverter({ log }));
    const engine = createEngine({ media, models, detector, vision, language, log });
    const observers = await engine.observers();
    const judged: JudgedLabel[] = [];
    for (const [path, own] of byVideo) {
      const planned: { label: Label; plan: Plan }[] = [];
      for (const label of own) planned.push({ label, plan: await engine.read(label.prompt, { signal }) });
      const onDemand = planned.flatMap(({ plan }) => engine.selectOnDemand(plan));
      const kinds = observers.flatMap((observer): ObservationKind[] => {
        const isNeeded = observer.depth !== 'sparse' && (!observer.onDemand || onDemand.includes(observer.kind));
        return 'version' in observer && isNeeded ? [observer.kind] : [];
      });
      const found: Artifacts = await engine.observe(path, kinds, { signal });
      for (const { label, plan } of planned) {
        const artifacts = await observeClosely(engine, path, { plan, found, signal });
        const request = { plan, artifacts, answer: engine.answer(plan, artifacts), path: async () => path };
        const answer: Answer = await engine.queryVisionModel(request, { signal });
        judged.push(judgeLabel(label, answer));
        progress.show('evaluating', (100 * judged.length) / labels.length);
      }
    }
    progress.stop();
    const summary = summarize(judged);
    const rows = judged.map(({ video, prompt, isRight, why }) => [isRight ? 'right' : 'wrong', video, prompt, why]);
    const figures = Object.entries(summary).map(([name, value]) => [name.replaceAll('_', ' '), String(value)]);
    const reliability = measureReliability(judged);
    const candidateReliability = measureReliability(judged, 'candidates');
    const toRows = (bins: typeof reliability) =>
      bins.map(({ from, events, mean_confidence, right }) =>
        [`from ${from}`, events, mean_confidence, right].map(String),
      );
    const text = [
      table(['result', 'video', 'prompt', 'why'], rows),
      table(['figure', 'value'], figures),
      table(['confidence', 'events', 'mean', 'share right'], toRows(reliability), 'No labeled prompt has an event.'),
      table(
        ['confidence', 'candidates', 'mean', 'share right'],
        toRows(candidateReliability),
        'No labeled prompt has a candidate.',
      ),
    ].join('\n\n');
    const document = { ...summary, reliability, candidate_reliability: candidateReliability, labels: judged };
    process.stdout.write(`${json ? JSON.stringify(document, null, 2) : text}\n`);
  } finally {
    progress.stop();
    await media.close();
  }
}

async function readLabels(file: string): Promise<Label[]> {
  const invalid = (message: string, cause?: unknown) =>
    new Problem({ status: 400, code: 'labels_invalid', message: `${file}: ${message}`, cause });
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw invalid('The file cannot be read as JSON.', error);
  }
  if (Check(fileSchema, value)) return value.labels;
  const [, [error]] = Errors(fileSchema, value);
  throw invalid(`\`${error?.instancePath ?? ''}\` ${error?.message ?? 'is not a list of labels'}.`);
}
