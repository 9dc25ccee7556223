import Table from 'cli-table3';

const NO_LINES_BETWEEN_ROWS = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/** Rows under headings, as text for a terminal; plain lines without colours, so that it can be piped. */
export function table(head: string[], rows: string[][]): string {
  const made = new Table({ head, style: { head: [], border: [] }, chars: NO_LINES_BETWEEN_ROWS });
  made.push(...rows);
  return made.toString();
}

/** Seconds as `1:02.3` or `1:02:03.4`. */
export function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [h, m, s] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10];
  const mm = h > 0 ? String(m).padStart(2, '0') : String(m);
  return `${h > 0 ? `${h}:` : ''}${mm}:${s.toFixed(1).padStart(4, '0')}`;
}
