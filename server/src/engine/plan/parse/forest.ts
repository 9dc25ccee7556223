import type { ChartItem } from './chart.ts';
import type { GrammarRule } from './rules.ts';

/** The words of a derivation, in their order. */
export function wordsOf(item: ChartItem): ChartItem[] {
  return item.rule === null ? [item] : item.parts.flatMap(wordsOf);
}

/** The rules that a derivation uses. */
export function rulesOf(item: ChartItem): Set<GrammarRule> {
  const used = new Set<GrammarRule>();
  const visit = ({ rule, parts }: ChartItem) => {
    if (rule) used.add(rule);
    for (const part of parts) visit(part);
  };
  visit(item);
  return used;
}

/** A derivation as an indented tree, for tests and for finding faults. */
export function drawTree(item: ChartItem, depth = 0): string {
  const indent = '  '.repeat(depth);
  if (item.rule === null) return `${indent}${item.category} ${item.from}-${item.to} (${item.cost.toFixed(1)})`;
  const parts = item.parts.map((part) => drawTree(part, depth + 1));
  return [`${indent}${item.category} ← ${item.rule.right.join(' ')} (${item.cost.toFixed(1)})`, ...parts].join('\n');
}
