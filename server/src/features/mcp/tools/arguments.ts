import * as z from 'zod/v4';
import { unknownNameHint } from '#platform/http/index';

/**
 * The arguments of a tool. Unknown ones are refused with the nearest name: an ignored filter would return everything,
 * as if all of it matched.
 */
export const toolArguments = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => `\`${name}\` is unknown${unknownNameHint(name, Object.keys(shape))}`).join('. ')
        : undefined,
  });
