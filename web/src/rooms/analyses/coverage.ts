/** Class names of the mark before a part: searched, searched with limits, or not searched. */
export const DOTS: Record<string, string> = {
  looked_for: 'bg-ok',
  partly: 'border-2 border-warn',
  not_looked_for: 'bg-warn',
};

type Part = { text: string; status: string; reason?: string | null };

/** Leaves out parts that cannot be searched for if a longer one contains them, with the same reason. */
export function withoutRepeats<T extends Part>(parts: readonly T[]): T[] {
  const missing = parts.filter(({ status }) => status === 'not_looked_for');
  return parts.filter(
    (part) =>
      !missing.includes(part) ||
      !missing.some(
        (other) => other !== part && other.text.includes(part.text) && (other.reason ?? '').includes(part.reason ?? ''),
      ),
  );
}

/** Reasons name the part that they are about, which the row names already. */
export const withoutText = (reason: string, text: string): string => {
  const named = `"${text}": `;
  return reason.startsWith(named) ? reason.slice(named.length) : reason;
};
