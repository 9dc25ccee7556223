import type { ObjectQuery, ObjectTarget, Range, Target } from '../../schema.ts';
import { ANYTHING, type GroundedObject } from '../objects.ts';
import type { GroundedEvent, GroundedStep } from './types.ts';

/** A step that is searched as it is. */
export const plain = (what: Target, negated = false, duration: Range | null = null): GroundedStep => ({
  what,
  negated,
  duration,
});

/** An event with nothing beside it. */
export const alone = (main: GroundedStep): GroundedEvent => ({ main, meanwhile: [] });

/** An object that the prompt does not name. */
export const unnamed = (text: string, classes: readonly string[]): GroundedObject => ({
  query: { ...ANYTHING, text, classes: [...classes] },
  negated: false,
  plain: false,
  definite: false,
  carrier: false,
  plural: false,
  isAtMost: false,
});

/** An object that is in the frame. */
export const present = (subject: ObjectQuery): ObjectTarget => ({
  kind: 'object',
  subject,
  action: 'present',
  idle: false,
  direction: null,
  from: null,
  to: null,
  relation: null,
});
