import type { Category } from './categories.ts';
import { verbForms } from './morphology.ts';

/** Words that connect others, by category: commas separate phrases, and each phrase may have features. */
export type ClosedClass = {
  readonly phrases: string;
  readonly category: Category;
  readonly features?: object;
};

/** Phrases of one category. */
export const words = (category: Category, phrases: string, features?: object): ClosedClass => ({
  category,
  phrases,
  ...(features ? { features } : {}),
});

/** All forms of verbs, each with its form. */
export const inflected = (category: Category, verbs: string): ClosedClass[] =>
  verbs.split(', ').flatMap((verb) => verbForms(verb).map(({ phrase, form }) => words(category, phrase, { form })));
