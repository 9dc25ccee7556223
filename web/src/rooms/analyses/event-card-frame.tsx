import type { ReactNode } from 'react';
import { classes } from '#ui/classes.ts';
import { ServiceText } from '#ui/service-text.tsx';

/** A found event beside its image, with the reason and its limits. The whole card selects it. */
export function EventCardFrame({
  image,
  label,
  why,
  caveats,
  selected,
  onSelect,
  children,
}: {
  image: ReactNode;
  label: string;
  why: string;
  caveats: readonly string[];
  selected: boolean;
  onSelect: () => void;
  /** The last line: confidence, state, verdict. */
  children: ReactNode;
}) {
  return (
    <article
      aria-current={selected || undefined}
      className={classes(
        'group relative flex gap-3 rounded-md p-2 hover:bg-raise/60 has-[h3_button:focus-visible]:outline-2 has-[h3_button:focus-visible]:outline-accent',
        selected && 'bg-raise',
      )}
    >
      <div className="relative w-32 shrink-0 self-start">{image}</div>
      <div className="grid min-w-0 flex-1 content-start gap-1">
        <h3 className="break-words leading-4.5" lang="en">
          <button
            type="button"
            onClick={onSelect}
            className="text-left first-letter:uppercase after:absolute after:inset-0 focus-visible:outline-none"
          >
            {label}
          </button>
        </h3>
        <p className="line-clamp-2 break-words text-ink-2 text-sm">
          <ServiceText>{why}</ServiceText>
        </p>
        {caveats.map((caveat) => (
          <p key={caveat} className="break-words text-sm text-warn">
            <ServiceText>{caveat}</ServiceText>
          </p>
        ))}
        <div className="flex min-h-6 flex-wrap items-center gap-x-1.5 gap-y-0.5 text-sm">{children}</div>
      </div>
    </article>
  );
}
