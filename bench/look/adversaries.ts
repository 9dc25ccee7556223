import type { Plan } from '../../server/src/engine/index.ts';
import { createVisionSearch } from '../../server/src/engine/vision/index.ts';
import { profileOf } from '../../server/src/engine/vision/oracle.fixture.ts';
import { ADVERSARIES, type Adversary, liarInWords } from '../../server/test/servers/vision-adversaries.ts';
import { startVisionModel } from '../../server/test/servers/vision-model.ts';
import type { VisionOracle } from '../../server/test/servers/vision-oracle.ts';
import type { BenchmarkRow } from '../run.ts';
import type { OpenClip } from './clips.ts';
import { ABSENT, describingPlan, EDGE_S, unknownPlan } from './prompts.ts';
import { createReport } from './report.ts';

const ALL = { ...ADVERSARIES, 'liar in words': liarInWords };

/** False events and answers of each adversary, on labeled, absent and open prompts. */
export async function adversaryRows(clips: readonly OpenClip[], oracle: VisionOracle): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  const report = createReport('adversaries: ', Object.keys(ALL).length);
  for (const [name, adversary] of Object.entries(ALL)) {
    let found = 0;
    let prompted = 0;
    for (const open of clips.filter((_, i) => i % 5 === 0)) {
      const { clip } = open;
      const labeled = clip.events.slice(0, 2).map(({ text }) => unknownPlan(text));
      const plans = [...labeled, unknownPlan(ABSENT[0]), describingPlan()];
      for (const plan of plans) {
        const text = plan.searches[0]?.text;
        const { events, answer } = await askAdversary(adversary, oracle, plan, open);
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
  { observations, source }: OpenClip,
) {
  const model = await startVisionModel((request, n) => adversary(request, oracle.script(request, n), n));
  const search = createVisionSearch(profileOf(model.url), { timeoutMs: 1000, retryMs: 1 });
  const result = await search.search({ plan, observations, source });
  await model.close();
  return result!;
}
