import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Folder, FolderClockChanges } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { Checkbox, TextField } from '#ui/controls/field.tsx';
import { fromZonedTime } from '#ui/format/zoned-time.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { refreshLibrary } from '../library/library-query.ts';
import { isTimeZone, TimeZoneField } from './time-zone-field.tsx';

/** Two comparisons of the clock of a camera with the right time, as local times. */
type Comparison = { shown: string; actual: string };
type Draft = {
  zone: string;
  shift: string;
  isLocalHeader: boolean;
  drifts: boolean;
  comparisons: [Comparison, Comparison];
  pattern: string;
  isForNew: boolean;
};

/** Most videos of one request. */
const BATCH_SIZE = 500;
const EMPTY: Comparison = { shown: '', actual: '' };

/** Fields of a draft that start with the rule of a folder, which is what its new videos get. */
const toDraft = (rule: Folder['clock_rule'] | undefined): Draft => ({
  zone: rule?.time_zone ?? '',
  shift: rule?.shift_s ? String(rule.shift_s) : '',
  isLocalHeader: rule?.local_header ?? false,
  drifts: false,
  comparisons: [EMPTY, EMPTY],
  pattern: rule?.path_pattern ?? '',
  isForNew: Boolean(rule && (rule.time_zone !== null || rule.shift_s !== 0 || rule.local_header)),
});

/** Only what was changed: the rest of the clocks stays as it is. */
function toChanges(draft: Draft, before: Draft): Omit<FolderClockChanges, 'path_pattern' | 'new_videos'> {
  const zone = draft.zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...(draft.zone !== before.zone && { time_zone: draft.zone || null }),
    ...(draft.shift !== before.shift && { shift_s: Number(draft.shift) }),
    ...(draft.isLocalHeader !== before.isLocalHeader && { local_header: draft.isLocalHeader }),
    ...(draft.drifts && {
      reference_points: draft.comparisons.map(({ shown, actual }) => ({
        shown_at: fromZonedTime(shown, zone),
        recorded_at: fromZonedTime(actual, zone),
      })),
    }),
  };
}

/** Sets the clocks of selected videos, or of all videos of a folder and of those that it gets, such as one camera's. */
export function ClockDialog({
  folder,
  videoIds = [],
  onClose,
  onDone,
}: {
  folder?: Folder;
  videoIds?: readonly string[];
  onClose: () => void;
  onDone?: () => void;
}) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { show } = useToasts();
  const [before] = useState(() => toDraft(folder?.clock_rule));
  const [draft, setDraft] = useState(before);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const isComplete = draft.comparisons.every(({ shown, actual }) => shown !== '' && actual !== '');
  const isValid =
    (draft.zone === '' || isTimeZone(draft.zone)) &&
    !Number.isNaN(Number(draft.shift)) &&
    (!draft.drifts || isComplete);

  async function setOfFolder({ id }: Folder): Promise<number> {
    const body: FolderClockChanges = {
      ...toChanges(draft, before),
      ...(draft.pattern !== before.pattern && { path_pattern: draft.pattern.trim() }),
      ...((draft.isForNew || before.isForNew) && { new_videos: draft.isForNew }),
    };
    return (await api.POST('/api/folders/{folder_id}/clock', { params: { path: { folder_id: id } }, body })).data!
      .changed;
  }

  async function setOfVideos(): Promise<number> {
    let changed = 0;
    for (let start = 0; start < videoIds.length; start += BATCH_SIZE) {
      const body = { video_ids: videoIds.slice(start, start + BATCH_SIZE), ...toChanges(draft, before) };
      const { results } = (await api.POST('/api/videos/clock', { body })).data!;
      changed += results.filter(({ ok }) => ok).length;
    }
    return changed;
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const count = folder ? await setOfFolder(folder) : await setOfVideos();
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['folders'] }),
        queries.invalidateQueries({ queryKey: ['video'] }),
        refreshLibrary(queries),
      ]);
      show(t`${plural(count, { one: '# clock set', other: '# clocks set' })}`);
      onDone?.();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={
        folder
          ? t`Clocks of the folder “${folder.name}”`
          : t`${plural(videoIds.length, { one: 'Clock of # video', other: 'Clocks of # videos' })}`
      }
    >
      <form className="grid gap-3" onSubmit={save}>
        <div className="flex flex-wrap items-start gap-2">
          <TimeZoneField
            value={draft.zone}
            placeholder={folder ? t`Not known` : t`Unchanged`}
            onChange={(zone) => change({ zone })}
          />
          <TextField
            label={t`Add seconds`}
            type="number"
            step="any"
            className="w-36"
            placeholder={t`Unchanged`}
            hint={t`90: the camera is 90 s slow`}
            value={draft.shift}
            disabled={draft.drifts}
            onChange={(event) => change({ shift: event.target.value })}
          />
        </div>
        <Checkbox
          label={t`The files state local time where UTC belongs`}
          checked={draft.isLocalHeader}
          onCheckedChange={(isLocalHeader) => change({ isLocalHeader })}
        />
        <Checkbox
          label={t`The clock of the camera drifts`}
          checked={draft.drifts}
          onCheckedChange={(drifts) => change({ drifts })}
        />
        {draft.drifts && (
          <ComparisonFields comparisons={draft.comparisons} onChange={(comparisons) => change({ comparisons })} />
        )}
        {folder && (
          <>
            <TextField
              label={t`Dates in paths`}
              className="num"
              placeholder="{yyyy}-{mm}-{dd}/{HH}.{MM}.{SS}"
              hint={t`Where dates and times are in the paths of imports and in names; * is any text within a folder.`}
              value={draft.pattern}
              maxLength={200}
              onChange={(event) => change({ pattern: event.target.value })}
            />
            <Checkbox
              label={t`New videos of the folder start with these settings`}
              checked={draft.isForNew}
              onCheckedChange={(isForNew) => change({ isForNew })}
            />
          </>
        )}
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={!isValid || (draft === before && !folder)}>
            {t`Save`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Fields for two times that the camera showed and the right ones: the clock follows the line through both. */
function ComparisonFields({
  comparisons,
  onChange,
}: {
  comparisons: Draft['comparisons'];
  onChange: (comparisons: Draft['comparisons']) => void;
}) {
  const { t } = useLingui();
  const set = (at: number, part: Partial<Comparison>) =>
    onChange(comparisons.map((each, index) => (index === at ? { ...each, ...part } : each)) as Draft['comparisons']);
  return (
    <div className="grid gap-2">
      {([t`First comparison`, t`Second comparison`] as const).map((legend, at) => (
        <fieldset key={legend} className="flex flex-wrap gap-2">
          <legend className="mb-1 text-ink-2 text-sm">{legend}</legend>
          <TextField
            label={t`The camera showed`}
            type="datetime-local"
            step="1"
            className="w-52"
            value={comparisons[at]!.shown}
            onChange={(event) => set(at, { shown: event.target.value })}
          />
          <TextField
            label={t`Right time`}
            type="datetime-local"
            step="1"
            className="w-52"
            value={comparisons[at]!.actual}
            onChange={(event) => set(at, { actual: event.target.value })}
          />
        </fieldset>
      ))}
    </div>
  );
}
