import type { ReactNode } from 'react';

/** A titled part of the details of a video. */
export const Section = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section className="grid gap-1.5">
    <h2 className="font-medium text-ink-2 text-sm">{title}</h2>
    {children}
  </section>
);
