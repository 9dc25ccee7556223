import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { useSession } from '#api/session.ts';
import { LOCALES, type Locale } from '#frame/catalogs.ts';
import { setLocale } from '#frame/locale.ts';
import { setTheme, type Theme, useTheme } from '#frame/theme.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { Form, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { CurrentPasswordField, NewPasswordField } from '../password-fields.tsx';
import { SecondFactorSection } from '../second-factor/second-factor-section.tsx';
import { SessionList } from './session-list.tsx';

export function ProfileSection() {
  return (
    <>
      <Identity />
      <Appearance />
      <PasswordForm />
      <SecondFactorSection />
      <SingleSignOn />
      <SessionList />
    </>
  );
}

function Identity() {
  const { t } = useLingui();
  const session = useSession();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  return (
    <Section title={<Trans>Name</Trans>} hint={session.email}>
      <Form
        action={t`Save`}
        onSubmit={async (fields) => {
          const { data } = await api.PATCH('/api/auth/profile', { body: { name: fieldText(fields, 'name')! } });
          queryClient.setQueryData(['session'], data);
          show(t`Your name was changed.`);
        }}
      >
        <TextField
          label={t`Your name`}
          name="name"
          defaultValue={session.name}
          maxLength={100}
          autoComplete="name"
          required
        />
      </Form>
    </Section>
  );
}

function Appearance() {
  const { t, i18n } = useLingui();
  const theme = useTheme();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  async function changeLocale(locale: Locale) {
    try {
      await setLocale(locale);
      const { data } = await api.PATCH('/api/auth/profile', { body: { locale } });
      queryClient.setQueryData(['session'], data);
    } catch (error) {
      showError(error);
    }
  }
  return (
    <Section
      title={<Trans>Language and theme</Trans>}
      hint={
        <Trans>
          The language applies in all your browsers, the theme in this one. Explanations of the engine and errors of the
          service are in English.
        </Trans>
      }
    >
      <div className="grid max-w-md grid-cols-2 gap-3">
        <SelectField
          label={t`Language`}
          value={i18n.locale as Locale}
          options={Object.entries(LOCALES).map(([value, label]) => ({ value: value as Locale, label }))}
          onChange={(locale) => void changeLocale(locale)}
        />
        <SelectField<Theme>
          label={t`Theme`}
          value={theme}
          options={[
            { value: 'system', label: t`As the system` },
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` },
          ]}
          onChange={setTheme}
        />
      </div>
    </Section>
  );
}

function PasswordForm() {
  const { t } = useLingui();
  const session = useSession();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  if (!session.has_password) {
    return (
      <Section
        title={<Trans>Password</Trans>}
        hint={<Trans>Your account has no password: you sign in by single sign-on.</Trans>}
      />
    );
  }
  return (
    <Section
      title={<Trans>Password</Trans>}
      hint={<Trans>A new password signs you out of all other browsers. API keys stay valid.</Trans>}
    >
      <Form
        action={t`Change password`}
        onSubmit={async (fields, form) => {
          const { data } = await api.POST('/api/auth/password', {
            body: {
              current_password: String(fields.get('current_password')),
              new_password: String(fields.get('new_password')),
            },
          });
          form.reset();
          queryClient.setQueryData(['session'], data);
          await queryClient.invalidateQueries({ queryKey: ['sessions'] });
          show(t`Your password was changed.`);
        }}
      >
        <input type="text" name="username" autoComplete="username" defaultValue={session.email} hidden readOnly />
        <CurrentPasswordField label={t`Current password`} name="current_password" />
        <NewPasswordField name="new_password" />
      </Form>
    </Section>
  );
}

function SingleSignOn() {
  const { showError } = useToasts();
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: async ({ signal }) => (await api.GET('/api/auth/methods', { signal })).data!,
  });
  if (!data?.sso) return null;
  async function link() {
    try {
      const { data: started } = await api.POST('/api/auth/sso/link', {});
      window.location.assign(started!.url);
    } catch (error) {
      showError(error);
    }
  }
  return (
    <Section
      title={<Trans>Single sign-on</Trans>}
      hint={<Trans>Link your account of the identity provider, to sign in with it.</Trans>}
      action={
        <Button onClick={() => void link()}>
          <Trans>Link single sign-on</Trans>
        </Button>
      }
    />
  );
}
