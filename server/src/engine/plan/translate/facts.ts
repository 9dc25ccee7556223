import { chineseFacts } from '../chinese/facts.ts';
import { frenchFacts } from '../french/facts.ts';
import { germanFacts } from '../german/facts.ts';
import { lazy } from '../lazy.ts';
import { spanishFacts } from '../spanish/facts.ts';
import { LIGHT_QUESTIONS } from './lights.ts';
import { toPlainPrompt } from './plain-prompt.ts';
import { SCENE_PROMPTS } from './scenes.ts';

const LANGUAGES = [germanFacts, spanishFacts, frenchFacts, chineseFacts, ...LIGHT_QUESTIONS, ...SCENE_PROMPTS];

const getFacts = lazy(() =>
  LANGUAGES.flatMap(({ language, video, facts }) =>
    Object.entries(facts).map(([to, patterns]) => ({
      language,
      to,
      pattern: new RegExp(`^(?:${patterns.join('|').replaceAll('VIDEO', video)})$`, 'iu'),
    })),
  ),
);

/** The English prompt for the same fact about the recording, scene or traffic light; null for any other prompt. */
export function translateFact(query: string): { language: string; to: string } | null {
  const plain = toPlainPrompt(query);
  const found = plain === null ? undefined : getFacts().find(({ pattern }) => pattern.test(plain));
  return found ? { language: found.language, to: found.to } : null;
}
