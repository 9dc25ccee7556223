import { inflectEnglish } from '../english/inflect.ts';
import { germanScenes } from '../german/scenes.ts';
import type { ClauseParts, FactPatterns, SceneClauses } from './types.ts';

const LANGUAGES: readonly SceneClauses[] = [germanScenes];

/** Whole prompts about the picture, the camera, sounds and the recording vehicle, with the English prompt for each. */
export const SCENE_PROMPTS: readonly FactPatterns[] = LANGUAGES.map(({ language, orders, clauses, phrases }) => {
  const facts: Record<string, string[]> = {};
  const add = (english: string, patterns: readonly string[]) => {
    facts[english] = [...(facts[english] ?? []), ...patterns];
  };
  for (const { english, forms, lasts } of clauses) {
    const inOrder = (order: string) =>
      forms.map(([subject, verb, rest]) =>
        order
          .replace(/[SVR]/g, (part) => ({ S: subject, V: verb, R: rest })[part]!)
          .replaceAll(/ +/g, ' ')
          .trim(),
      );
    const all = (list: readonly string[]) => list.flatMap(inOrder);
    const question = questionOf(english);
    add(statementOf(english), all(orders.statement));
    add(question, all(orders.question));
    add(`when ${question}`, all(orders.when));
    add(`how often ${question}`, all(orders.howOften));
    if (lasts) add(`how long ${question}`, all(orders.howLong));
  }
  for (const [english, patterns] of Object.entries(phrases)) add(english, patterns);
  return { language, video: '', facts };
});

function statementOf([subject, verb, rest]: ClauseParts): string {
  const form = verb === 'be' ? 'is' : isPlural(subject) ? verb : inflectEnglish(verb, 'verb')[1]!;
  return `${subject} ${form} ${rest}`.trim();
}

function questionOf([subject, verb, rest]: ClauseParts): string {
  if (verb === 'be') return `is ${subject} ${rest}`;
  return `${isPlural(subject) ? 'do' : 'does'} ${subject} ${verb} ${rest}`.trim();
}

function isPlural(subject: string): boolean {
  return /^(?:we|you|people)$/.test(subject);
}
