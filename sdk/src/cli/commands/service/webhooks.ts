import { type Command, Option } from 'commander';
import type { Webhook, WebhookDelivery, WebhookRequest } from '../../../resources.generated.ts';
import { number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type EventType = NonNullable<WebhookRequest['event_types']>[number];
type Format = Webhook['format'];
type Settings = { url?: string; format?: Format; description?: string; types?: EventType[]; folderId?: string };

const FORMATS: Record<Format, true> = {
  standard: true,
  slack: true,
  discord: true,
  teams: true,
  ntfy: true,
  email: true,
  mqtt: true,
};

/** Webhooks of the organization, for administrators. */
export function webhookCommands(program: Command, run: Run): void {
  const webhooks = program.command('webhooks').description('send messages about events to your own endpoints');
  webhooks
    .command('list', { isDefault: true })
    .description('list webhooks')
    .action(
      run(async ({ sightline, print }) => {
        const { data } = await (await sightline()).api.GET('/api/webhooks', {});
        const rows = data!.webhooks.map((each) => [each.webhook_id, each.url, toState(each), toTypes(each)]);
        print(data, () => table(['id', 'url', 'state', 'types'], rows, 'There are no webhooks.'));
      }),
    );
  withSettings(
    webhooks.command('create').description('create a webhook and print its secret once').argument('<url>'),
  ).action(
    run(async ({ sightline, print }, url: string, flags: Settings) => {
      const { data } = await (await sightline()).api.POST('/api/webhooks', { body: { ...toBody(flags), url } });
      const { webhook_id, format, secret } = data!;
      // Mail and MQTT have no signature to verify.
      const isSigned = format !== 'email' && format !== 'mqtt';
      const created = `Created ${webhook_id}.`;
      print(data, () => (isSigned ? `${created} Store its secret now; it is not shown again:\n${secret}` : created));
    }),
  );
  withSettings(webhooks.command('change').description('change settings of a webhook').argument('<webhook_id>'))
    .option('--url <url>', 'URL that receives messages')
    .action(
      run(async ({ sightline, print }, webhook_id: string, flags: Settings) => {
        const { api } = await sightline();
        const params = { path: { webhook_id } };
        const body = { ...toBody(flags), url: flags.url };
        const { data } = await api.PATCH('/api/webhooks/{webhook_id}', { params, body });
        print(data, () => `${data!.url}: ${toTypes(data!)}`);
      }),
    );
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    webhooks
      .command(name)
      .description(enabled ? 'send messages again' : 'send no messages')
      .argument('<webhook_id>')
      .action(
        run(async ({ sightline, print }, webhook_id: string) => {
          const params = { path: { webhook_id } };
          const { api } = await sightline();
          const { data } = await api.PATCH('/api/webhooks/{webhook_id}', { params, body: { enabled } });
          print(data, () => `${data!.url} is ${toState(data!)}.`);
        }),
      );
  }
  webhooks
    .command('rotate')
    .description('create a new secret and print it once')
    .argument('<webhook_id>')
    .option('--overlap <hours>', 'hours in which messages are signed with the previous secret, too', number, 24)
    .action(
      run(async ({ sightline, print }, webhook_id: string, { overlap }: { overlap: number }) => {
        const { api } = await sightline();
        const request = { params: { path: { webhook_id } }, body: { overlap_hours: overlap } };
        const { data } = await api.POST('/api/webhooks/{webhook_id}/rotate-secret', request);
        print(data, () => data!.secret);
      }),
    );
  webhooks
    .command('ping')
    .description('send a test message and wait for its result')
    .argument('<webhook_id>')
    .action(
      run(async ({ sightline, print }, webhook_id: string) => {
        const done = await (await sightline()).pingWebhook(webhook_id);
        print(done, () => toResult(done));
        if (done.status !== 'delivered') process.exitCode = 1;
      }),
    );
  webhooks
    .command('deliveries')
    .description('list the latest deliveries')
    .argument('<webhook_id>')
    .option('--status <status>', '`pending`, `delivered` or `failed`')
    .option('--limit <number>', 'number of deliveries', number, 50)
    .action(
      run(
        async (
          { sightline, print },
          webhook_id: string,
          query: { status?: WebhookDelivery['status']; limit: number },
        ) => {
          const { api } = await sightline();
          const params = { path: { webhook_id }, query };
          const { data } = await api.GET('/api/webhooks/{webhook_id}/deliveries', { params });
          const rows = data!.deliveries.map((each) => [
            each.created_at,
            each.type,
            each.status,
            String(each.attempts),
            toResult(each),
            each.delivery_id,
          ]);
          const head = ['created', 'type', 'status', 'attempts', 'result', 'id'];
          print(data, () => table(head, rows, 'There are no deliveries.'));
        },
      ),
    );
  webhooks
    .command('resend')
    .description('send a message again')
    .argument('<webhook_id>')
    .argument('<delivery_id>')
    .action(
      run(async ({ sightline, print }, webhook_id: string, delivery_id: string) => {
        const { api } = await sightline();
        const params = { path: { webhook_id, delivery_id } };
        const { data } = await api.POST('/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend', { params });
        print(data, () => `Sending ${data!.type} again as ${data!.delivery_id}.`);
      }),
    );
  webhooks
    .command('delete')
    .description('delete a webhook with its deliveries')
    .argument('<webhook_id>')
    .action(
      run(async ({ sightline, print }, webhook_id: string) => {
        const { api } = await sightline();
        const { data } = await api.DELETE('/api/webhooks/{webhook_id}', { params: { path: { webhook_id } } });
        print(data, () => `Deleted ${webhook_id}.`);
      }),
    );
}

const withSettings = (command: Command) =>
  command
    .option('--types <type...>', 'types of messages, such as video.ready; default: all')
    .addOption(
      new Option('--format <format>', 'JSON for your own endpoint, or the format of a chat service').choices(
        Object.keys(FORMATS),
      ),
    )
    .option('--folder-id <id>', 'only messages about this folder')
    .option('--description <text>', 'what the webhook is for');

const toBody = ({ format, types, folderId, description }: Settings) => ({
  format,
  event_types: types,
  folder_id: folderId,
  description,
});

const toState = ({ enabled, disabled_reason, failing_since }: Webhook) =>
  enabled ? (failing_since ? 'failing' : 'enabled') : disabled_reason ? `disabled: ${disabled_reason}` : 'disabled';

const toTypes = ({ event_types }: Webhook) => event_types.join(' ') || 'all';

const toResult = ({ response_status, duration_ms, message }: WebhookDelivery) =>
  message ?? (response_status === null ? '' : `status ${response_status} after ${duration_ms} ms`);
