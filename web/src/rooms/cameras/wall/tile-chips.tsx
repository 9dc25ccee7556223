import type { ReactNode } from 'react';
import { classes } from '#ui/classes.ts';

/** Over a frame: white on black in both themes. */
const CHIP =
  'num pointer-events-none absolute flex max-w-[calc(100%-16px)] items-center gap-1.5 rounded-sm bg-black/70 px-1.5 py-px text-sm text-white';

const DOTS = {
  live: 'bg-[oklch(0.72_0.16_25)]',
  warn: 'bg-[oklch(0.84_0.12_85)]',
  ring: 'border-[1.5px] border-white',
  off: 'bg-[oklch(0.7_0.01_250)]',
};

/** In the upper left corner: the state of a tile. */
export const StateChip = ({ dot, children }: { dot: keyof typeof DOTS; children: ReactNode }) => (
  <span data-state="" className={classes(CHIP, 'top-2 left-2 whitespace-nowrap font-medium')}>
    <span aria-hidden className={classes('size-1.75 shrink-0 rounded-full', DOTS[dot])} />
    {children}
  </span>
);

/** In the lower left corner: the name of a tile and its place. */
export const NameChip = ({ name, place }: { name: string; place: string | null }) => (
  <span className={classes(CHIP, 'bottom-2 left-2')}>
    <span className="truncate font-semibold">{name}</span>
    {place !== null && <span className="@max-xs:hidden truncate text-white/80">{place}</span>}
  </span>
);

/** In the lower right corner. */
export const NoteChip = ({ children }: { children: ReactNode }) => (
  <span className={classes(CHIP, '@max-xs:hidden right-2 bottom-2 whitespace-nowrap text-white/90')}>{children}</span>
);

/** In the upper right corner: an event that nobody looked at. */
export const EventChip = ({ children }: { children: ReactNode }) => (
  <span className="num pointer-events-none absolute top-2 right-2 flex max-w-[60%] gap-1 whitespace-nowrap rounded-sm bg-accent px-1.5 py-px font-semibold text-accent-ink text-sm">
    {children}
  </span>
);
