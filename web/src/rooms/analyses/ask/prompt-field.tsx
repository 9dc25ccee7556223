import { useLingui } from '@lingui/react/macro';
import type { QueryPreview } from '@sightline/sdk';
import { useId } from 'react';

/** Both layers of the field wrap their text alike. */
const LAYER = 'col-start-1 row-start-1 whitespace-pre-wrap break-words px-3 py-2 text-lg';

/** The input of a prompt. Underlines words that cannot be searched for. Enter sends; Shift and Enter breaks a line. */
export function PromptField({
  text,
  onText,
  onEnter,
  preview,
  autoFocus,
}: {
  text: string;
  onText: (text: string) => void;
  onEnter: () => void;
  preview: QueryPreview | undefined;
  autoFocus?: boolean;
}) {
  const { t } = useLingui();
  const id = useId();
  return (
    <div className="grid max-h-48 overflow-y-auto rounded-md border border-strong-line/60 bg-panel hover:border-strong-line has-focus-visible:border-accent has-focus-visible:shadow-[0_0_0_2px_color-mix(in_oklab,var(--accent)_30%,transparent)]">
      <label htmlFor={id} className="sr-only">
        {t`Question about the video`}
      </label>
      <div aria-hidden className={`${LAYER} pointer-events-none text-transparent`}>
        {marked(text, preview).map(({ start, part, missing }) => (
          <span
            key={start}
            className={
              missing ? 'underline decoration-warn decoration-wavy decoration-1 underline-offset-3' : undefined
            }
          >
            {part}
          </span>
        ))}
        {/* A last line without text has a height, too. */}
        {'\u200b'}
      </div>
      <textarea
        id={id}
        rows={1}
        // biome-ignore lint/a11y/noAutofocus: only where the box is what a dialog is for.
        autoFocus={autoFocus}
        maxLength={10_000}
        placeholder={t`Ask what to look for`}
        className={`${LAYER} resize-none overflow-hidden bg-transparent text-ink outline-none`}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          // The keys of the player and of the events work again.
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onEnter();
        }}
      />
    </div>
  );
}

type Piece = { start: number; part: string; missing: boolean };

/** Splits a text at the words that cannot be searched for. The shortest part that contains a word names it best. */
export function marked(text: string, preview: Pick<QueryPreview, 'parts'> | undefined): Piece[] {
  const lower = text.toLowerCase();
  const missing = (preview?.parts ?? [])
    .filter(({ status }) => status === 'not_looked_for')
    .map((part) => part.text.toLowerCase())
    .filter((part, _, parts) => part && !parts.some((other) => other !== part && part.includes(other)));
  const ranges = missing
    .map((part) => ({ start: lower.indexOf(part), end: lower.indexOf(part) + part.length }))
    .filter(({ start }) => start >= 0)
    .sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at) continue;
    if (start > at) pieces.push({ start: at, part: text.slice(at, start), missing: false });
    pieces.push({ start, part: text.slice(start, end), missing: true });
    at = end;
  }
  if (at < text.length) pieces.push({ start: at, part: text.slice(at), missing: false });
  return pieces;
}
