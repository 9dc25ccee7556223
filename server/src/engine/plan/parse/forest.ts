import type { Item } from './chart.ts';
import type { Rule } from './rules.ts';

/** The words of a derivation, in their order. */
export function wordsOf(item: Item): Item[] {
  return item.rule === null ? [item] : item.parts.flatMap(wordsOf);
}

/** The rules that a derivation uses. */
export function rulesOf(item: Item): Set<Rule> {
  const used = new Set<Rule>();
  const visit = ({ rule, parts }: Item) => {
    if (rule) used.add(rule);
    for (const part of parts) visit(part);
  };
  visit(item);
  return used;
}

/** A derivation as an indented tree, for tests and for finding faults. */
export function drawTree(item: Item, depth = 0): string {
  const indent = '  '.repeat(depth);
  if (item.rule === null) return `${indent}${item.category} ${item.from}-${item.to} (${item.cost.toFixed(1)})`;
  const parts = item.parts.map((part) => drawTree(part, depth + 1));
  return [`${indent}${item.category} ← ${item.rule.right.join(' ')} (${item.cost.toFixed(1)})`, ...parts].join('\n');
}
