import { describe, expect, it } from 'vitest';
import { grammar, read } from '../../fixtures/grammar.fixture.ts';
import { rulesOf } from '../../parse/forest.ts';

describe('rules of the grammar', () => {
  const examples = grammar.rules.flatMap((rule) =>
    rule.examples.map((example) => [`${rule.left} ← ${rule.right.join(' ')}`, example, rule] as const),
  );

  it.each(examples)('%s: %s', (_name, example, rule) => {
    const { read: fragments, unread } = read(example);
    expect(unread).toEqual([]);
    expect(fragments.some(({ readings: [best] }) => rulesOf(best!).has(rule))).toBe(true);
  });

  it('have parts that words or other rules make', () => {
    const made = new Set(grammar.rules.map(({ left }) => left));
    const words = new Set([...grammar.vocabulary.entries()].map(({ lexeme }) => lexeme.category));
    for (const token of ['seven', '7', '1:30', 'zxqv', 'walk', 'politely', 'wooden'])
      for (const isKnown of [true, false]) {
        const kind = token === '7' ? 'number' : token === '1:30' ? 'time' : 'word';
        for (const { category } of grammar.lexemesOf({ kind, word: token, text: token, value: 7 }, isKnown, true))
          words.add(category);
      }
    words.add(grammar.quoting.category);
    // Names of zones are given by the video.
    words.add('Zone');
    const missing = grammar.rules.flatMap(({ right }) => right.filter((part) => !made.has(part) && !words.has(part)));
    expect([...new Set(missing)]).toEqual([]);
  });
});
