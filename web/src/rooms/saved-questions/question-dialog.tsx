import { Trans, useLingui } from '@lingui/react/macro';
import type { SavedQuestion, SavedQuestionRequest } from '@sightline/sdk';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useIsAdmin } from '#api/session.ts';
import { useModeOptions } from '#rooms/analyses/ask/mode-options.ts';
import { FolderSelect } from '#rooms/folders/folder-select.tsx';
import { TextArea, TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { type AlertTarget, AlertTargetField, toChoice, useTargets } from './alert-target.tsx';
import { PATH } from './queries.ts';
import { RuleFields, readRule } from './rule-fields.tsx';

type Mode = SavedQuestion['mode'];
export type NewQuestion = Pick<SavedQuestionRequest, 'query'> & { mode?: Mode };

/** Characters of a prompt that become the name of its question, until somebody writes another one. */
const SHORT_NAME = 60;

/** Saves a question that starts as `initial`, or changes `changed`. */
export function QuestionDialog({
  changed,
  initial,
  onClose,
  onSaved,
}: {
  changed?: SavedQuestion;
  initial?: NewQuestion;
  onClose: () => void;
  onSaved: (saved: SavedQuestion) => void;
}) {
  const { t } = useLingui();
  const modeOptions = useModeOptions();
  const [folder, setFolder] = useState(changed?.folder_id ?? '');
  const isAdmin = useIsAdmin();
  const { webhooksOf } = useTargets();
  const [target, setTarget] = useState<AlertTarget>({ choice: toChoice(changed?.webhook_ids), address: '' });
  const [mode, setMode] = useState<Mode>(changed?.mode ?? initial?.mode ?? 'thinking');
  return (
    <FormDialog
      open
      onClose={onClose}
      title={changed ? <Trans>Edit the saved question</Trans> : <Trans>Save a question</Trans>}
      action={changed ? <Trans>Save</Trans> : <Trans>Save question</Trans>}
      onSubmit={async (fields) => {
        const webhookIds = isAdmin ? await webhooksOf(target) : undefined;
        // A target that was created now stays, also if the question is refused.
        if (webhookIds) setTarget({ choice: toChoice(webhookIds), address: '' });
        const body = {
          name: fieldText(fields, 'name') ?? '',
          query: fieldText(fields, 'query') ?? '',
          mode,
          // An unchanged folder may have been deleted.
          folder_id: changed && folder === (changed.folder_id ?? '') ? undefined : folder,
          rule: readRule(fields),
          ...(webhookIds !== undefined && { webhook_ids: webhookIds }),
        };
        if (!changed) return onSaved((await api.POST('/api/saved-questions', { body })).data!);
        const params = { path: { saved_question_id: changed.saved_question_id } };
        onSaved((await api.PATCH(PATH, { params, body })).data!);
      }}
    >
      <TextField
        label={t`Name`}
        name="name"
        defaultValue={changed?.name ?? initial?.query.slice(0, SHORT_NAME)}
        maxLength={255}
        required
      />
      <TextArea
        label={t`What to look for`}
        name="query"
        defaultValue={changed?.query ?? initial?.query}
        maxLength={10_000}
        required
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <FolderSelect label={t`New videos of`} none={t`All folders`} value={folder} onChange={setFolder} />
        <SelectField<Mode> label={t`Frames`} value={mode} options={modeOptions} onChange={setMode} />
      </div>
      <RuleFields rule={changed?.rule}>
        {isAdmin && <AlertTargetField value={target} onChange={setTarget} />}
      </RuleFields>
    </FormDialog>
  );
}
