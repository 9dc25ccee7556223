import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Breadcrumbs } from '#frame/breadcrumbs.tsx';
import { Title } from '#frame/page-slots.tsx';
import type { NewImportSearch } from '#frame/search-params.ts';
import { IntegrationDialog } from '#rooms/integrations/integration-dialog.tsx';
import { integrationsQuery, locationOf, TYPES } from '#rooms/integrations/integration-query.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextArea, TextField } from '#ui/controls/field.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { Section } from '#ui/section.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportTarget } from './import-target.tsx';

/** A new import: where from, which objects, where to, now or on a schedule. The selection is in the address. */
export function NewImportPage() {
  const { t } = useLingui();
  const [adding, setAdding] = useState(false);
  const search = useSearch({ from: '/app/imports/new' });
  const navigate = useNavigate({ from: '/imports/new' });
  const queryClient = useQueryClient();
  const { data: integrations, error, refetch } = useQuery(integrationsQuery);
  const select = (changes: NewImportSearch) => void navigate({ search: { ...search, ...changes }, replace: true });
  const integration = integrations?.find(({ id }) => id === search.integration) ?? integrations?.[0];
  const selection = integration && {
    integrationId: integration.id,
    prefix: search.prefix ?? integration.prefix ?? '',
    include: patterns(search.include),
    exclude: patterns(search.exclude),
  };
  const addButton = (look: 'primary' | 'plain') => (
    <Button icon={Plus} look={look} onClick={() => setAdding(true)}>
      <Trans>Add integration</Trans>
    </Button>
  );
  return (
    <div className="p-4.5 md:py-6">
      <Title text={t`New import`}>
        <Breadcrumbs to="/imports" list={<Trans>Imports</Trans>} title={t`New import`} />
      </Title>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !integrations && <Skeleton className="h-60" />}
      {integrations?.length === 0 && (
        <EmptyState title={<Trans>Connect a bucket first</Trans>} action={addButton('primary')}>
          <Trans>An integration holds the credentials of a bucket. Sightline only reads from it.</Trans>
        </EmptyState>
      )}
      {integration && selection && (
        <div className="grid gap-x-8 lg:grid-cols-[minmax(0,420px)_minmax(0,1fr)]">
          <div>
            <Section title={<Trans>Source</Trans>}>
              <div className="flex items-end gap-2">
                <div className="min-w-0 flex-1">
                  <SelectField
                    label={t`Integration`}
                    value={integration.id}
                    options={integrations!.map((each) => ({
                      value: each.id,
                      label: `${each.name} · ${locationOf(each)} · ${t(TYPES[each.type])}`,
                    }))}
                    onChange={(id) => select({ integration: id, prefix: undefined })}
                  />
                </div>
                {addButton('plain')}
              </div>
            </Section>
            <Section title={<Trans>Objects</Trans>}>
              <SelectionFields
                key={integration.id}
                prefix={selection.prefix}
                include={search.include ?? ''}
                exclude={search.exclude ?? ''}
                onChange={select}
              />
            </Section>
            <ImportTarget integration={integration} selection={selection} />
          </div>
          <ImportPreview selection={selection} />
        </div>
      )}
      {adding && (
        <IntegrationDialog
          changed={null}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => {
            void queryClient.invalidateQueries({ queryKey: ['integrations'] });
            select({ integration: id, prefix: undefined });
          }}
        />
      )}
    </div>
  );
}

/** Patterns, one a line. */
const patterns = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The fields apply when they are left, or on Enter: each selection lists the bucket. */
function SelectionFields({
  prefix,
  include,
  exclude,
  onChange,
}: {
  prefix: string;
  include: string;
  exclude: string;
  onChange: (changes: NewImportSearch) => void;
}) {
  const { t } = useLingui();
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        onChange({ prefix: String(fields.get('prefix')) });
      }}
    >
      <TextField
        label={t`Prefix`}
        hint={t`Objects whose key starts with it. Empty for the whole bucket.`}
        name="prefix"
        defaultValue={prefix}
        maxLength={1024}
        spellCheck={false}
        onBlur={(event) => onChange({ prefix: event.target.value })}
      />
      <TextArea
        label={t`Only keys that match`}
        hint={t`One pattern a line: * within a folder, ** across folders, ? one character`}
        name="include"
        rows={2}
        defaultValue={include}
        placeholder="**/*.mp4"
        spellCheck={false}
        onBlur={(event) => onChange({ include: event.target.value.trim() || undefined })}
      />
      <TextArea
        label={t`Except keys that match`}
        name="exclude"
        rows={2}
        defaultValue={exclude}
        placeholder="**/rear_*.mp4"
        spellCheck={false}
        onBlur={(event) => onChange({ exclude: event.target.value.trim() || undefined })}
      />
    </form>
  );
}
