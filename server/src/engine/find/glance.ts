import type { Glance, Observations } from '../observe/observations.ts';
import type { SignalName, What } from '../plan/index.ts';
import { type Hit, type Looked, round } from './hit.ts';
import { indexAt } from './intervals.ts';

/** What the light and the lens of single pictures tell. */
const STILL: ReadonlySet<SignalName> = new Set([
  'dark',
  'well_lit',
  'bright',
  'overexposed',
  'gets_dark',
  'gets_bright',
  'light_change',
  'monochrome',
  'color_cast',
  'black',
  'covered',
]);
const CLOSER = 'ask in thinking mode to have every frame looked at';
/** Nothing seen in one picture is confirmed by the next. */
const UNCONFIRMED = 0.9;
/** How far "not seen" means "not there" when most of the video was not looked at. */
const RECALL = 0.6;

/**
 * What a sparse look makes of a part of a plan: what single pictures cannot tell is not looked for; what they can is told less surely, with how far they lie apart.
 * Sound and telemetry are whole in it.
 */
export function atAGlance(what: What, observations: Observations, look: () => Looked): Looked {
  const { glance, telemetry } = observations;
  if (!glance || what.kind === 'sound' || what.kind === 'quantity' || what.kind === 'unknown') return look();
  if (what.kind === 'camera' && telemetry?.telemetry) return look();
  if (!isStill(what))
    return { unavailable: `single pictures do not tell what moves or changes between them: ${CLOSER}` };
  const looked = look();
  if ('unavailable' in looked || what.kind === 'notable') return looked;
  const hits = what.kind === 'object' ? runsOf(looked.hits, glance) : looked.hits;
  return {
    ...looked,
    hits: hits.map((hit) => ({ ...hit, confidence: hit.confidence * UNCONFIRMED })),
    recall: RECALL,
    limits: [...looked.limits, limitOf(glance)],
  };
}

function isStill(what: What): boolean {
  if (what.kind === 'signal') return STILL.has(what.signal);
  if (what.kind !== 'object') return what.kind === 'notable';
  return what.action === 'present' && !what.idle && what.relation === null && what.subject.state === null;
}

/** Whether a thing in the next picture is the same one is not known: what was seen in picture after picture is one finding. */
function runsOf(hits: readonly Hit[], { signals: { timeS } }: Glance): Hit[] {
  const runs: { hits: Hit[]; until: number }[] = [];
  for (const hit of hits.toSorted((a, b) => a.start.timeS - b.start.timeS)) {
    const until = indexAt(timeS, hit.end.timeS + 1e-6);
    const run = runs.at(-1);
    if (run && indexAt(timeS, hit.start.timeS + 1e-6) <= run.until + 1) {
      run.hits.push(hit);
      run.until = Math.max(run.until, until);
    } else runs.push({ hits: [hit], until });
  }
  return runs.map(({ hits: inside }) => {
    const surest = inside.reduce((a, b) => (b.confidence > a.confidence ? b : a));
    const last = inside.reduce((a, b) => (b.end.timeS > a.end.timeS ? b : a));
    // Told of are those in the picture that shows most: in two pictures one thing would be two.
    const crowds = inside.map(({ best }) => inside.filter((hit) => isIn(hit, best.timeS)));
    const most = crowds.reduce((a, b) => (b.length > a.length ? b : a));
    return {
      ...surest,
      start: inside[0]!.start,
      end: last.end,
      best: most[0]!.best,
      tracks: most.flatMap((hit) => hit.tracks),
      count: most.reduce((sum, hit) => sum + hit.count, 0),
    };
  });
}

const isIn = ({ start, end }: Hit, timeS: number) => start.timeS <= timeS && timeS <= end.timeS;

/** What a sparse look can and cannot have seen. */
function limitOf({ signals: { timeS }, quiet }: Glance): string {
  const isQuiet = (from: number, to: number) => quiet.some(({ startS, endS }) => startS <= from && to <= endS);
  let apart = 0;
  for (let i = 1; i < timeS.length; i++)
    if (!isQuiet(timeS[i - 1]!, timeS[i]!)) apart = Math.max(apart, timeS[i]! - timeS[i - 1]!);
  const quietS = quiet.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
  const still = quietS > 0 ? `; in ${round(quietS, 0)} s nothing changed` : '';
  const gap = timeS.length > 1 ? `, up to ${round(apart, 1)} s apart` : '';
  return `a quick look at ${timeS.length} pictures${gap}: what is there for less may be missed, and when it begins and ends is known no better${still}; ${CLOSER}`;
}
