import { Trans, useLingui } from '@lingui/react/macro';
import { SightlineError } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '#api/client.ts';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { forgetLink, keepLink } from './link-token.ts';
import { CurrentPasswordField, NewPasswordField } from './password-fields.tsx';
import { CodeField } from './second-factor/code-field.tsx';
import { ownPath, WelcomeHeading } from './welcome-parts.tsx';

/** Sign-in, and the pages behind links: first set-up, invitation, new password. */
export function WelcomePage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/welcome' });
  const [link] = useState(() => keepLink(search));
  const kind = link?.kind ?? 'sign-in';
  const texts = {
    'sign-in': { intro: t`Sign in to your account.`, action: t`Sign in` },
    setup: { intro: t`Create the owner account of this service.`, action: t`Create account` },
    invitation: { intro: t`Accept the invitation to join your team.`, action: t`Join` },
    reset: { intro: t`Set a new password for your account.`, action: t`Set password` },
  }[kind];
  const { send, busy, problem, needsCode, back } = useWelcome(link, search.return_to);
  const withName = kind === 'setup' || kind === 'invitation';
  const [isForgotten, setForgotten] = useState(false);
  if (isForgotten) return <ForgottenPassword onBack={() => setForgotten(false)} />;
  if (needsCode) return <CodeStep send={send} busy={busy} problem={problem} onBack={back} />;

  return (
    <main className="mx-auto grid max-w-sm gap-5 px-4 pt-[14vh] pb-8">
      <title>{`${texts.action} · Sightline`}</title>
      <WelcomeHeading intro={texts.intro} />
      <form className="grid gap-3.5" onSubmit={send}>
        {(kind === 'sign-in' || kind === 'setup') && (
          <TextField label={t`E-mail address`} name="email" type="email" autoComplete="username" required />
        )}
        {withName && <TextField label={t`Your name`} name="name" maxLength={100} autoComplete="name" required />}
        {kind === 'sign-in' ? (
          <CurrentPasswordField label={t`Password`} name="password" />
        ) : (
          <NewPasswordField name="password" />
        )}
        <Button type="submit" look="primary" busy={busy} className="h-9 justify-self-start px-4">
          {texts.action}
        </Button>
        <p role="status" className="min-h-10 text-bad">
          {problem}
        </p>
      </form>
      {kind === 'sign-in' && <OtherWays returnTo={search.return_to} onForgotten={() => setForgotten(true)} />}
    </main>
  );
}

/** The second step for users with a second factor. Nobody is signed in before it. */
function CodeStep({
  send,
  busy,
  problem,
  onBack,
}: {
  send: (event: FormEvent<HTMLFormElement>) => void;
  busy: boolean;
  problem: string;
  onBack: () => void;
}) {
  const { t } = useLingui();
  return (
    <main className="mx-auto grid max-w-sm gap-5 px-4 pt-[14vh] pb-8">
      <title>{`${t`Code`} · Sightline`}</title>
      <WelcomeHeading intro={t`Enter a code to sign in.`} />
      <form className="grid gap-3.5" onSubmit={send}>
        <CodeField
          orRecovery
          hint={<Trans>Lost both? An administrator of your organization can reset your second factor.</Trans>}
        />
        <Button type="submit" look="primary" busy={busy} className="h-9 justify-self-start px-4">
          <Trans>Continue</Trans>
        </Button>
        <p role="status" className="min-h-10 text-bad">
          {problem}
        </p>
      </form>
      <Button className="justify-self-start" onClick={onBack}>
        <Trans>Back</Trans>
      </Button>
    </main>
  );
}

/** Offers single sign-on, and a mail to users who have forgotten their password, where the service has them. */
function OtherWays({ returnTo, onForgotten }: { returnTo?: string; onForgotten: () => void }) {
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: async ({ signal }) => (await api.GET('/api/auth/methods', { signal })).data!,
  });
  if (!data?.sso && !data?.password_reset) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {data.sso && (
        <a href={`/api/auth/sso?return_to=${encodeURIComponent(ownPath(returnTo))}`} className={buttonClass('plain')}>
          <Trans>Single sign-on</Trans>
        </a>
      )}
      {data.password_reset && (
        <Button onClick={onForgotten}>
          <Trans>Forgot your password?</Trans>
        </Button>
      )}
    </div>
  );
}

/** Requests a mail with a link to set a new password. */
function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const { t } = useLingui();
  const [isSent, setSent] = useState(false);
  const { busy, problem, run } = useRequest();

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email'));
    void run(async () => {
      await api.POST('/api/auth/reset-password', { body: { email } });
      setSent(true);
    });
  }

  return (
    <main className="mx-auto grid max-w-sm gap-5 px-4 pt-[14vh] pb-8">
      <title>{`${t`New password`} · Sightline`}</title>
      <WelcomeHeading intro={t`Get a link to set a new password.`} />
      {isSent ? (
        <p role="status" className="text-ink-2">
          <Trans>
            If there is an account with this address, a mail with a link is on its way. The link works once and for an
            hour. No mail? Look at your spam folder, or ask the operator of this service.
          </Trans>
        </p>
      ) : (
        <form className="grid gap-3.5" onSubmit={send}>
          <TextField label={t`E-mail address`} name="email" type="email" autoComplete="username" required />
          <Button type="submit" look="primary" busy={busy} className="h-9 justify-self-start px-4">
            <Trans>Send link</Trans>
          </Button>
          <p role="status" className="min-h-10 text-bad">
            {problem}
          </p>
        </form>
      )}
      <Button className="justify-self-start" onClick={onBack}>
        <Trans>Back to sign-in</Trans>
      </Button>
    </main>
  );
}

/** Runs a request; `problem` is the sentence of its failure. */
function useRequest() {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function run(request: () => Promise<void>) {
    setBusy(true);
    setProblem('');
    try {
      await request();
    } catch (error) {
      const explained = error instanceof SightlineError && error.code !== 'unknown';
      setProblem(explained ? error.message : t`The service does not respond. Try again in a moment.`);
    } finally {
      setBusy(false);
    }
  }
  return { busy, problem, run };
}

type Fields = Record<string, string>;

function useWelcome(link: ReturnType<typeof keepLink>, returnTo: string | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { busy, problem, run } = useRequest();
  /** The fields of the first step, once the service has requested a code. */
  const [entered, setEntered] = useState<Fields | null>(null);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields: Fields = { ...entered, ...(Object.fromEntries(new FormData(event.currentTarget)) as Fields) };
    void run(async () => {
      try {
        if (link) await api.POST('/api/auth/accept', { body: { token: link.token, ...fields } as never });
        else await api.POST('/api/auth/sign-in', { body: fields as never });
      } catch (error) {
        if (!(error instanceof SightlineError) || error.code !== 'second_factor_needed') throw error;
        setEntered(fields);
        return;
      }
      forgetLink();
      queryClient.clear();
      await navigate({ href: ownPath(returnTo), replace: true });
    });
  }
  return { send, busy, problem, needsCode: entered !== null, back: () => setEntered(null) };
}
