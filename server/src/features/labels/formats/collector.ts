import type { LabelFault, ParsedLabel, ParsedLabels } from '../types.ts';
import { nameOf } from './json.ts';

/** Labels and single frames of them in one file. */
const MAX_PARSED = 50_000;
const MAX_LABEL = 1_000;
const MAX_NOTE = 10_000;
const SEVERITIES = ['low', 'medium', 'high'] as const;
const NOT_APPROVED = ['pending', 'rejected', 'unsure'];

/** An entry of a file before its texts are checked; those that the file lacks are absent or empty. */
export type LabelEntry = Pick<ParsedLabel, 'location' | 'videos' | 'when'> & {
  label: unknown;
  severity?: unknown;
  note?: unknown;
  /** The review state of an exported event: only approved ones are labels. */
  approval?: unknown;
  track?: unknown;
};

export interface LabelCollector extends ParsedLabels {
  /** Adds a label, or the fault of its texts. Returns false once the file has too many, so that reading it can stop. */
  add(entry: LabelEntry): boolean;
  skip(count?: number): void;
  fail(location: string, message: string): void;
}

/** Collects what the parser of a format finds. */
export function createCollector(): LabelCollector {
  const labels: ParsedLabel[] = [];
  const faults: LabelFault[] = [];
  const collector: LabelCollector = {
    labels,
    faults,
    skipped: 0,
    add({ location, videos, when, track, ...texts }) {
      if (labels.length >= MAX_PARSED) {
        if (labels.length === MAX_PARSED && !faults.some(isTooMany)) collector.fail(location, TOO_MANY);
        return false;
      }
      const approval = textOf(texts.approval);
      const label = lineOf(texts.label);
      const severity = textOf(texts.severity) || 'medium';
      const note = textOf(texts.note) || null;
      if (NOT_APPROVED.includes(approval)) collector.skipped++;
      else if (approval !== '' && approval !== 'approved') {
        collector.fail(location, 'The review state must be `approved`, `rejected`, `unsure`, `pending` or empty.');
      } else if (label === '') collector.fail(location, 'The label is missing.');
      else if (label.length > MAX_LABEL) {
        collector.fail(location, `The label has more than ${MAX_LABEL.toLocaleString('en')} characters.`);
      } else if (note !== null && note.length > MAX_NOTE) {
        collector.fail(location, `The note has more than ${MAX_NOTE.toLocaleString('en')} characters.`);
      } else if (!isSeverity(severity)) {
        collector.fail(location, 'The severity must be `low`, `medium`, `high` or empty.');
      } else {
        labels.push({ location, videos: videos.filter(Boolean), when, label, severity, note, track: nameOf(track) });
      }
      return true;
    },
    skip(count = 1) {
      collector.skipped += count;
    },
    fail(location, message) {
      faults.push({ location, message });
    },
  };
  return collector;
}

const TOO_MANY = `The file has more than ${MAX_PARSED.toLocaleString('en')} labels and labeled frames. Split it.`;
const isTooMany = ({ message }: LabelFault) => message === TOO_MANY;
const isSeverity = (text: string): text is (typeof SEVERITIES)[number] => SEVERITIES.some((each) => each === text);

/** PostgreSQL stores neither the character 0 nor half of a surrogate pair. */
const textOf = (value: unknown) => nameOf(value).replaceAll('\0', '').toWellFormed().trim();

/** Labels are one line, as those that people enter. */
const lineOf = (value: unknown) =>
  textOf(value)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
