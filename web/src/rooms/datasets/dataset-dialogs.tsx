import { Trans, useLingui } from '@lingui/react/macro';
import type { Dataset, DatasetRequest } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, sightline } from '#api/client.ts';
import { Checkbox, TextArea, TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { formatTime } from '#ui/format/format.ts';
import { datasetsQuery, refreshDatasets } from './queries.ts';
import { QuestionPicker } from './question-picker.tsx';

type Done = { onClose: () => void; onDone: (dataset: Dataset) => void };
const NONE: ReadonlySet<string> = new Set();

/** Creates a dataset of questions. */
export function CreateDatasetDialog({ onClose, onDone }: Done) {
  const [chosen, setChosen] = useState(NONE);
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={<Trans>Create a dataset</Trans>}
      action={<Trans>Create dataset</Trans>}
      disabled={chosen.size === 0}
      onSubmit={async (fields) => onDone(await create(fields, { batch_ids: [...chosen] }))}
    >
      <NewDatasetFields />
      <QuestionPicker chosen={chosen} onChange={setChosen} />
    </FormDialog>
  );
}

type Contents = Pick<DatasetRequest, 'batch_ids' | 'clips'>;

/** Adds a question to a dataset of the user, or to a new one. */
export const AddToDatasetDialog = ({ batchId, ...done }: Done & { batchId: string }) => (
  <TargetDialog
    {...done}
    toContents={() => ({ batch_ids: [batchId] })}
    canTake={({ batch_ids }) => !batch_ids.includes(batchId)}
  >
    <p className="text-ink-2">
      <Trans>A dataset names questions, so that their results are downloaded as one file.</Trans>
    </p>
  </TargetDialog>
);

export type ClipRange = { videoId: string; start: number; end: number };

/** Adds a range of a video to a dataset of the user, or to a new one. */
export function AddClipDialog({ clip: { videoId, start, end }, ...done }: Done & { clip: ClipRange }) {
  const { t } = useLingui();
  const [from, until] = [formatTime(start), formatTime(end)];
  const range = { video_id: videoId, start_s: start, end_s: end };
  return (
    <TargetDialog {...done} toContents={(fields) => ({ clips: [{ ...range, label: fieldText(fields, 'label') }] })}>
      <p className="text-ink-2">
        <Trans>
          The clip from {from} to {until} becomes a part of the dataset.
        </Trans>
      </p>
      <TextField label={t`Label (optional)`} name="label" maxLength={200} />
    </TargetDialog>
  );
}

/** Chooses a dataset of the user, or a new one, that gets the contents. */
function TargetDialog({
  toContents,
  canTake = () => true,
  onClose,
  onDone,
  children,
}: Done & {
  toContents: (fields: FormData) => Contents;
  canTake?: (dataset: Dataset) => boolean;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const [target, setTarget] = useState('');
  const { data } = useInfiniteQuery(datasetsQuery('user'));
  const own = data?.pages.flat().filter(canTake) ?? [];
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Add to a dataset</Trans>}
      action={target ? <Trans>Add</Trans> : <Trans>Create dataset</Trans>}
      onSubmit={async (fields) => {
        const contents = toContents(fields);
        if (!target) return onDone(await create(fields, contents));
        const { batch_ids: add_batch_ids, clips: add_clips } = contents;
        const changed = await sightline.changeDataset(target, { add_batch_ids, add_clips });
        await refreshDatasets();
        onDone(changed);
      }}
    >
      {children}
      {own.length > 0 && (
        <SelectField
          label={t`Dataset`}
          value={target}
          onChange={setTarget}
          options={[{ value: '', label: t`New dataset` }, ...own.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      {!target && <NewDatasetFields />}
    </FormDialog>
  );
}

/** Adds questions to a dataset. */
export function AddQuestionsDialog({ dataset, onClose, onDone }: Done & { dataset: Dataset }) {
  const [chosen, setChosen] = useState(NONE);
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={<Trans>Add questions</Trans>}
      action={<Trans>Add</Trans>}
      disabled={chosen.size === 0}
      onSubmit={async () => {
        const changed = await sightline.changeDataset(dataset.id, { add_batch_ids: [...chosen] });
        await refreshDatasets();
        onDone(changed);
      }}
    >
      <QuestionPicker chosen={chosen} onChange={setChosen} without={dataset.batch_ids} />
    </FormDialog>
  );
}

/** Changes name and description of a dataset. */
export function EditDatasetDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Edit the dataset</Trans>}
      action={<Trans>Save</Trans>}
      onSubmit={async (fields) => {
        await sightline.changeDataset(dataset.id, texts(fields));
        await refreshDatasets();
      }}
    >
      <Texts dataset={dataset} />
    </FormDialog>
  );
}

/** Name, description and visibility of a new dataset. */
function NewDatasetFields() {
  return (
    <>
      <Texts />
      <Checkbox name="shared" label={<Trans>Everyone in the organization may read it</Trans>} />
    </>
  );
}

function Texts({ dataset }: { dataset?: Dataset }) {
  const { t } = useLingui();
  return (
    <>
      <TextField label={t`Name`} name="name" defaultValue={dataset?.name} maxLength={255} required />
      <TextArea
        label={t`What it is for`}
        name="description"
        defaultValue={dataset?.search_description}
        maxLength={10_000}
        rows={2}
      />
    </>
  );
}

const texts = (fields: FormData) => ({
  name: fieldText(fields, 'name') ?? '',
  search_description: fieldText(fields, 'description') ?? '',
});

/** Without waiting for its questions, unlike the operation of the SDK. */
async function create(fields: FormData, contents: Contents): Promise<Dataset> {
  const scope = fields.has('shared') ? ('org' as const) : ('user' as const);
  const body = { ...texts(fields), scope, ...contents };
  const { data } = await api.POST('/api/data-curation/datasets', { body });
  await refreshDatasets();
  return data!;
}
