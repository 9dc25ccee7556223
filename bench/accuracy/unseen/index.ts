import { createLog } from '../../../server/src/platform/log.ts';
import { createMedia } from '../../../server/src/platform/media/index.ts';
import { UNCONFINED } from '../../../server/test/media/unconfined.ts';
import { observedForPlans } from '../../lib/observed.ts';
import { openEngine } from '../../lib/open-engine.ts';
import type { BenchmarkRow } from '../../run.ts';
import { compose } from './footage.ts';
import { judge } from './judge.ts';
import { readPrompts } from './prompts.ts';
import { PARTS, RECIPES } from './recipes.ts';
import { printUnseenFailures, rowsOfUnseen, type UnseenResult } from './report.ts';

/**
 * Asks the prompts of one part in thinking mode, without a model service. `--failures` prints prompts and answers; of
 * closed parts only with `--reveal`, because a part that was read measures nothing anymore.
 */
export async function runUnseen(args: string[], folders: { data: string; models: string }): Promise<BenchmarkRow[]> {
  const optionOf = (name: string, otherwise: string) =>
    args.includes(name) ? (args[args.indexOf(name) + 1] ?? otherwise) : otherwise;
  const part = PARTS.find((each) => each === optionOf('--part', 'open'));
  if (!part) throw new Error(`--part is one of ${PARTS.join(', ')}.`);
  const showsFailures = args.includes('--failures') && (part === 'open' || args.includes('--reveal'));
  const log = createLog('error');
  const media = await createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  try {
    const engine = openEngine({ media, log, args, models: folders.models });
    const results: UnseenResult[] = [];
    for (const clip of await readPrompts(part)) {
      if (!clip.clip.includes(optionOf('--only', ''))) continue;
      const recipe = RECIPES.find((each) => each.part === part && each.name === clip.clip);
      if (!recipe) throw new Error(`recipes.ts has no clip ${clip.clip} in the part ${part}.`);
      const { path, sidecar } = await compose(recipe, folders.data);
      const { durationS } = await media.probe(path);
      const artifactsFor = await observedForPlans(engine, path, { fresh: args.includes('--fresh'), sidecar });
      for (const prompt of clip.prompts) {
        const plan = engine.plan(prompt.prompt);
        const reply = engine.answer(plan, await artifactsFor(plan));
        const { interpretation, answer, events } = reply;
        const judged = judge(prompt, reply, { durationS, toleranceS: clip.toleranceS });
        results.push({ ...prompt, ...judged, clip: clip.clip, interpretation, answer, events: events.length });
      }
    }
    if (showsFailures) printUnseenFailures(results);
    return rowsOfUnseen(results, part);
  } finally {
    await media.close();
  }
}
