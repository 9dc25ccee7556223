import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useRouter } from '@tanstack/react-router';
import { buttonClass } from '#ui/controls/button.tsx';
import { EmptyState, ErrorNotice } from '#ui/states.tsx';
import { Title } from './page-slots.tsx';

/** An unknown address, inside the frame. */
export function NotFoundPage() {
  const { t } = useLingui();
  return (
    <>
      <Title text={t`There is no such page`} />
      <NotFound />
    </>
  );
}

/** An unknown address outside of the frame. */
export function PageNotFound() {
  const { t } = useLingui();
  return (
    <main>
      <title>{`${t`There is no such page`} · Sightline`}</title>
      <h1 className="sr-only">Sightline</h1>
      <NotFound />
    </main>
  );
}

export function NotFound() {
  return (
    <EmptyState
      title={<Trans>There is no such page</Trans>}
      action={
        <Link to="/" className={buttonClass('primary')}>
          <Trans>Go to the library</Trans>
        </Link>
      }
    >
      <Trans>The address may be mistyped, or what it showed was deleted.</Trans>
    </EmptyState>
  );
}

/** A page that failed, such as when the service does not respond. */
export function RouteError({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <main className="mx-auto max-w-xl p-6">
      <ErrorNotice error={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}
