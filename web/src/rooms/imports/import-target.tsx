import { Trans, useLingui } from '@lingui/react/macro';
import type { Integration } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FolderSelect } from '#rooms/folders/folder-select.tsx';
import { Button } from '#ui/controls/button.tsx';
import { Checkbox } from '#ui/controls/field.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import type { Selection } from './import-queries.ts';
import { INTERVALS } from './intervals.ts';
import { scheduleImport, startImport } from './start-import.ts';

const NOW = 'now';

/** Where an import goes and when it runs, and its button. */
export function ImportTarget({ integration, selection }: { integration: Integration; selection: Selection }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [folder, setFolder] = useState('');
  const [scope, setScope] = useState<'user' | 'org'>('user');
  const [when, setWhen] = useState<string>(NOW);
  const [sidecars, setSidecars] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function run() {
    setBusy(true);
    setError(null);
    // A folder decides who sees its videos.
    const target = { ...(folder ? { folder_id: folder } : { scope }), sidecars };
    try {
      if (when === NOW) {
        const jobId = await startImport(integration.type, selection, target);
        await navigate({ to: '/imports/$jobId', params: { jobId } });
      } else {
        await scheduleImport(selection, target, Number(when));
        await queryClient.invalidateQueries({ queryKey: ['import-syncs'] });
        show(t`The import is on a schedule. Its first run starts now.`);
        await navigate({ to: '/imports' });
      }
      await queryClient.invalidateQueries({ queryKey: ['import-jobs'] });
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Section title={<Trans>Import</Trans>}>
      <div className="grid gap-3">
        <FolderSelect label={t`Folder`} none={t`No folder`} value={folder} onChange={setFolder} />
        {folder === '' && (
          <SelectField
            label={t`Who sees the videos`}
            value={scope}
            options={[
              { value: 'user', label: t`Only you` },
              { value: 'org', label: t`Everyone in the organization` },
            ]}
            onChange={setScope}
          />
        )}
        <SelectField
          label={t`When`}
          value={when}
          options={[
            { value: NOW, label: t`Once, now` },
            ...INTERVALS.map(({ minutes, name }) => ({ value: String(minutes), label: t`Now and every: ${t(name)}` })),
          ]}
          onChange={setWhen}
        />
        <Checkbox
          label={t`Also import telemetry (.json, .csv, .srt) and subtitles (.srt, .vtt) beside each video`}
          checked={sidecars}
          onCheckedChange={(on) => setSidecars(on)}
        />
        {error !== null && <ErrorNotice error={error} />}
        <Button look="primary" busy={busy} onClick={() => void run()} className="justify-self-start">
          {when === NOW ? t`Import` : t`Import and schedule`}
        </Button>
      </div>
    </Section>
  );
}
