import { Presets, SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { InvalidArgumentError } from 'commander';

const NO_LINES_BETWEEN_ROWS = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/** Formats a table without colors, so that it can be piped. `none` is the text if there are no rows. */
export function table(head: string[], rows: string[][], none?: string): string {
  if (rows.length === 0 && none !== undefined) return none;
  const made = new Table({ head, style: { head: [], border: [] }, chars: NO_LINES_BETWEEN_ROWS });
  made.push(...rows);
  return plain(made.toString());
}

/** Replaces control characters: names of other users could otherwise manipulate the terminal. */
export const plain = (text: string) => text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');

/** Exits when the reader of the output has closed it, as `head` does. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
}

/** Parses an option that is a number. */
export function number(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

type Coverage = { text: string; status: string; by: readonly string[]; reason?: string | null };

/** A table of the parts of a prompt and what searches for each; below it the suggestions for a refused prompt. */
export function coverageText(coverage: readonly Coverage[], suggestions: readonly string[] = []): string {
  const rows = coverage.map(({ text, status, by, reason }) => [
    text,
    status.replaceAll('_', ' '),
    by.join(', '),
    reason ?? '',
  ]);
  const looked = rows.length > 0 ? [table(['part of the prompt', 'status', 'detected by', 'notes'], rows)] : [];
  return [...looked, ...suggestionsText(suggestions)].join('\n\n');
}

/** The line of the suggestions; none without suggestions. */
export const suggestionsText = (suggestions: readonly string[] = []): string[] =>
  suggestions.length > 0 ? [`Did you mean: ${suggestions.join(' | ')}`] : [];

/** A number with its noun: "1 video", "2 videos". */
export const counted = (count: number, noun: string, plural = `${noun}s`) => `${count} ${count === 1 ? noun : plural}`;

/** Seconds as `1:02.3` or `1:02:03.4`. */
export function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [h, m, s] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10];
  const mm = h > 0 ? String(m).padStart(2, '0') : String(m);
  return `${h > 0 ? `${h}:` : ''}${mm}:${s.toFixed(1).padStart(4, '0')}`;
}

/** A progress line on stderr: stage, percent, time left. On a terminal it is a bar; elsewhere one line per stage. */
export interface Progress {
  show(stage: string, percent: number): void;
  stop(): void;
}

export function createProgress(): Progress {
  const started = performance.now();
  if (!process.stderr.isTTY) {
    let last = '';
    return {
      show(stage, percent) {
        if (stage === last) return;
        last = stage;
        process.stderr.write(`${stage} (${Math.round(percent)} %)\n`);
      },
      stop() {},
    };
  }
  // The cursor stays visible: after Ctrl-C nothing would restore it.
  const bar = new SingleBar(
    { format: '{bar} {percent}% {stage} {left}', stream: process.stderr },
    Presets.shades_classic,
  );
  bar.start(100, 0, { stage: '', left: '' });
  return {
    show: (stage, percent) =>
      bar.update(Math.min(100, Math.round(percent)), { stage, left: timeLeft(started, percent) }),
    stop: () => bar.stop(),
  };
}

function timeLeft(startedMs: number, percent: number): string {
  if (percent < 3 || percent >= 100) return '';
  const left = ((performance.now() - startedMs) / 1000) * (100 / percent - 1);
  return `${Math.ceil(left)} s left`;
}
