import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { useCopy } from '#ui/controls/copy.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { fieldText, useSubmit } from '#ui/controls/form.tsx';
import { ErrorNotice } from '#ui/states.tsx';

/** Creates a link that invites a person. */
export function InviteForm() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [link, setLink] = useState<string | null>(null);
  const { submit, busy, error } = useSubmit(async (fields) => {
    const body = { email: fieldText(fields, 'email') ?? '', role: 'member' } as const;
    setLink((await api.POST('/api/invitations', { body })).data!.url);
    await queries.invalidateQueries({ queryKey: ['invitations'] });
  });
  if (link) return <Copyable label={t`Invitation link`} text={link} />;
  return (
    <form className="mt-1 flex flex-wrap items-end gap-2" onSubmit={submit}>
      <TextField label={t`E-mail address`} name="email" type="email" required className="w-64" />
      <Button type="submit" busy={busy}>
        <Trans>Create link</Trans>
      </Button>
      {error !== null && <ErrorNotice error={error} className="w-full" />}
    </form>
  );
}

/** Creates a key and shows a request that uses it. The key is shown only once. */
export function KeyForm() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [key, setKey] = useState<string | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    setKey((await api.POST('/api/keys', { body: { name: t`First key` } })).data!.key);
    await queries.invalidateQueries({ queryKey: ['keys'] });
  });
  if (key) {
    return (
      <>
        <p>
          <Trans>This key is shown only once. Try it in a terminal:</Trans>
        </p>
        <Copyable label={t`Request`} text={`curl -H "X-API-Key: ${key}" ${window.location.origin}/api/videos`} />
      </>
    );
  }
  return (
    <form onSubmit={submit}>
      <p>
        <Trans>All that you do here works over the API, too. A key lets scripts and tools use it.</Trans>
      </p>
      <Button type="submit" busy={busy} className="mt-2">
        <Trans>Create a key</Trans>
      </Button>
      {error !== null && <ErrorNotice error={error} className="mt-2" />}
    </form>
  );
}

/** A text in one line with a button that copies it. */
function Copyable({ label, text }: { label: string; text: string }) {
  const { t } = useLingui();
  const copy = useCopy();
  return (
    <div className="mt-2 flex items-center gap-1 rounded-md border bg-bg pl-2.5">
      <input readOnly aria-label={label} value={text} className="min-w-0 flex-1 bg-transparent font-mono text-sm" />
      <IconButton icon={Copy} label={t`Copy`} onClick={() => void copy(text)} />
    </div>
  );
}
