import { Trans, useLingui } from '@lingui/react/macro';
import type { LiveSession } from '@sightline/sdk';
import { TextField } from '#ui/controls/field.tsx';
import { fieldNumber } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';

export type RecordingMode = LiveSession['recording'];

const MAX_ROLL_S = 600;

/** Fields that state what is recorded: everything, or only ranges around events, with seconds before and after them. */
export function RecordingFields({
  recording,
  onChange,
  preRollS,
  postRollS,
}: {
  recording: RecordingMode;
  onChange: (recording: RecordingMode) => void;
  preRollS: number;
  postRollS: number;
}) {
  const { t } = useLingui();
  return (
    <>
      <SelectField
        label={t`What is recorded`}
        value={recording}
        onChange={onChange}
        options={[
          { value: 'continuous', label: t`Everything` },
          { value: 'events', label: t`Only around events` },
        ]}
      />
      {recording === 'events' && (
        <>
          <p className="text-ink-2">
            <Trans>
              Everything is received and analyzed. What the questions find nothing in is deleted, and cannot be asked
              about later.
            </Trans>
          </p>
          <TextField
            name="pre_roll_s"
            label={t`Seconds before an event`}
            type="number"
            min={0}
            max={MAX_ROLL_S}
            step="any"
            defaultValue={preRollS}
            required
          />
          <TextField
            name="post_roll_s"
            label={t`Seconds after an event`}
            type="number"
            min={0}
            max={MAX_ROLL_S}
            step="any"
            defaultValue={postRollS}
            required
          />
        </>
      )}
    </>
  );
}

/** The seconds that `RecordingFields` has; undefined where everything is recorded. */
export const rollsOf = (fields: FormData) => ({
  pre_roll_s: fieldNumber(fields, 'pre_roll_s'),
  post_roll_s: fieldNumber(fields, 'post_roll_s'),
});
