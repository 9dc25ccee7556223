import { type Command, InvalidArgumentError } from 'commander';
import { clock, counted, number } from '../../terminal.ts';

export type RecordingFlags = { record?: 'continuous' | 'events'; preRoll?: number; postRoll?: number };

/** Adds the options that state what of a stream is recorded. */
export const addRecordingOptions = (command: Command): Command =>
  command
    .option('--record <what>', '`continuous`: all of it; `events`: only ranges around events', toMode)
    .option('--pre-roll <seconds>', 'with `events`: seconds before an event (default: 5)', number)
    .option('--post-roll <seconds>', 'with `events`: seconds after an event (default: 10)', number);

export const toRecording = ({ record, preRoll, postRoll }: RecordingFlags) => ({
  recording: record,
  pre_roll_s: preRoll,
  post_roll_s: postRoll,
});

type Retained = {
  duration_s: number;
  retained_s: number;
  discarded_s: number;
  event_count: number;
  unanswered_s?: number;
};

/** States in one line which part of a session is retained that is recorded around its events. */
export function describeRetained({
  duration_s,
  retained_s,
  discarded_s,
  event_count,
  unanswered_s = 0,
}: Retained): string {
  const undecided_s = duration_s - retained_s - discarded_s;
  return [
    `recorded ${clock(retained_s)} of ${clock(duration_s)}, around ${counted(event_count, 'event')}`,
    ...(undecided_s >= 1 ? [`${clock(undecided_s)} not decided yet`] : []),
    ...(unanswered_s >= 1 ? [`${clock(unanswered_s)} deleted without an answer`] : []),
  ].join('; ');
}

function toMode(text: string) {
  if (text === 'continuous' || text === 'events') return text;
  throw new InvalidArgumentError('It must be continuous or events.');
}
