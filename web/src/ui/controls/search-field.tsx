import { Search } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { classes } from '../classes.ts';
import { INPUT } from './field.tsx';

/** Pause after typing before the text is used. */
const TYPING_MS = 250;
/** On touch screens, a focused field opens a keyboard over the page. */
const HAS_KEYBOARD = window.matchMedia('(pointer: fine)').matches;

/** A box whose text filters what is shown: after a pause of typing, at once with Enter. Escape empties it. */
export function SearchField({
  label,
  placeholder = label,
  value,
  onChange,
  inputRef,
  autoFocus,
  className,
}: {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (text: string) => void;
  inputRef?: RefObject<HTMLInputElement | null>;
  autoFocus?: boolean;
  /** Of the box, such as its width. */
  className?: string;
}) {
  const [text, setText] = useState(value);
  const latest = useRef(onChange);
  const sent = useRef(value);
  useEffect(() => {
    latest.current = onChange;
  });
  // The text that this field sent comes back while more is typed, and must not replace it.
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  const send = (next: string) => {
    sent.current = next;
    latest.current(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `send` uses references only.
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => send(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <div className={classes('relative', className)}>
      <Search size={14} aria-hidden className="absolute inset-y-0 left-2.5 my-auto text-ink-3" />
      <input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        // biome-ignore lint/a11y/noAutofocus: only pages that are for searching set it.
        autoFocus={autoFocus && HAS_KEYBOARD}
        maxLength={255}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text.trim());
          if (event.key !== 'Escape') return;
          setText('');
          event.currentTarget.blur();
        }}
        className={classes(INPUT, 'h-full min-h-7.5 pl-8')}
      />
    </div>
  );
}
