import type { Found, Hit } from '../find/index.ts';
import { round } from '../find/index.ts';
import type { Answer, Coverage, Finding } from '../index.ts';
import type { Observations } from '../observe/observations.ts';
import type { Plan } from '../plan/index.ts';
import { answerOf, type Stretch, type Told } from './answer.ts';
import { evidenceOf } from './evidence.ts';
import { categoryOf, severityOf } from './grade.ts';
import { labelOf } from './label.ts';
import { overlayOf } from './overlay.ts';
import { damageOf, summaryOf } from './summary.ts';

export { SEVERITY_RULES } from './grade.ts';
export { notLookedFor } from './summary.ts';

/** Describe: what was found, in words, with evidence; what was looked for and what was not; the answer to the question. */
export function describe(plan: Plan, found: readonly Found[], observations: Observations): Answer {
  const told = found.map(
    (one): Told => ({ found: one, findings: withoutRepeats(one.hits.map((hit) => findingOf(hit, one, observations))) }),
  );
  const findings = withoutRepeats(told.flatMap((t) => t.findings));
  const coverage = told.flatMap(coverageOf);
  const answer = answerOf(plan, told, seenOf(plan, observations));
  const missing = damageOf(observations.video);
  return {
    findings,
    answer: answer && joined(answer, missing),
    summary: joined(summaryOf(plan, told, coverage), missing),
    coverage,
  };
}

const joined = (...sentences: string[]) => sentences.filter((sentence) => sentence !== '').join(' ');

/** The part of the video that was asked for. */
function seenOf({ window }: Plan, { video: { durationS } }: Observations): Stretch {
  const place = (t: number) => Math.max(0, Math.min(durationS, t < 0 ? durationS + t : t));
  return { from: place(window?.from ?? 0), to: place(window?.to ?? durationS) };
}

function findingOf(hit: Hit, found: Found, observations: Observations): Finding {
  const because = hit.because.join('; ');
  const overlay = overlayOf(hit.start.timeS, hit.end.timeS, observations.telemetry?.telemetry);
  return {
    startS: round(hit.start.timeS, 6),
    endS: round(hit.end.timeS, 6),
    startPts: hit.start.pts,
    endPts: hit.end.pts,
    timeBase: observations.video.timeBase,
    label: labelOf(hit, found.search.steps),
    category: categoryOf(hit),
    severity: severityOf(hit),
    confidence: round(hit.confidence, 3),
    explanation: `${because.charAt(0).toUpperCase()}${because.slice(1)}.`,
    evidence: evidenceOf(hit, observations),
    ...(overlay ? { overlay } : {}),
  };
}

/** In order of time; of two that say the same of the same stretch and the same things, the surer one. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const ids = finding.evidence.tracks
      .map((track) => track.id)
      .sort((a, b) => a - b)
      .join(',');
    const key = `${finding.label} ${finding.startPts} ${finding.endPts} ${ids}`;
    const earlier = kept.get(key);
    if (!earlier || earlier.confidence < finding.confidence) kept.set(key, finding);
  }
  return [...kept.values()].sort(
    (a, b) =>
      a.startPts - b.startPts ||
      a.endPts - b.endPts ||
      b.confidence - a.confidence ||
      compare(a.label, b.label) ||
      compare(a.explanation, b.explanation),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** One row for each step of a prompt, and one for each word of it that could not be checked. */
function coverageOf({ found, findings }: Told): Coverage[] {
  return found.outcomes.flatMap(({ step, status, by, reasons }) => [
    { text: step.text, status, by, reason: reasons.length > 0 ? reasons.join('; ') : null, findings: findings.length },
    ...step.unchecked
      .filter((u) => u.text !== step.text)
      .map((u): Coverage => ({ text: u.text, status: 'not_looked_for', by: [], reason: u.reason, findings: 0 })),
  ]);
}
