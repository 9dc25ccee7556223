import { knownStatements } from '#engine/vision/reliability/controls';

/** Whether they are true, by statement. More are requested than there are, so that none is missing. */
const KNOWN = new Map(knownStatements(100, 100, 'all').map(({ text, isTrue }) => [text, isTrue]));

/** True if words describe any footage. */
export const isTruism = (text: string): boolean => KNOWN.get(text) === true;

/** True if the truth of a statement about footage is known from its words. */
export const isKnownStatement = (text: string): boolean => KNOWN.has(text);
