type Judged = { label: string; approval: string };

/** Words of labels that claim nothing by themselves. */
const FILLERS = new Set('a an the in view of is are at on'.split(' '));
/** A label with one of these is a claim as a whole: without the others, its words may state something else. */
const WHOLE =
  /\b(no|not|without|never|none|nobody|nothing|only|fewer|less|least|most|up to|exactly|then|before|after|while|between|first|last|or)\b/;
const IRREGULAR: Record<string, string> = { people: 'person', men: 'man', women: 'woman', children: 'child' };

/**
 * True if an event with label `a` shows what label `b` states, of the same incident: "red car enters" implies "car in
 * view", and not the reverse. Labels are written by the engine, most of them as object, action and place, so the words
 * of the weaker one are among those of the stronger one.
 */
export function implies(a: string, b: string): boolean {
  const [from, to] = [a.toLowerCase(), b.toLowerCase()];
  if (from === to) return true;
  if (WHOLE.test(from) || WHOLE.test(to)) return false;
  const known = new Set(claims(from));
  const needed = claims(to);
  return needed.length > 0 && needed.every((word) => known.has(word));
}

/** The way of an object that only has to be present: a description, which the prompt did not ask for. */
const DESCRIBED = / comes in from .*$/;

const claims = (label: string): string[] =>
  (label.replace(DESCRIBED, '').match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !FILLERS.has(word))
    .map((word) => IRREGULAR[word] ?? word.replace(/(?<=..[^s])s$/, ''));

/** True if both verdicts cannot hold for one incident: a claim is approved, and what follows from it is rejected. */
export const contradicts = (a: Judged, b: Judged): boolean =>
  (a.approval === 'approved' && b.approval === 'rejected' && implies(a.label, b.label)) ||
  (b.approval === 'approved' && a.approval === 'rejected' && implies(b.label, a.label));

/**
 * The verdict that follows for a label from that on another event of its incident: an approved claim approves what it
 * implies, and a rejected one rejects what implies it. Null if nothing follows.
 */
function impliedVerdict(label: string, judged: Judged): ImpliedVerdict['verdict'] | null {
  if (judged.approval === 'approved' && implies(judged.label, label)) return 'approved';
  if (judged.approval === 'rejected' && implies(label, judged.label)) return 'rejected';
  return null;
}

/** A verdict that follows for an undecided event, and the event whose verdict it follows from. */
export type ImpliedVerdict = { verdict: 'approved' | 'rejected'; eventId: string };

/**
 * The verdict that follows for an event from those on other events of its incident; null if it is decided itself, if
 * nothing follows, or if both do. `canShow`: true if all who see the event also see the other one.
 */
export function findImplied<Event extends Judged & { eventId: string }>(
  event: Event,
  members: readonly Event[],
  canShow: (judged: Event) => boolean,
): ImpliedVerdict | null {
  if (event.approval !== 'pending') return null;
  const found = members.filter(canShow).flatMap((judged) => {
    const verdict = judged === event ? null : impliedVerdict(event.label, judged);
    return verdict ? [{ verdict, eventId: judged.eventId }] : [];
  });
  return found.every(({ verdict }) => verdict === found[0]!.verdict) ? (found[0] ?? null) : null;
}
