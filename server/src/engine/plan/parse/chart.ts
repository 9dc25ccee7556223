import { createKeys } from './keys.ts';
import { type GrammarRule, type TokenSpan, Unlikely } from './rules.ts';

/** A part of a prompt that has been read, with the rule that made it; words have none. */
export type ChartItem = TokenSpan & {
  readonly category: string;
  readonly meaning: unknown;
  readonly cost: number;
  readonly rule: GrammarRule | null;
  readonly parts: readonly ChartItem[];
};

/** Rules that begin with the same two categories; of one part where there is no next one. */
type RuleGroup = { readonly next: string | null; readonly rules: readonly GrammarRule[] };

/** The rules by the categories that they begin with, and the categories that a part of each category may begin with. */
export type Grammar = {
  readonly byFirst: ReadonlyMap<string, readonly RuleGroup[]>;
  readonly beginnings: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Work that is left for the prompt: each part that is tried costs one. */
export type Budget = { left: number };

export function indexRules(rules: readonly GrammarRule[]): Grammar {
  const byFirst = new Map(
    [...Map.groupBy(rules, ({ right }) => right[0]!)].map(([first, own]) => [
      first,
      [...Map.groupBy(own, ({ right }) => right[1] ?? null)].map(([next, group]) => ({ next, rules: group })),
    ]),
  );
  return { byFirst, beginnings: findBeginnings(rules) };
}

function findBeginnings(rules: readonly GrammarRule[]): Map<string, ReadonlySet<string>> {
  const firsts = Map.groupBy(rules, ({ left }) => left);
  const beginnings = new Map<string, ReadonlySet<string>>();
  for (const category of new Set(rules.flatMap(({ right }) => right))) {
    const found = new Set([category]);
    for (const each of found) for (const { right } of firsts.get(each) ?? []) found.add(right[0]!);
    beginnings.set(category, found);
  }
  return beginnings;
}

/** Most readings of one category and span. */
const MOST_READINGS = 4;

type Partial = { rule: GrammarRule; from: number; parts: readonly ChartItem[]; cost: number };

/**
 * Reads `length` tokens bottom-up: the cheapest readings of each category and span. Returns those of a category for
 * all tokens, the cheapest first; null if the budget ended before. `onPart` is called for each shorter span that has
 * readings of the category.
 */
export function parse(
  grammar: Grammar,
  words: readonly ChartItem[],
  length: number,
  goal: string,
  budget: Budget,
  onPart?: (span: TokenSpan) => void,
): readonly ChartItem[] | null {
  const keyOf = createKeys();
  /** Parts that wait for their cell, by their last token and their first. */
  const pending: (ChartItem[] | undefined)[][] = Array.from({ length: length + 1 }, () => []);
  /** Rules whose first parts were read, by the next token and the category that they wait for. */
  const started: Map<string, Partial[]>[] = Array.from({ length: length + 1 }, () => new Map());
  const push = (item: ChartItem) => {
    const column = pending[item.to]!;
    const cell = column[item.from];
    if (cell) cell.push(item);
    else column[item.from] = [item];
  };
  /** Categories of the words that begin at each token. */
  const starts: Set<string>[] = Array.from({ length: length + 1 }, () => new Set());
  /** Answers of `mayBegin`, by token and category. */
  const begins: Map<string, boolean>[] = Array.from({ length: length + 1 }, () => new Map());
  for (const word of words) {
    push(word);
    starts[word.from]!.add(word.category);
  }
  let found: readonly ChartItem[] = [];
  for (let to = 1; to <= length; to++) {
    for (let from = to - 1; from >= 0; from--) {
      const agenda = pending[to]![from];
      if (!agenda) continue;
      const cell = readCell(agenda, from);
      if (cell === null) return null;
      if (from === 0 && to === length) found = cell.get(goal) ?? [];
      else if (cell.has(goal)) onPart?.({ from, to });
    }
  }
  return found;

  function readCell(agenda: ChartItem[], from: number): Map<string, ChartItem[]> | null {
    const cell = new Map<string, ChartItem[]>();
    while (agenda.length > 0) {
      const item = takeCheapest(agenda);
      const readings = cell.get(item.category);
      if (readings && (readings.length >= MOST_READINGS || isKnown(readings, item))) continue;
      if (readings) readings.push(item);
      else cell.set(item.category, [item]);
      for (const { next, rules } of grammar.byFirst.get(item.category) ?? [])
        if (next === null || mayBegin(next, item.to))
          for (const rule of rules) advance({ rule, from, parts: [], cost: rule.cost }, item);
      for (const partial of started[from]!.get(item.category) ?? []) advance(partial, item);
      if (budget.left <= 0) return null;
    }
    return cell;
  }

  /** Whether a part of this category may begin at a token, by the words there. */
  function mayBegin(category: string, at: number): boolean {
    const known = begins[at]!.get(category);
    if (known !== undefined) return known;
    const beginnings = grammar.beginnings.get(category);
    let isBeginning = false;
    for (const each of starts[at]!) isBeginning ||= beginnings?.has(each) === true;
    begins[at]!.set(category, isBeginning);
    return isBeginning;
  }

  function isKnown(readings: readonly ChartItem[], { meaning }: ChartItem): boolean {
    const key = keyOf(meaning);
    return readings.some((other) => keyOf(other.meaning) === key);
  }

  function advance({ rule, from, parts: earlier, cost: before }: Partial, item: ChartItem) {
    budget.left--;
    const next = rule.right[earlier.length + 1];
    if (next !== undefined && !mayBegin(next, item.to)) return;
    const parts = earlier.length === 0 ? [item] : [...earlier, item];
    const cost = before + item.cost;
    if (next !== undefined) {
      const waiting = started[item.to]!;
      const list = waiting.get(next);
      if (list) list.push({ rule, from, parts, cost });
      else waiting.set(next, [{ rule, from, parts, cost }]);
      return;
    }
    const built = rule.build(parts.map((part) => part.meaning));
    if (built === null) return;
    const [meaning, extra] = built instanceof Unlikely ? [built.meaning, built.cost] : [built, 0];
    push({ category: rule.left, from, to: item.to, meaning, cost: cost + extra, rule, parts });
  }
}

function takeCheapest(agenda: ChartItem[]): ChartItem {
  let best = 0;
  for (let i = 1; i < agenda.length; i++) if (agenda[i]!.cost < agenda[best]!.cost) best = i;
  // Of equal ones, the first that was made: others in the cell have no bearing on which it is.
  return agenda.splice(best, 1)[0]!;
}
