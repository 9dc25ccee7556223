import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { ParsedLabels } from '../types.ts';
import { createCollector, type LabelCollector } from './collector.ts';

/** Names of each column, the first one as in exports. */
const COLUMNS = {
  label: ['label', 'event', 'class', 'category'],
  start: ['start_s', 'start', 'start_time', 'begin'],
  end: ['end_s', 'end', 'end_time'],
  videoId: ['video_id'],
  videoName: ['video_name', 'video', 'filename', 'file_name', 'file'],
  severity: ['severity'],
  note: ['note'],
  approval: ['approval'],
};
type Column = keyof typeof COLUMNS;

const MAX_ROW = 100_000;
const PIECE = 64 * 1024;

/** A table with one label in each row, separated by commas, semicolons or tabs. */
export async function parseCsv(content: string): Promise<ParsedLabels> {
  const collector = createCollector();
  const delimiter = findDelimiter(content);
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_ROW,
  });
  const rows: AsyncIterable<{ record: string[]; info: { lines: number } }> = Readable.from(piecesOf(content)).pipe(
    parser,
  );
  let columns: Record<Column, number> | null = null;
  try {
    for await (const { record, info } of rows) {
      const location = `line ${info.lines}`;
      if (columns) {
        if (!addRow(collector, location, { columns, record, delimiter })) break;
      } else {
        columns = findColumns(record);
        const missing = (['label', 'start', 'end'] as const).filter((name) => columns![name] < 0);
        if (missing.length === 0) continue;
        const names = missing.map((name) => `\`${COLUMNS[name][0]}\``).join(', ');
        collector.fail(location, `The first row must name the columns. Missing: ${names}.`);
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    collector.fail(
      `line ${Number(error.lines) || 1}`,
      'The row is not valid CSV: a quote is wrong, or it is too long.',
    );
  }
  if (!columns && collector.faults.length === 0) collector.fail('line 1', 'The file is empty.');
  return collector;
}

/** Other requests are served between two pieces. */
function* piecesOf(content: string): Generator<Buffer> {
  const bytes = Buffer.from(content);
  for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE);
}

/** The most frequent one in the first row. */
function findDelimiter(content: string): string {
  const head = content.slice(0, MAX_ROW).split(/\r?\n/, 1)[0]!;
  const count = (delimiter: string) => head.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function findColumns(head: readonly string[]): Record<Column, number> {
  const names = head.map((name) => name.toLowerCase().replaceAll(' ', '_'));
  const find = ([, known]: [string, string[]]) => known.map((name) => names.indexOf(name)).find((at) => at >= 0) ?? -1;
  return Object.fromEntries(Object.entries(COLUMNS).map((entry) => [entry[0], find(entry)])) as Record<Column, number>;
}

function addRow(
  collector: LabelCollector,
  location: string,
  { columns, record, delimiter }: { columns: Record<Column, number>; record: readonly string[]; delimiter: string },
): boolean {
  const cell = (name: Column) => withoutFormulaGuard(record[columns[name]] ?? '');
  const [startS, endS] = [parseTime(cell('start'), delimiter), parseTime(cell('end'), delimiter)];
  if (startS === null || endS === null) {
    const [name, text] = startS === null ? ['start', cell('start')] : ['end', cell('end')];
    const given = text === '' ? 'is missing' : `is not a time: ${JSON.stringify(text.slice(0, 40))}`;
    collector.fail(location, `The ${name} ${given}. Write seconds, such as 12.5, or 0:12.5.`);
    return true;
  }
  return collector.add({
    location,
    videos: [cell('videoId'), cell('videoName')],
    when: { startS, endS },
    label: cell('label'),
    severity: cell('severity'),
    note: cell('note'),
    approval: cell('approval'),
  });
}

/** Exports write an apostrophe before texts that a spreadsheet would run. */
const withoutFormulaGuard = (text: string) => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text);

/** Seconds of `12.5`, `1:02.5` or `1:00:02`; with a comma for decimals if it does not separate columns. */
function parseTime(text: string, delimiter: string): number | null {
  const plain = delimiter === ',' ? text : text.replace(',', '.');
  const match = /^(?:(?:(\d{1,5}):)?(\d{1,5}):)?(\d{1,9}(?:\.\d{1,9})?)$/.exec(plain);
  if (!match) return null;
  const [, hours = '0', minutes = '0', seconds] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
