/** Positions of a part in a prompt, in tokens: `to` is behind the last one. */
export type TokenSpan = { readonly from: number; readonly to: number };

/** A rule of a grammar: parts of these categories side by side are one part of the category on the left. */
export type GrammarRule = {
  readonly left: string;
  readonly right: readonly string[];
  /** Prompts that use the rule. */
  readonly examples: readonly string[];
  readonly cost: number;
  /** Builds the meaning, or an `Unlikely` one; null where the parts do not fit together. */
  build(parts: readonly unknown[]): unknown;
};

/** A meaning that is less likely than its rule says. */
export class Unlikely<Meaning> {
  readonly meaning: Meaning;
  readonly cost: number;
  constructor(meaning: Meaning, cost: number) {
    this.meaning = meaning;
    this.cost = cost;
  }
}

type Parts<Meanings, Right extends readonly (keyof Meanings)[]> = { [At in keyof Right]: Meanings[Right[At]] };

/** Adds a rule. The types of its parts follow from their categories. */
export type AddRule<Meanings> = <
  Left extends keyof Meanings & string,
  const Right extends readonly (keyof Meanings & string)[],
>(
  left: Left,
  right: Right,
  examples: string | readonly string[],
  build: (...parts: Parts<Meanings, Right>) => Meanings[Left] | Unlikely<Meanings[Left]> | null,
  cost?: number,
) => void;

/** Collects the rules of a grammar whose categories have these meanings. */
export function collectRules<Meanings>(...sections: readonly ((rule: AddRule<Meanings>) => void)[]): GrammarRule[] {
  const rules: GrammarRule[] = [];
  const add: AddRule<Meanings> = (left, right, examples, build, cost = 0) => {
    // The chart passes parts of exactly these categories.
    const apply = build as (...parts: readonly unknown[]) => unknown;
    rules.push({
      left,
      right,
      examples: typeof examples === 'string' ? [examples] : examples,
      cost,
      build: (parts) => apply(...parts),
    });
  };
  for (const section of sections) section(add);
  return rules;
}
