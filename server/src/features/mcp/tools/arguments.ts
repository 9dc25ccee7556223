import * as z from 'zod/v4';
import { unknownNameHint } from '#platform/http/index';

/** Filters by the time of recording, for events or videos. */
export const recordedFilter = (what: string) => ({
  recorded_after: z.string().max(40).optional().describe(`Only ${what} recorded at this time or later, ISO 8601.`),
  recorded_before: z.string().max(40).optional().describe(`Only ${what} recorded before this time, ISO 8601.`),
  time_of_day: z
    .string()
    .max(11)
    .optional()
    .describe(`Only ${what} recorded in this daily interval of local time, such as 22:00-06:00.`),
  weekday: z.string().max(27).optional().describe(`Only ${what} recorded on these days of the week, such as sat,sun.`),
  time_zone: z
    .string()
    .max(64)
    .optional()
    .describe('Time zone of time_of_day and weekday, such as Europe/Berlin; default: that of each video, or UTC.'),
});

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
