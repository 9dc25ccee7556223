import { observations, signals } from '../../server/src/engine/find/observations.fixture.ts';
import type { Plan } from '../../server/src/engine/index.ts';
import { createVisionSearch } from '../../server/src/engine/vision/index.ts';
import { framesOf, profileOf } from '../../server/src/engine/vision/oracle.fixture.ts';
import { startVisionModel } from '../../server/test/servers/vision-model.ts';
import { createVisionOracle } from '../../server/test/servers/vision-oracle.ts';
import type { BenchmarkRow } from '../run.ts';
import { questionOf, unknownPlan } from './prompts.ts';

/** Tokens of a frame of 768 × 432 pixels for models with patches of 28 × 28 pixels. */
const TOKENS_PER_IMAGE = 448;

/** Tokens of a question about an hour, with an event that lasts six seconds. */
export async function hourRow(): Promise<BenchmarkRow> {
  const oracle = await createVisionOracle();
  const model = await startVisionModel((request, n) => ({
    ...oracle.script(request, n),
    inputTokens: TOKENS_PER_IMAGE * request.images.length + Math.ceil(request.texts.join('').length / 4),
  }));
  const source = framesOf(oracle, { pothole: [[2000, 2006]] });
  const video = observations(3600, { signals: signals(3600) });
  const result = await createVisionSearch(profileOf(model.url)).search({
    plan: unknownPlan('pothole'),
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

/** Durations of a question about 140 s, for events and in words, with a model that takes 25 s for each call. */
export async function slowModelRows(): Promise<BenchmarkRow[]> {
  const plans = { 'a question': unknownPlan('pothole'), 'a question in words': questionOf('pothole') };
  return Promise.all(Object.entries(plans).map(([what, plan]) => slowModelRow(what, plan)));
}

async function slowModelRow(what: string, plan: Plan): Promise<BenchmarkRow> {
  const oracle = await createVisionOracle();
  const model = await startVisionModel((request, n) => ({ ...oracle.script(request, n), delayMs: 25_000 }));
  const source = framesOf(oracle, { pothole: [[50, 60]] });
  const video = observations(140, { signals: signals(140) });
  const start = performance.now();
  const result = await createVisionSearch(profileOf(model.url)).search({ plan, observations: video, source });
  const seconds = (performance.now() - start) / 1000;
  await model.close();
  const { usage, events, answer } = result!;
  const note = `${usage.calls} calls, ${events.length} event found, answer: ${answer?.text ?? 'none'}`;
  return { name: `${what} about 140 s at 25 s a call`, value: seconds, unit: 's', bar: { max: 90 }, note };
}
