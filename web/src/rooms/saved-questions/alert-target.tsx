import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookDelivery } from '@sightline/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { useSession } from '#api/session.ts';
import { EXAMPLES, FORMATS, type Format } from '#rooms/webhooks/event-types.ts';
import { webhooksQuery } from '#rooms/webhooks/queries.ts';
import { sendTest, targetName, toTargetUrl } from '#rooms/webhooks/targets.ts';
import { Button } from '#ui/controls/button.tsx';
import { INPUT } from '#ui/controls/field.tsx';
import { type Option, SelectField } from '#ui/controls/select.tsx';
import { formatClock } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';
import { ErrorNotice } from '#ui/states.tsx';

const ALL = 'all';
const NONE = 'none';
const SEVERAL = 'several';
const NEW = 'new ';
/** Targets that are created here; topics of a broker are set up in the settings. */
const NEW_FORMATS: readonly Format[] = ['email', 'slack', 'discord', 'teams', 'ntfy', 'standard'];

/**
 * Where the alerts of a question go: `choice` is a kind above, or the id of a webhook; `address` is that of a target
 * which is created.
 */
export type AlertTarget = { choice: string; address: string };

/** The choice that stands for the webhooks of a question; null: all that want alerts. */
export function toChoice(webhookIds: readonly string[] | null | undefined): string {
  if (!webhookIds) return ALL;
  return webhookIds.length > 1 ? SEVERAL : (webhookIds[0] ?? NONE);
}

/** The webhooks of a choice; undefined: unchanged. Creates the target if the choice is a new one. */
export function useTargets() {
  const queries = useQueryClient();
  /** The id of a target that is not there yet. It receives nothing but what saved questions announce to it. */
  async function create({ choice, address }: AlertTarget): Promise<string> {
    const format = choice.slice(NEW.length) as Format;
    const url = toTargetUrl(format, address.trim());
    const body = { url, format, event_types: ALERTS, saved_questions_only: true };
    const { webhook_id } = (await api.POST('/api/webhooks', { body })).data!;
    await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey, exact: true });
    return webhook_id;
  }
  return {
    create,
    async webhooksOf(target: AlertTarget): Promise<string[] | null | undefined> {
      if (target.choice === SEVERAL) return undefined;
      if (target.choice === ALL) return null;
      if (target.choice === NONE) return [];
      return [target.choice.startsWith(NEW) ? await create(target) : target.choice];
    },
  };
}

const ALERTS: Webhook['event_types'] = ['alert.raised', 'digest.created'];

/** Chooses where alerts go, or creates a target, and sends a test message there. For admins. */
export function AlertTargetField({ value, onChange }: { value: AlertTarget; onChange: (target: AlertTarget) => void }) {
  const { t } = useLingui();
  const { email } = useSession();
  const { data: webhooks, error } = useQuery(webhooksQuery);
  const { create } = useTargets();
  const { choice, address } = value;
  const created = choice.startsWith(NEW) ? (choice.slice(NEW.length) as Format) : null;
  const test = useMutation({
    async mutationFn() {
      const id = created ? await create(value) : choice;
      if (created) onChange({ choice: id, address: '' });
      return sendTest(id);
    },
  });
  const known = (webhooks ?? []).map((webhook) => ({
    value: webhook.webhook_id,
    label: `${webhook.format === 'standard' ? t`Webhook` : t(FORMATS[webhook.format])}: ${targetName(webhook)}`,
  }));
  const isKnown = known.some((option) => option.value === choice);
  const fixed: Option<string>[] = [
    { value: ALL, label: t`All webhooks that receive alerts` },
    { value: NONE, label: t`Only the list of alerts` },
    ...(choice === SEVERAL ? [{ value: SEVERAL, label: t`Several webhooks` }] : []),
    ...(isKnown || created || [ALL, NONE, SEVERAL].includes(choice)
      ? []
      : [{ value: choice, label: webhooks ? t`A webhook that was deleted` : '…' }]),
  ];
  const creatable = NEW_FORMATS.map((format) => ({ value: `${NEW}${format}`, label: t`New: ${t(FORMATS[format])}` }));
  return (
    <div className="grid gap-1.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
        <SelectField
          label={t`Send alerts to`}
          value={choice}
          options={[...fixed, ...known, ...creatable]}
          onChange={(next) => {
            test.reset();
            onChange({ choice: next, address: next === `${NEW}email` ? email : '' });
          }}
        />
        {(isKnown || created) && (
          <Button busy={test.isPending} disabled={created !== null && !address.trim()} onClick={() => test.mutate()}>
            <Trans>Test</Trans>
          </Button>
        )}
      </div>
      {created && (
        <input
          aria-label={created === 'email' ? t`E-mail address` : t`URL`}
          type={created === 'email' ? 'email' : 'url'}
          placeholder={created === 'email' ? 'ada@example.com' : (EXAMPLES[created] ?? EXAMPLES.standard)}
          className={INPUT}
          value={address}
          onChange={(event) => onChange({ choice, address: event.target.value })}
          maxLength={2_000}
          required
        />
      )}
      {choice === NONE && (
        <p className="text-ink-3 text-sm">
          <Trans>Alerts appear under the bell above every page.</Trans>
        </p>
      )}
      <div role="status" className="text-sm empty:hidden">
        {test.data && <TestResult delivery={test.data} />}
      </div>
      {(test.error ?? error) && <ErrorNotice error={test.error ?? error} />}
    </div>
  );
}

function TestResult({ delivery: { status, message, created_at } }: { delivery: WebhookDelivery }) {
  if (status === 'delivered')
    return (
      <p className="text-ok">
        <Trans>Test delivered at {formatClock(Date.parse(created_at))}</Trans>
      </p>
    );
  return (
    <p className="break-words text-bad">
      <Trans>The test was not delivered.</Trans> {message && <ServiceText>{message}</ServiceText>}
    </p>
  );
}
