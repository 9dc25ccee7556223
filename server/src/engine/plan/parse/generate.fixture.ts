import { type Lexeme, type Vocabulary, WORD_COST } from './lattice.ts';
import type { GrammarRule } from './rules.ts';
import { Unlikely } from './rules.ts';

/** A sentence that the rules make, with its meaning and the cost of its derivation. */
export type GeneratedSentence = { text: string; meaning: unknown; cost: number };

type Part = { words: string[]; meaning: unknown; cost: number };
type Phrase = { words: string[]; lexeme: Lexeme; id: number };

/** Deepest derivation: sentences of up to about ten words. */
const MAX_DEPTH = 7;
const MAX_TRIES = 12;

/** Makes sentences of a grammar at random, always the same ones. `isUsable` leaves phrases out. */
export function createGenerator(
  rules: readonly GrammarRule[],
  vocabulary: Vocabulary,
  goal: string,
  isUsable: (phrase: string) => boolean,
): () => GeneratedSentence | null {
  const byLeft = Map.groupBy(rules, ({ left }) => left);
  const phrases = new Map<string, Phrase[]>();
  for (const { phrase, lexeme, id } of vocabulary.entries()) {
    if (!isUsable(phrase)) continue;
    const list = phrases.get(lexeme.category) ?? [];
    list.push({ words: phrase.split(' '), lexeme, id });
    phrases.set(lexeme.category, list);
  }
  const depths = findDepths(rules, phrases);
  let seed = 11;
  const random = (n: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
  return () => {
    const made = expand(goal, MAX_DEPTH, 0);
    return made && { text: made.words.join(' '), meaning: made.meaning, cost: made.cost };
  };

  function expand(category: string, depth: number, from: number): Part | null {
    const own = phrases.get(category);
    const choices = (byLeft.get(category) ?? []).filter(({ right }) =>
      right.every((part) => (depths.get(part) ?? 99) < depth),
    );
    if (own && (choices.length === 0 || random(2) === 0)) {
      const { words, lexeme, id } = own[random(own.length)]!;
      const span = { from, to: from + words.length };
      return { words, meaning: { ...lexeme.features, span, text: words.join(' '), id }, cost: WORD_COST + lexeme.cost };
    }
    for (let tries = 0; tries < MAX_TRIES && choices.length > 0; tries++) {
      const made = apply(choices[random(choices.length)]!, depth, from);
      if (made) return made;
    }
    return null;
  }

  function apply(rule: GrammarRule, depth: number, from: number): Part | null {
    const parts: Part[] = [];
    let at = from;
    for (const category of rule.right) {
      const part = expand(category, depth - 1, at);
      if (!part) return null;
      parts.push(part);
      at += part.words.length;
    }
    const built = rule.build(parts.map(({ meaning }) => meaning));
    if (built === null) return null;
    const [meaning, extra] = built instanceof Unlikely ? [built.meaning, built.cost] : [built, 0];
    const cost = parts.reduce((sum, part) => sum + part.cost, rule.cost + extra);
    return { words: parts.flatMap(({ words }) => words), meaning, cost };
  }
}

/** The least depth of a derivation of each category. */
function findDepths(rules: readonly GrammarRule[], phrases: ReadonlyMap<string, unknown>): Map<string, number> {
  const depths = new Map<string, number>([...phrases.keys()].map((category) => [category, 0]));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { left, right } of rules) {
      if (!right.every((part) => depths.has(part))) continue;
      const depth = 1 + Math.max(...right.map((part) => depths.get(part)!));
      if (depth >= (depths.get(left) ?? Number.POSITIVE_INFINITY)) continue;
      depths.set(left, depth);
      isChanged = true;
    }
  }
  return depths;
}
