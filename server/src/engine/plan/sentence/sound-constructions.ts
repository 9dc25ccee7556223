import { isStop, sense } from '../tokens/lexer.ts';
import { block, endOfClause, isFiller, isVerb, only, type Rule, startOfClause, wordOf } from './rule.ts';

/** Constructions of questions about what is audible. */

/** "When does the siren stop": only whether there is any sound is known. */
const audible: Rule = (items, i, query) => {
  const sound = sense(items[i], 'sound');
  if (sound?.sound !== 'sound' || !sound.decides) return null;
  const others = items.slice(startOfClause(items, i), endOfClause(items, i)).filter((each) => each !== items[i]);
  const isAlone = !others.some((each) => isVerb(each) || sense(each, 'noun') || sense(each, 'sound'));
  return isAlone ? null : block(items, i, 1, query, 'audio is analyzed by level only');
};

/** "Does the car have sound": its source is not known. */
const ownSound: Rule = (items, i, query) => {
  if (!sense(items[i], 'sound')) return null;
  const clause = items.slice(startOfClause(items, i), i);
  const owner = clause.findIndex((each) => sense(each, 'noun') ?? sense(each, 'pronoun'));
  const isOwned =
    owner >= 0 &&
    clause.slice(owner + 1).some((each) => /^(?:have|has|had|make|makes|made|making)$/.test(wordOf(each)));
  return isOwned && sense(clause[owner], 'noun') ? block(items, i, 1, query, SOURCE_UNKNOWN) : null;
};
const SOURCE_UNKNOWN = 'what makes a sound is not known; "is there any sound" asks for the audio of the video';

const AUDIBLE = /^(?:talk|speak|chat|shout|scream|yell|sing|cry|laugh|bark|honk)(?:s|ing|ed)?$/;
/** "Is somebody talking", "does a dog bark": where nothing is audible, no. */
const audibleAction: Rule = (items, i, query) => {
  const verb = items[i]!;
  if (
    !AUDIBLE.test(wordOf(verb)) ||
    !sense(verb, 'beyond') ||
    !/^(?:is|are|was|were|does|do|did|any)\b/.test(wordOf(items[0]))
  )
    return null;
  const others = items.filter((each) => each !== verb && !isFiller(each) && !isStop(each));
  const [subject, ...more] = others.filter((each) => sense(each, 'question') === null);
  if (more.length > 0 || !subject || !sense(subject, 'noun') || items.indexOf(subject) > i) return null;
  const at = items.indexOf(subject);
  const text = query.slice(subject.start, verb.end);
  return at === i - 1 || items.slice(at + 1, i).every(isFiller)
    ? only({ ...verb, text }, { type: 'sound', sound: 'sound', caveat: ANY_SOUND, decides: true })
    : null;
};
const ANY_SOUND = 'looked for as any sound, whatever makes it';

/** The one who makes the sound is part of it: "somebody" of "is somebody talking". */
const soundMaker: Rule = (items, i, query) => {
  if (!sense(items[i], 'noun')) return null;
  const verb = items.findIndex((each, k) => k > i && AUDIBLE.test(wordOf(each)));
  const audible = verb < 0 ? null : audibleAction(items, verb, query);
  return audible && items.slice(i + 1, verb).every(isFiller) ? { ...audible, length: verb - i + 1 } : null;
};

export const SOUND_CONSTRUCTIONS: readonly Rule[] = [soundMaker, ownSound, audible];
