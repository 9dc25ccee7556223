import { sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';
import { isOnly, type MisplacedRule } from './words.ts';

/** Particles that belong to no word beside them. */

/** "Hard brake then up stop", "more than down minute": the direction of no verb. */
const strayDirection: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  if (!/^(?:up|down|in|out|away|off)$/i.test(item.text)) return false;
  if ((sense(before, 'compare') || / than$/i.test(before?.text ?? '')) && sense(next, 'unit')) return true;
  return sense(before, 'join') !== null && (sense(next, 'camera_move') ?? sense(next, 'action')) !== null;
};

/** "Is the car red of moving": no part of a color. */
const ofColor: MisplacedRule = (items, i) =>
  /^of$/i.test(items[i]!.text) && isOnly(items[i - 1], COLORS) && isOnly(items[i + 1], STATES);

const COLORS: ReadonlySet<Sense['type']> = new Set(['color']);
const STATES: ReadonlySet<Sense['type']> = new Set(['action', 'state', 'camera_move']);

export const STRAY: readonly MisplacedRule[] = [strayDirection, ofColor];
