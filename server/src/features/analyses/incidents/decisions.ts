/** A decision of a person about two events: the same incident, or not. */
export type IncidentDecision = { a: string; b: string; same: boolean };

/** The decisions about the events of a video, as the rule of incidents applies them. */
export type Decided = {
  /** True if a person said that two events, or events that are the same as they, are not one incident. */
  isApart(a: string, b: string): boolean;
  /** Events that people said are the same, two or more each. */
  same: readonly (readonly string[])[];
};

/**
 * Follows decisions: what is the same as one of two events that are apart is apart from the other. A pair that others
 * connect is the same, since a new decision removes those that it contradicts (`contradicted`).
 */
export function followDecisions(decisions: readonly IncidentDecision[]): Decided {
  const groups = connect(decisions);
  const rootOf = (id: string) => groups.get(id)?.[0] ?? id;
  const apart = new Set(
    decisions.flatMap(({ a, b, same }) => (same ? [] : [keyOf(rootOf(a), rootOf(b)), keyOf(rootOf(b), rootOf(a))])),
  );
  return {
    isApart: (a, b) => rootOf(a) !== rootOf(b) && apart.has(keyOf(rootOf(a), rootOf(b))),
    same: [...new Set(groups.values())],
  };
}

/** Those of earlier decisions that cannot hold beside a new one about `a`. */
export function contradicted(decisions: readonly IncidentDecision[], { a, b, same }: IncidentDecision) {
  const groups = connect(decisions);
  const [own, other] = [groups.get(a) ?? [a], groups.get(b) ?? [b]];
  // An event that is not the same as another one is not the same as what connects both, either.
  if (!same) return own === other ? decisions.filter((each) => each.same && (each.a === a || each.b === a)) : [];
  const isBetween = (from: string, to: string) => own.includes(from) && other.includes(to);
  return decisions.filter((each) => !each.same && (isBetween(each.a, each.b) || isBetween(each.b, each.a)));
}

const keyOf = (a: string, b: string) => `${a} ${b}`;

/** The events that decisions connect, by each of them; one array for all of a group. */
function connect(decisions: readonly IncidentDecision[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { a, b, same } of decisions) {
    if (!same) continue;
    const [own, other] = [groups.get(a) ?? [a], groups.get(b) ?? [b]];
    if (own !== other) own.push(...other);
    for (const id of own) groups.set(id, own);
  }
  return groups;
}
