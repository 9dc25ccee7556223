import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The place of a page: the list that it belongs to, and its title. */
export function Breadcrumbs({
  to,
  list,
  title,
}: {
  to: '/datasets' | '/questions' | '/imports';
  /** Name of the list. */
  list: ReactNode;
  title: string;
}) {
  const { t } = useLingui();
  return (
    <nav aria-label={t`Breadcrumbs`} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-2">
        <li className="text-ink-3 max-sm:hidden">
          <Link to={to} className="hover:text-ink">
            {list}
          </Link>
          <span aria-hidden className="ml-2">
            /
          </span>
        </li>
        <li className="min-w-0">
          <h1 aria-current="page" title={title} className="truncate text-base">
            {title}
          </h1>
        </li>
      </ol>
    </nav>
  );
}
