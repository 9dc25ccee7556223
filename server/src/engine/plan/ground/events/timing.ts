import type { MeasuredAmount, Modifier, Word } from '../../meaning/types.ts';
import { REASONS } from '../../reasons.ts';
import type { Range } from '../../schema.ts';
import { decidesOf } from '../ledger.ts';
import { plain } from './steps.ts';
import type { EventContext, GroundedStep, Timing } from './types.ts';

/** No time and no manner is stated. */
export const NO_TIMING: Timing = { duration: null, throughout: null, conditions: [], others: [] };

const rangeOf = ({ min, max }: MeasuredAmount): Range => ({ min, max });

/** Takes the modifiers for duration, time and manner; the others are for places and objects. */
export function takeTiming(modifiers: readonly Modifier[], { ledger, isYesNo }: EventContext): Timing | null {
  let duration: Range | null = null;
  let throughout: Word<'throughout'> | null = null;
  const conditions: GroundedStep[] = [];
  const others: Modifier[] = [];
  for (const modifier of modifiers) {
    switch (modifier.type) {
      case 'lasting':
        if (duration !== null) return null;
        ledger.use(...modifier.amount.words);
        duration = rangeOf(modifier.amount);
        break;
      case 'throughout':
        if (throughout) return null;
        if (isYesNo) ledger.use(modifier.word);
        else ledger.note([modifier.word], REASONS.onlyYesNo);
        throughout = isYesNo ? modifier.word : null;
        break;
      case 'signal': {
        const { signal, caveat, indoors } = modifier.word.sense;
        ledger.use(modifier.word);
        ledger.caveat(modifier.word, caveat, indoors ? { presumed: 'vehicle' } : {});
        conditions.push(plain({ kind: 'signal', signal }));
        break;
      }
      case 'vague':
        ledger.note([modifier.word], modifier.word.sense.reason, decidesOf(modifier.word));
        break;
      case 'again':
        ledger.note([modifier.word], REASONS.again);
        break;
      case 'unseen':
        ledger.block([modifier.word], modifier.word.reason);
        break;
      default:
        others.push(modifier);
    }
  }
  return { duration, throughout, conditions, others };
}
