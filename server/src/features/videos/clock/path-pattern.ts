import { isDate } from './readings.ts';
import type { ClockReading } from './types.ts';

/** Parts of patterns: dates in lower case, times in capitals. */
const PARTS = {
  yyyy: '(?<yyyy>(?:19|20)\\d\\d)',
  mm: '(?<mm>0[1-9]|1[0-2])',
  dd: '(?<dd>0[1-9]|[12]\\d|3[01])',
  HH: '(?<HH>[01]\\d|2[0-3])',
  MM: '(?<MM>[0-5]\\d)',
  SS: '(?<SS>[0-5]\\d)',
} as const;
const REQUIRED = ['yyyy', 'mm', 'dd', 'HH'] as const;
/** Several of them could make the search in a path slow. */
const MOST_STARS = 3;
const DAY_MS = 86_400_000;

/** Returns why a pattern cannot be used; null if it can. */
export function findPatternFault(pattern: string): string | null {
  const names = [...pattern.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown !== undefined)
    return `\`{${unknown}}\` is unknown; the parts are {yyyy}, {mm}, {dd}, {HH}, {MM} and {SS}`;
  if (new Set(names).size < names.length) return 'a part is there twice';
  const missing = REQUIRED.find((name) => !names.includes(name));
  // A day alone would say that all of its videos start at midnight.
  if (missing) return `\`{${missing}}\` is missing`;
  if (names.includes('SS') && !names.includes('MM')) return '`{MM}` is missing';
  return pattern.split('*').length > MOST_STARS + 1 ? `more than ${MOST_STARS} stars` : null;
}

/** Time in a path, where a pattern says; minutes and seconds that the pattern lacks are 0. Null if no path matches. */
export function readPath(pattern: string, paths: readonly (string | null)[], now: Date): ClockReading | null {
  const expression = new RegExp(toSource(pattern), 'g');
  for (const path of paths) {
    // The last match: folders of a bucket come before those of its recordings.
    const parts = [...(path ?? '').matchAll(expression)].at(-1)?.groups;
    if (!parts) continue;
    const { yyyy, mm, dd, HH, MM = '00', SS = '00' } = parts;
    const time = `${yyyy}-${mm}-${dd}T${HH}:${MM}:${SS}.000`;
    // Zones are at most a day apart.
    if (!isDate(time) || Date.parse(`${time}Z`) > now.getTime() + DAY_MS) continue;
    const withinS = parts.MM === undefined ? 3_600 : parts.SS === undefined ? 60 : 0;
    return { source: 'rule', time, offsetMin: null, ...(withinS > 0 ? { withinS } : {}) };
  }
  return null;
}

function toSource(pattern: string): string {
  const source = pattern.replaceAll(/\{(\w+)\}|\*|[^{}*]+/g, (text, name?: keyof typeof PARTS) => {
    if (name) return PARTS[name];
    return text === '*' ? '[^/]*' : text.replaceAll(/[\\^$.|?+()[\]]/g, String.raw`\$&`);
  });
  // Digits within a longer number do not count.
  return `(?<!\\d)${source}(?!\\d)`;
}
