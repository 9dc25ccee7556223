import type { Coverage, Finding } from '../index.ts';
import type { VideoFacts } from '../observe/observations.ts';
import type { Plan } from '../plan/index.ts';
import type { Told } from './answer.ts';
import { clock, listed, seconds, timeOf } from './words.ts';

/** Findings that are told one by one; of more, only the surest. */
const MOST_TOLD = 3;

/** What was found, what could not be looked for, and what was read differently: one or two sentences each. */
export function summaryOf(plan: Plan, told: readonly Told[], coverage: readonly Coverage[]): string {
  const looked = told.filter((t) => t.found.outcomes.every((o) => o.status !== 'not_looked_for'));
  const open = looked.find((t) => t.found.search.steps[0]!.what.kind === 'notable');
  const asked = looked.filter((t) => t !== open);
  const corrected = plan.corrected.slice(0, 5).map((c) => `"${c.from}" was read as "${c.to}"`);
  return [
    open ? overview(open.findings) : '',
    asked.length > 0 ? `${capital([...new Set(asked.map(resultOf))].join('; '))}.` : '',
    notLookedFor(plan, coverage),
    plan.window ? `Only ${partText(plan.window)} of the video was looked at.` : '',
    corrected.length > 0 ? `${capital(listed(corrected))}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** What nobody could look at, since the file is damaged; empty when it is whole. */
export function damageOf({ durationS, claimedS }: VideoFacts): string {
  if (claimedS === undefined) return '';
  return durationS > claimedS - 1
    ? 'The file is damaged: parts of it could not be looked at.'
    : `The file breaks off after ${clock(durationS)} of ${clock(claimedS)}: the rest could not be looked at.`;
}

/** "0:30.0 to 1:10.0", "the last 10 s". */
function partText({ from, to }: NonNullable<Plan['window']>): string {
  if (from < 0 && to === null) return `the last ${seconds(-from)}`;
  const place = (t: number) => (t < 0 ? `${seconds(-t)} before the end` : clock(t));
  return `${place(from)} to ${to === null ? 'the end' : place(to)}`;
}

/** Which parts of the prompt nothing looked for, and why; empty when there are none. Words that only narrow a part are told in the coverage. */
export function notLookedFor(plan: Plan, coverage: readonly Coverage[]): string {
  const parts = new Set(plan.searches.flatMap(({ steps }) => steps.map(({ text }) => text)));
  const missed = coverage.filter(({ text, status }) => status === 'not_looked_for' && parts.has(text));
  if (missed.length === 0) return '';
  const told = missed.map(({ text, reason }) => {
    const named = `"${text}": `;
    const why = reason?.startsWith(named) ? reason.slice(named.length) : reason;
    return why === null ? `"${text}"` : `"${text}" (${why})`;
  });
  return `Not looked for: ${told.join(', ')}.`;
}

/** `2 findings for "person": person in view (0:01.0 to 0:04.0) and person leaves to the left (0:05.0 to 0:08.0)` */
function resultOf({ found, findings }: Told): string {
  const name = `"${found.search.text}"`;
  if (findings.length === 0) return `nothing for ${name}`;
  return `${plural(findings.length, 'finding')} for ${name}: ${toldOf(findings)}`;
}

/** "12 findings (8 object, 3 cut and 1 light): ..." */
function overview(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Nothing notable was found.';
  const byCategory = Map.groupBy(findings, ({ category }) => category);
  const kinds = listed([...byCategory].map(([category, own]) => `${own.length} ${category}`));
  return `${plural(findings.length, 'finding')} (${kinds}): ${toldOf(findings)}.`;
}

function toldOf(findings: readonly Finding[]): string {
  const one = (finding: Finding) => `${finding.label} (${timeOf(finding)})`;
  if (findings.length <= MOST_TOLD) return listed(findings.map(one));
  const [surest] = findings.toSorted((a, b) => b.confidence - a.confidence);
  return `the surest is ${one(surest!)}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
