import { type Static, Type } from 'typebox';
import { nullable, oneOf } from './object-schema.ts';
import { CALENDAR_UNITS, WEEKDAYS } from './terms.ts';

/** A time of day, as clocks show it: on days when they change as well. */
const timeOfDay = (description: string) => Type.Number({ minimum: 0, maximum: 86_400, description });

const daySchema = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('relative'),
        unit: oneOf(CALENDAR_UNITS, 'Kind of days. Weeks start on Monday; `weekend`: Saturday and Sunday.'),
        offset: Type.Integer({
          minimum: -1000,
          maximum: 0,
          description: '0: that of the moment of asking; -1: the one before.',
        }),
      },
      { additionalProperties: false, description: 'Days that count from the moment of asking.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('weekday'),
        day: oneOf(WEEKDAYS, 'Day of the week.'),
        before: Type.Optional(Type.Boolean({ description: 'True: not today.' })),
      },
      { additionalProperties: false, description: 'The last such day up to the moment of asking.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('date'),
        year: nullable(
          Type.Integer({ minimum: 1900, maximum: 2200 }),
          'Null: the last one up to the moment of asking.',
        ),
        month: Type.Integer({ minimum: 1, maximum: 12 }),
        day: Type.Integer({ minimum: 1, maximum: 31 }),
      },
      { additionalProperties: false, description: 'A date.' },
    ),
  ],
  { description: 'A day, or several days in sequence.' },
);

const pointSchema = Type.Object(
  { day: daySchema, time: nullable(timeOfDay('Seconds since midnight.'), 'Time of that day; null: all of it.') },
  { additionalProperties: false },
);

export const timesSchema = Type.Object(
  { from: timeOfDay('Seconds since midnight.'), to: timeOfDay('Seconds since midnight.') },
  {
    additionalProperties: false,
    description:
      'Times of day. If `to` is not after `from`, it is on the next day; the day of the interval is that of its start.',
  },
);

/** A part of the calendar, in local time. */
export const calendarSchema = Type.Object(
  {
    from: nullable(pointSchema, 'Start; null: any time before the end.'),
    to: nullable(pointSchema, 'End; null: up to the moment of asking.'),
    times: nullable(timesSchema, 'Only at these times of each day; null: at any.'),
    weekdays: Type.Array(oneOf(WEEKDAYS, 'Day of the week.'), {
      maxItems: 7,
      description: 'Only on these days of the week; empty: on any.',
    }),
  },
  { additionalProperties: false, description: 'A part of the calendar, in local time of the recording clock.' },
);

/** By which clock a plan was placed in a video. */
export const planClockSchema = Type.Object(
  {
    requested_at: Type.String({ maxLength: 40, description: 'Moment of asking, from which "yesterday" counts.' }),
    time_zone: nullable(
      Type.String({ maxLength: 64 }),
      'Time zone of days and times of day; null, in no video: that of each video.',
    ),
    source: nullable(
      Type.String({ maxLength: 40 }),
      'Source of the time of recording, as `clock.source` of the video; null: it has none, or no video is chosen.',
    ),
    recorded_from: nullable(Type.String({ maxLength: 40 }), 'Time of its first frame.'),
    recorded_until: nullable(Type.String({ maxLength: 40 }), 'Time of its end.'),
  },
  {
    additionalProperties: false,
    description: 'The clock by which times of the calendar were found in the video. Found by the service.',
  },
);

export type Calendar = Static<typeof calendarSchema>;
export type CalendarDay = Static<typeof daySchema>;
export type CalendarPoint = Static<typeof pointSchema>;
export type DailyTimes = Static<typeof timesSchema>;
export type PlanClock = Static<typeof planClockSchema>;
