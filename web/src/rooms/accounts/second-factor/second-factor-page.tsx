import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { ownPath, WelcomeHeading } from '../welcome-parts.tsx';
import { SecondFactorSetup } from './setup.tsx';

/** Where members go whose organization requires a second factor that they do not have. */
export function SecondFactorPage() {
  const { t } = useLingui();
  const { return_to } = useSearch({ from: '/second-factor' });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  async function leave() {
    await api.POST('/api/auth/sign-out', {});
    queryClient.clear();
    await navigate({ to: '/welcome', search: {} });
  }
  return (
    <main className="mx-auto grid max-w-sm gap-5 px-4 pt-[14vh] pb-8">
      <title>{`${t`Two-factor sign-in`} · Sightline`}</title>
      <WelcomeHeading intro={t`Your organization requires a second factor. Set one up to continue.`} />
      <SecondFactorSetup onDone={() => void navigate({ href: ownPath(return_to), replace: true })} />
      <Button className="justify-self-start" onClick={() => void leave()}>
        <Trans>Sign out</Trans>
      </Button>
    </main>
  );
}
