import { describe, expect, it } from 'vitest';
import { type ChartItem, indexRules, parse } from './chart.ts';
import { rulesOf, wordsOf } from './forest.ts';
import { readFragments, splitAt } from './fragments.ts';
import { collectRules, Unlikely } from './rules.ts';

/** A grammar of sums: `n` is a digit, `S` what its sum. */
type Sums = { n: number; plus: string; S: number };

const rules = collectRules<Sums>((rule) => {
  rule('S', ['n'], '', (n) => n);
  rule('S', ['S', 'plus', 'S'], '', (a, _, b) => (a + b > 9 ? null : a + b), 1);
  rule('S', ['n', 'n', 'n'], '', (a, b, c) => new Unlikely(a * 100 + b * 10 + c, 5));
});
const grammar = indexRules(rules);

const word = (category: string, meaning: unknown, from: number): ChartItem => ({
  category,
  from,
  to: from + 1,
  meaning,
  cost: 1,
  rule: null,
  parts: [],
});
const wordsOfSum = (text: string) =>
  [...text].map((sign, at) => (sign === '+' ? word('plus', sign, at) : word('n', Number(sign), at)));
const read = (text: string, budget = 1000) => parse(grammar, wordsOfSum(text), text.length, 'S', { left: budget });

describe('the chart', () => {
  it('finds what the rules derive', () => {
    expect(read('1+2+3')?.map(({ meaning }) => meaning)).toEqual([6]);
  });

  it('keeps one reading of each meaning, the cheapest first', () => {
    const [best, ...others] = read('1+2+3')!;
    expect(others).toEqual([]);
    expect(best!.cost).toBe(5 + 2);
  });

  it('drops readings that a rule rejects', () => {
    expect(read('5+5')).toEqual([]);
  });

  it('reads rules with many parts, and adds the cost of an unlikely meaning', () => {
    expect(read('123')?.map(({ meaning, cost }) => [meaning, cost])).toEqual([[123, 8]]);
  });

  it('stops at the end of its budget', () => {
    expect(read('1+1+1+1+1+1+1', 10)).toBeNull();
  });

  it('returns the words and the rules of a reading', () => {
    const [best] = read('1+2')!;
    expect(wordsOf(best!).map(({ meaning }) => meaning)).toEqual([1, '+', 2]);
    expect(rulesOf(best!).size).toBe(2);
  });
});

describe('fragments', () => {
  const latticeOf = (text: string) => (span: { from: number; to: number }) =>
    wordsOfSum(text.slice(span.from, span.to));

  it('end at marks', () => {
    const text = '1;2;;3';
    expect(splitAt(text.length, (at) => text[at] === ';')).toEqual([
      { from: 0, to: 2 },
      { from: 2, to: 5 },
      { from: 5, to: 6 },
    ]);
  });

  it('name what is not read', () => {
    const text = '1+25+5';
    const spans = [
      { from: 0, to: 3 },
      { from: 3, to: 6 },
    ];
    const { read: done, unread } = readFragments(spans, grammar, 'S', latticeOf(text), { left: 1000 });
    expect(done.map(({ from, readings }) => [from, readings[0]!.meaning])).toEqual([[0, 3]]);
    expect(unread).toEqual([{ from: 3, to: 6 }]);
  });

  it('that are too long are not read', () => {
    const text = '1'.repeat(60);
    expect(readFragments([{ from: 0, to: 60 }], grammar, 'S', latticeOf(text), { left: 1000 }).unread).toHaveLength(1);
  });
});
