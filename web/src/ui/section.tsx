import type { ReactNode } from 'react';

/** A part of a page: heading, explanation, an action at the end of the line, content. */
export function Section({
  title,
  hint,
  action,
  children,
}: {
  title: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="border-b py-5 first:pt-0 last:border-b-0">
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-lg">{title}</h2>
          {hint && <p className="max-w-prose text-pretty text-ink-2">{hint}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Names and values, such as the properties of an object. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(110px,max-content)_minmax(0,1fr)] gap-x-6 gap-y-1.5">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd className="num min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
