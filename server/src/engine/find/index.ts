import type { Plan, Search, Step, What } from '../plan/index.ts';
import { findCamera } from './camera.ts';
import { applyStep, cutTo, inPart, inSequence, partOf, picked } from './combine.ts';
import { atAGlance } from './glance.ts';
import { type Hit, type Looked, round } from './hit.ts';
import { findMotion } from './motion.ts';
import { findNotable } from './notable.ts';
import { findObjects } from './objects.ts';
import { findPicture } from './picture.ts';
import type { Scene } from './scene.ts';
import { findSound } from './sound.ts';
import { findMeasured, findQuantity } from './telemetry.ts';

export { mostAtOnce } from './groups.ts';
export type { Hit, Moment, SignalUse, TrackUse } from './hit.ts';
export { round } from './hit.ts';
export { indexAt } from './intervals.ts';
export { createScene, type Scene } from './scene.ts';
export { LIMITS, STATES } from './thresholds.ts';

/** What became of one step of a plan. */
export type StepOutcome = {
  step: Step;
  status: 'looked_for' | 'partly' | 'not_looked_for';
  by: string[];
  /** Why not, or with what limits. */
  reasons: string[];
  hits: number;
  /** How far "not found" means "not there", 0 to 1. */
  recall: number;
};

export type Found = { search: Search; hits: Hit[]; outcomes: StepOutcome[] };

/** Looks in the scene for everything a plan asks. Pure: the same plan over the same observations gives the same hits, whatever was asked before. */
export function find(plan: Plan, scene: Scene): Found[] {
  return plan.searches.map((search) => findSearch(search, plan, scene));
}

function findSearch(search: Search, plan: Plan, scene: Scene): Found {
  const outcomes: StepOutcome[] = [];
  const hitsOf: Hit[][] = [];
  for (const step of search.steps) {
    const { outcome, hits } = findStep(step, plan, scene);
    outcomes.push(outcome);
    hitsOf.push(hits);
  }
  const complete = outcomes.every((outcome) => outcome.status !== 'not_looked_for');
  const hits = complete ? picked(search.pick, inSequence(search.steps, hitsOf), scene) : [];
  return { search, hits, outcomes };
}

function findStep(step: Step, plan: Plan, scene: Scene): { outcome: StepOutcome; hits: Hit[] } {
  const blocking = step.unchecked.filter((u) => u.blocks);
  const looked: Looked =
    blocking.length > 0
      ? { unavailable: blocking.map((u) => `"${u.text}": ${u.reason}`).join('; ') }
      : look(step, scene);
  if ('unavailable' in looked)
    return {
      outcome: { step, status: 'not_looked_for', by: [], reasons: [looked.unavailable], hits: 0, recall: 0 },
      hits: [],
    };
  const part = partOf(plan.window, scene);
  const seen = inPart(looked, part);
  if (looked.domain.timeS.length > 0 && seen.domain.timeS.length === 0) {
    const reason = `the part of the video that was asked for lies outside of it: it is ${round(scene.observations.video.durationS, 1)} s long`;
    return { outcome: { step, status: 'not_looked_for', by: [], reasons: [reason], hits: 0, recall: 0 }, hits: [] };
  }
  const hits = cutTo(part, applyStep(step, seen), scene);
  const reasons = [...step.unchecked.map((u) => `"${u.text}": ${u.reason}`), ...looked.limits];
  const status = reasons.length > 0 ? 'partly' : 'looked_for';
  const { recall = 1 } = looked;
  return { outcome: { step, status, by: looked.by, reasons, hits: hits.length, recall }, hits };
}

/** Whether the pictures tell it, and not what was measured beside them. */
const isSeen = ({ kind }: What) => !['quantity', 'notable', 'unknown'].includes(kind);

function look({ what }: Pick<Step, 'what'>, scene: Scene): Looked {
  if (scene.observations.telemetry?.telemetry?.blank && isSeen(what)) {
    return (what.kind === 'camera' ? findMeasured(what, scene) : null) ?? { unavailable: BLANK };
  }
  return atAGlance(what, scene.observations, () => lookFor(what, scene));
}

const BLANK = 'the recording has no camera that could be read, so only what it measured can be looked for';

function lookFor(what: What, scene: Scene): Looked {
  switch (what.kind) {
    case 'object':
      return findObjects(what, scene);
    case 'signal':
      return findPicture(what, scene);
    case 'motion':
      return findMotion(what, scene);
    case 'camera':
      return findMeasured(what, scene) ?? findCamera(what, scene);
    case 'sound':
      return findSound(what, scene);
    case 'notable':
      return findNotable((step) => look(step, scene), scene);
    case 'quantity':
      return findQuantity(what, scene);
    case 'unknown':
      return { unavailable: 'nothing here knows what this is' };
  }
}
