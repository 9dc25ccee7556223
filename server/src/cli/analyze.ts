import { clock, coverageText, createProgress, table } from '@sightline/sdk/terminal';
import {
  type Answer,
  createEngine,
  createModelConverter,
  createModelFolder,
  type ObservationKind,
} from '#engine/index';
import { createMedia } from '#platform/media/index';
import { clipPath } from './clip.ts';
import { fetchDefaults } from './models.ts';
import { observeClosely } from './observe-closely.ts';
import type { Context } from './types.ts';

/** Analyzes a file in this process, without server, database or storage. */
export async function analyzeLocally(
  context: Context,
  clip: string,
  prompt: string,
  options: { json?: boolean; minConfidence?: number },
): Promise<void> {
  const { config, log, interrupted: signal } = context;
  const path = clipPath(clip);
  const { minConfidence } = options;
  const media = await createMedia({
    ...config.media,
    maxSeconds: config.limits.videoSeconds,
    readable: [config.modelsDir, path],
    log,
  });
  const progress = createProgress();
  try {
    await media.probe(path, { signal });
    await fetchDefaults(context);
    const { vision, language, detector } = config;
    const models = createModelFolder(config.modelsDir, createModelConverter({ log }));
    const engine = createEngine({ media, models, detector, vision, language, log });
    const plan = await engine.read(prompt, { signal });
    const onDemand = engine.selectOnDemand(plan);
    const kinds = (await engine.observers()).flatMap((observer): ObservationKind[] => {
      const isNeeded = observer.depth !== 'sparse' && (!observer.onDemand || onDemand.includes(observer.kind));
      return 'version' in observer && isNeeded ? [observer.kind] : [];
    });
    const onProgress = (fraction: number) => progress.show('observing', 100 * fraction);
    const found = await engine.observe(path, kinds, { signal, onProgress });
    const artifacts = await observeClosely(engine, path, { plan, found, signal, onProgress });
    const answer = await engine.queryVisionModel(
      { plan, artifacts, answer: engine.answer(plan, artifacts, minConfidence), minConfidence, path: async () => path },
      { signal, onProgress: (fraction) => progress.show('looking', 100 * fraction) },
    );
    progress.stop();
    process.stdout.write(`${options.json ? JSON.stringify(answer, null, 2) : describe(answer)}\n`);
  } finally {
    progress.stop();
    await media.close();
  }
}

function describe({ interpretation, answer, summary, events, candidates, coverage, suggestions }: Answer): string {
  const parts = [interpretation, answer ?? summary];
  if (events.length > 0) parts.push(eventTable('event', events));
  if (candidates.length > 0) parts.push(eventTable('candidate', candidates));
  parts.push(coverageText(coverage, suggestions));
  return parts.filter((part) => part !== '').join('\n\n');
}

const eventTable = (name: 'event' | 'candidate', events: Answer['events']) =>
  table(
    ['time', name, 'severity', 'confidence', 'why'],
    events.map(({ startS, endS, label, severity, confidence, explanation, caveats }) => [
      `${clock(startS)} to ${clock(endS)}`,
      label,
      severity,
      confidence.toFixed(2),
      [explanation, ...caveats].join('; '),
    ]),
  );
