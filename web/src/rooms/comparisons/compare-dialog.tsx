import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { DetectorSelect } from '#rooms/analyses/ask/detector-select.tsx';
import { useModeOptions } from '#rooms/analyses/ask/mode-options.ts';
import { VisionProfileSelect } from '#rooms/analyses/ask/vision-profile-select.tsx';
import { TextArea } from '#ui/controls/field.tsx';
import { FormDialog, fieldText } from '#ui/controls/form.tsx';
import { Select } from '#ui/controls/select.tsx';

type Mode = 'thinking' | 'fast';

/** The query that is changed: of reviewed answers, or a saved one, which takes the change over later. */
export type ComparedQuery = { query: string; mode?: Mode; folderId?: string | null; savedQuestionId?: string };

/** Runs a changed prompt, or other models, on reviewed videos, and opens the comparison. */
export function CompareDialog({ compared, onClose }: { compared: ComparedQuery; onClose: () => void }) {
  const { t } = useLingui();
  const modeOptions = useModeOptions();
  const navigate = useNavigate();
  const [mode, setMode] = useState<Mode>(compared.mode ?? 'thinking');
  const [visionProfile, setVisionProfile] = useState<string>();
  const [detector, setDetector] = useState<string>();
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Compare a change</Trans>}
      action={<Trans>Compare</Trans>}
      onSubmit={async (fields) => {
        const { batch_id: batchId } = await sightline.startComparison({
          query: fieldText(fields, 'query') ?? '',
          baseline_query: compared.query,
          mode,
          folder_id: compared.folderId ?? undefined,
          vision_profile: visionProfile,
          detector,
        });
        const search = { question: compared.savedQuestionId };
        await navigate({ to: '/comparisons/$batchId', params: { batchId }, search });
      }}
    >
      <p className="text-ink-2">
        <Trans>
          The changed prompt runs on videos whose answers to “{compared.query}” were reviewed, at most 100. Nothing is
          saved yet.
        </Trans>
      </p>
      <TextArea label={t`Changed prompt`} name="query" defaultValue={compared.query} maxLength={10_000} required />
      <div className="flex flex-wrap gap-2">
        <Select<Mode> label={t`Frames`} value={mode} options={modeOptions} onChange={setMode} />
        <VisionProfileSelect profile={visionProfile} onChange={setVisionProfile} />
        <DetectorSelect detector={detector} onChange={setDetector} />
      </div>
    </FormDialog>
  );
}
