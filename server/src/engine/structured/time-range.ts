/** `00:12.340-00:15.000`: minutes, seconds and milliseconds, with hours from one hour on. */
export function toTimeRange({ startS: from, endS: to }: { startS: number; endS: number }): string {
  return `${clockOf(from)}-${clockOf(to)}`;
}

function clockOf(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const hours = ms >= 3_600_000 ? `${two(ms / 3_600_000)}:` : '';
  return `${hours}${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`;
}
