import { type GrammarRule, type TokenSpan, Unlikely } from './rules.ts';
import { isSameMeaning } from './same-meaning.ts';

/** A part of a prompt that has been read, with the rule that made it; words have none. */
export type ChartItem = TokenSpan & {
  readonly category: string;
  readonly meaning: unknown;
  readonly cost: number;
  readonly rule: GrammarRule | null;
  readonly parts: readonly ChartItem[];
};

/** A rule with the numbers of its categories. */
type NumberedRule = { readonly rule: GrammarRule; readonly numbers: readonly number[] };
/** Rules that begin with the same two categories; of one part where there is no next one. */
type RuleGroup = { readonly next: number | null; readonly rules: readonly NumberedRule[] };

/**
 * The rules by the categories that they begin with, and for the category of a word, which categories may begin with
 * it: a bit for the number of each.
 */
export type Grammar = {
  readonly byFirst: ReadonlyMap<string, readonly RuleGroup[]>;
  readonly startedBy: ReadonlyMap<string, Uint32Array>;
  readonly bitWords: number;
};

/** Work that is left for the prompt: each part that is tried costs one. */
export type Budget = { left: number };

export function indexRules(rules: readonly GrammarRule[]): Grammar {
  const numbers = new Map([...new Set(rules.flatMap(({ right }) => right))].map((category, at) => [category, at]));
  const bitWords = Math.ceil(numbers.size / 32);
  const numbered = rules.map((rule) => ({ rule, numbers: rule.right.map((category) => numbers.get(category)!) }));
  const byFirst = new Map(
    [...Map.groupBy(numbered, ({ rule }) => rule.right[0]!)].map(([first, own]) => [
      first,
      [...Map.groupBy(own, (each) => each.numbers[1] ?? null)].map(([next, group]) => ({ next, rules: group })),
    ]),
  );
  const startedBy = new Map<string, Uint32Array>();
  for (const [category, beginnings] of findBeginnings(rules)) {
    const number = numbers.get(category)!;
    for (const beginning of beginnings) {
      const bits = startedBy.get(beginning) ?? new Uint32Array(bitWords);
      bits[number >> 5]! |= 1 << (number & 31);
      startedBy.set(beginning, bits);
    }
  }
  return { byFirst, startedBy, bitWords };
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

type Partial = { rule: NumberedRule; from: number; parts: readonly ChartItem[]; cost: number };

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
  /** The categories that may begin at each token by the words there, as bits. */
  const begins = Array.from({ length: length + 1 }, () => new Uint32Array(grammar.bitWords));
  for (const word of words) {
    push(word);
    const [own, bits] = [begins[word.from]!, grammar.startedBy.get(word.category)];
    if (bits) for (let i = 0; i < own.length; i++) own[i]! |= bits[i]!;
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
      if (
        readings &&
        (readings.length >= MOST_READINGS || readings.some(({ meaning }) => isSameMeaning(meaning, item.meaning)))
      )
        continue;
      if (readings) readings.push(item);
      else cell.set(item.category, [item]);
      for (const { next, rules } of grammar.byFirst.get(item.category) ?? [])
        if (next === null || mayBegin(next, item.to))
          for (const rule of rules) advance({ rule, from, parts: [], cost: rule.rule.cost }, item);
      for (const partial of started[from]!.get(item.category) ?? []) advance(partial, item);
      if (budget.left <= 0) return null;
    }
    return cell;
  }

  /** True if a part of this category may begin at a token. */
  function mayBegin(category: number, at: number): boolean {
    return ((begins[at]![category >> 5]! >>> (category & 31)) & 1) === 1;
  }

  function advance({ rule: numbered, from, parts: earlier, cost: before }: Partial, item: ChartItem) {
    budget.left--;
    const { rule, numbers } = numbered;
    const at = earlier.length + 1;
    const next = rule.right[at];
    if (next !== undefined && !mayBegin(numbers[at]!, item.to)) return;
    const parts = earlier.length === 0 ? [item] : [...earlier, item];
    const cost = before + item.cost;
    if (next !== undefined) {
      const waiting = started[item.to]!;
      const list = waiting.get(next);
      if (list) list.push({ rule: numbered, from, parts, cost });
      else waiting.set(next, [{ rule: numbered, from, parts, cost }]);
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
