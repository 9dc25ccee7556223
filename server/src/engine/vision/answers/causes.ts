import type { FieldResult, OutputField } from '../../structured/types.ts';
import type { TimeSpan } from '../plan/windows.ts';
import type { LookSession } from '../session.ts';
import { describeRanges, limitsOf } from './captions.ts';
import { readFields } from './fields.ts';

/** An action of a vehicle that starts at a time: "the vehicle brakes". */
export type DrivingDecision = { timeS: number; text: string };

/** The visible reason of a decision, and the object that matters most. */
export type Cause = { text: string; component: { name: string; location: string | null } | null };

export type ExplainedDecisions = {
  /** One for each decision, in their order; null where no reason is visible or none was confirmed. */
  causes: (Cause | null)[];
  untrusted: string | null;
  limits: string[];
  windows: TimeSpan[];
};

/** Shown time before and after a decision: drivers react to what was visible before. */
const BEFORE_S = 3;
const AFTER_S = 1;

const COMPONENT: OutputField = {
  name: 'component',
  type: 'text',
  values: null,
  repeated: false,
  required: false,
  description: 'the road user, sign, light or obstacle that is the reason, in one to four words',
};
const LOCATION: OutputField = {
  name: 'location',
  type: 'enum',
  repeated: false,
  required: false,
  values: ['ahead', 'left', 'right', 'oncoming'],
  description: 'where it is, as seen from the vehicle',
};

/** States why a vehicle decided as it did: the model names the reason, which is confirmed in the same frames. */
export async function explainDecisions(
  session: LookSession,
  decisions: readonly DrivingDecision[],
  name: string,
): Promise<ExplainedDecisions> {
  const { durationS } = session.observations.video;
  const ranges = decisions.map(({ timeS, text }) => ({
    from: Math.max(0, timeS - BEFORE_S),
    to: Math.min(durationS, timeS + AFTER_S),
    note: text,
  }));
  const described = await describeRanges(session, { ranges, mode: 'driving', form: 'cause' });
  const { texts, windows, untrusted } = described;
  const explained = texts.flatMap((text, i) => (text === null ? [] : [{ text, range: ranges[i]! }]));
  const requests = explained.map(({ text, range: { from, to } }) => ({
    from,
    to,
    subject: text,
    fields: [COMPONENT, LOCATION],
  }));
  const { results } = requests.length > 0 ? await readFields(session, requests, name) : { results: [] };
  let next = 0;
  const causes = texts.map((text): Cause | null => {
    if (text === null) return null;
    const { component, location } = results[next++]!;
    const named = textOf(component);
    return { text, component: named === null ? null : { name: named, location: textOf(location) } };
  });
  return { causes, untrusted, limits: limitsOf(session), windows };
}

const textOf = (result: FieldResult | undefined) => (result && 'value' in result ? String(result.value) : null);
