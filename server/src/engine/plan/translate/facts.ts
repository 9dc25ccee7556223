import { chineseFacts } from '../chinese/facts.ts';
import { frenchFacts } from '../french/facts.ts';
import { germanFacts } from '../german/facts.ts';
import { lazy } from '../lazy.ts';
import { spanishFacts } from '../spanish/facts.ts';
import { LIGHT_QUESTIONS } from './lights.ts';

/** Longer prompts are no question for a fact; limits the cost of a crafted prompt. */
const MAX_LENGTH = 200;

const LANGUAGES = [germanFacts, spanishFacts, frenchFacts, chineseFacts, ...LIGHT_QUESTIONS];

const getFacts = lazy(() =>
  LANGUAGES.flatMap(({ language, video, facts }) =>
    Object.entries(facts).map(([to, patterns]) => ({
      language,
      to,
      pattern: new RegExp(`^(?:${patterns.join('|').replaceAll('VIDEO', video)})$`, 'iu'),
    })),
  ),
);

/** The English question for the same fact about the recording, or traffic light; null for any other prompt. */
export function translateFact(query: string): { language: string; to: string } | null {
  if (query.length > MAX_LENGTH) return null;
  const plain = query
    .replaceAll(/\s+/g, ' ')
    .replaceAll('’', "'")
    .replaceAll(/^[¿¡ ]+|[?？!！.。 ]+$/gu, '')
    .replaceAll(/^(?:bitte|por favor|s'il vous plaît|请问|请)[, ]*|[, ]+(?:bitte|por favor|s'il vous plaît)$/giu, '');
  const found = getFacts().find(({ pattern }) => pattern.test(plain));
  return found ? { language: found.language, to: found.to } : null;
}
