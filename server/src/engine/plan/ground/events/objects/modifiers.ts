import type { Entity, Leaf, Modifier } from '../../../meaning/types.ts';
import { REASONS } from '../../../reasons.ts';
import { decidesOf } from '../../ledger.ts';
import { groundClothes, groundObject, isPerson, leavesOfAttribute } from '../../objects.ts';
import type { ObjectDraft } from './draft.ts';
import { takeMutual, takeRelation } from './relations.ts';
import { takeRole } from './roles.ts';
import { takeSide } from './sides.ts';

/** Reads what belongs to the noun or the verb; false for what cannot be stated of it. */
export function takeModifier(draft: ObjectDraft, modifier: Modifier, isOfNoun: boolean): boolean {
  const { ledger, path } = draft;
  switch (modifier.type) {
    case 'relation':
      return takeRelation(draft, modifier);
    case 'role':
      return takeRole(draft, modifier, isOfNoun);
    case 'mutual':
      return takeMutual(draft, modifier);
    case 'side':
      return takeSide(draft, modifier, isOfNoun);
    case 'direction':
      if (path.direction !== null || (isOfNoun && draft.action !== 'present')) return false;
      if (isOfNoun) draft.action = 'moves';
      ledger.use(modifier.word);
      path.direction = modifier.word.sense.direction;
      return true;
    case 'worn': {
      // "People who are not in red".
      const outer = isOfNoun || draft.head?.type !== 'exists' ? null : draft.predicate!.negation;
      const negation = modifier.negation ?? outer;
      if (negation) {
        if (modifier.garment !== null || draft.subject.except) return false;
        ledger.use(negation, ...modifier.colors);
        draft.isExcluded ||= outer !== null;
        draft.subject = {
          ...draft.subject,
          except: { classes: [], colors: modifier.colors.flatMap(({ sense }) => sense.names) },
        };
        return true;
      }
      const dressed = groundClothes(draft.subject, modifier, ledger);
      if (!dressed) return false;
      draft.subject = dressed;
      return true;
    }
    case 'vague':
      ledger.note([modifier.word], modifier.word.sense.reason, decidesOf(modifier.word));
      return true;
    case 'unseen':
      ledger.block([modifier.word], modifier.word.reason);
      draft.isUnknown = true;
      return true;
    case 'excluded':
      return takeException(draft, modifier);
    default:
      return false;
  }
}

/** "But not red ones", "except trucks". */
function takeException(
  draft: ObjectDraft,
  { words, attribute, other, others = [] }: Extract<Modifier, { type: 'excluded' }>,
): boolean {
  const { context, ledger, relations } = draft;
  if (draft.subject.except) return false;
  if (other && others.length > 0) return takeExceptions(draft, words, [other, ...others]);
  const excepted = other && groundObject(other, ledger, context.textOf);
  if (other) {
    const isPlain =
      excepted &&
      other.modifiers.length === 0 &&
      !other.doing &&
      !other.amount &&
      !other.pick &&
      excepted.query.state === null;
    // "People but not cyclists": none on a bicycle.
    if (isPlain && excepted.query.ridden && isPerson(draft.subject)) {
      const { ridden: _, ...ridden } = excepted.query;
      ledger.use(...words);
      relations.push({ kind: 'overlaps', other: ridden, negated: true });
      return true;
    }
    if (!isPlain || excepted.query.place || excepted.query.ridden) return false;
    const { classes: excluded, colors } = excepted.query;
    const isPart =
      excluded.length > 0 &&
      (draft.subject.classes.length === 0 || excluded.every((each) => draft.subject.classes.includes(each))) &&
      (colors.length > 0 ||
        draft.subject.classes.some((each) => !excluded.includes(each)) ||
        draft.subject.classes.length === 0);
    if (!isPart) return false;
    ledger.use(...words);
    draft.subject = { ...draft.subject, except: { classes: excluded, colors } };
    return true;
  }
  if (attribute?.type !== 'color') {
    ledger.block([...words, ...(attribute ? leavesOfAttribute(attribute) : [])], REASONS.noExclusion);
    draft.isUnknown = true;
    return true;
  }
  ledger.use(...words, ...attribute.words);
  for (const word of attribute.words) ledger.caveat(word, word.sense.caveat, decidesOf(word));
  draft.subject = {
    ...draft.subject,
    except: { classes: [], colors: attribute.words.flatMap((word) => word.sense.names) },
  };
  return true;
}

/** "Except birds and cats": objects of plain classes. */
function takeExceptions(draft: ObjectDraft, words: readonly Leaf[], others: readonly Entity[]): boolean {
  const { context, ledger, subject } = draft;
  const classes: string[] = [];
  for (const other of others) {
    const excepted = groundObject(other, ledger, context.textOf);
    const isPlain = other.modifiers.length === 0 && !other.doing && !other.amount && !other.pick;
    if (!excepted || !isPlain || excepted.negated || excepted.query.place) return false;
    const { query } = excepted;
    if (query.classes.length === 0 || query.colors.length > 0 || query.ridden || query.state !== null) return false;
    classes.push(...query.classes);
  }
  const isAny = subject.classes.length === 0;
  const isPart =
    isAny || (classes.every((each) => subject.classes.includes(each)) && classes.length < subject.classes.length);
  if (!isPart) return false;
  ledger.use(...words);
  draft.subject = { ...subject, except: { classes: [...new Set(classes)], colors: [] } };
  return true;
}
