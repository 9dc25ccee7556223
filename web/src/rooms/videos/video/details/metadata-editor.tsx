import { useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#ui/controls/button.tsx';
import { INPUT } from '#ui/controls/field.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { useChangeVideo } from '../queries.ts';
import { Section } from './details-section.tsx';
import { readValue, userMetadata } from './properties.ts';

/** Names and values that users added to a video. */
export function MetadataEditor({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const { mutate, isPending, error } = useChangeVideo(video.video_id);
  const isReadOnly = video.scope === 'sample';
  const entries = userMetadata(video);
  if (isReadOnly && entries.length === 0) return null;
  return (
    <Section title={t`Metadata`}>
      <ul className="grid gap-1 empty:hidden">
        {entries.map(([key, current]) => (
          <li key={key} className="grid grid-cols-[2fr_3fr_auto] items-center gap-1.5">
            <span className="break-all text-ink-3">{key}</span>
            <input
              key={String(current)}
              className={INPUT}
              aria-label={t`Value of ${key}`}
              defaultValue={String(current)}
              disabled={isReadOnly}
              maxLength={2000}
              onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
              onBlur={(event) => {
                const next = event.target.value;
                if (next !== String(current)) mutate({ metadata: { [key]: readValue(next) } });
              }}
            />
            {!isReadOnly && (
              <IconButton icon={X} label={t`Remove ${key}`} onClick={() => mutate({ metadata: { [key]: null } })} />
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <form
          className="grid grid-cols-[2fr_3fr_auto] gap-1.5"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '') return;
            const added = () => {
              setName('');
              setValue('');
            };
            mutate({ metadata: { [name.trim()]: readValue(value) } }, { onSuccess: added });
          }}
        >
          <input
            className={INPUT}
            aria-label={t`New name`}
            placeholder={t`Name`}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <input
            className={INPUT}
            aria-label={t`New value`}
            placeholder={t`Value`}
            maxLength={2000}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
          <IconButton icon={Plus} label={t`Add metadata`} type="submit" disabled={isPending || name.trim() === ''} />
        </form>
      )}
      {error && <ErrorNotice error={error} />}
    </Section>
  );
}
