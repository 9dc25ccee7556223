import { i18n } from '@lingui/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Download, FileUp, X } from 'lucide-react';
import { Fragment, useRef, useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { formatBytes } from '#ui/format/format.ts';
import { ErrorNotice, ProgressBar } from '#ui/states.tsx';
import { type AssignedFiles, assignFiles, endingsOf } from './model-files.ts';
import { type Model, useModelAction } from './models-query.ts';

/** Controls to get a model: its license, download with progress, or files of the user. */
export function ModelActions({ model, downloadsAllowed }: { model: Model; downloadsAllowed: boolean }) {
  const { t } = useLingui();
  const action = useModelAction(model);
  const fileInput = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<AssignedFiles<File> | null>(null);
  const { title, license, size_bytes, status, problem, source, is_default, files } = model;
  const size = formatBytes(size_bytes);
  const isPublished = files.every(({ urls }) => urls.length > 0);
  const canDownload = downloadsAllowed && isPublished;
  if (status === 'downloading') return <Progress model={model} action={action} />;
  return (
    <div className="grid gap-2">
      {status === 'failed' && problem && (
        <p role="alert" className="break-words text-bad">
          {problem.message}
        </p>
      )}
      {action.error && <ErrorNotice error={action.error} />}
      <div className="flex flex-wrap items-center gap-2">
        {canDownload && (
          <Button
            look={is_default ? 'primary' : 'plain'}
            icon={Download}
            busy={action.isPending}
            onClick={() => action.mutate('download')}
          >
            {status === 'failed' ? <Trans>Try again</Trans> : <Trans>Download</Trans>}
            <span className="sr-only">{title}</span>
          </Button>
        )}
        <Button
          look={canDownload || !is_default ? 'plain' : 'primary'}
          icon={FileUp}
          busy={action.isPending}
          onClick={() => fileInput.current!.click()}
        >
          <Plural value={files.length} one="Choose a file" other="Choose files" />
          <span className="sr-only">{title}</span>
        </Button>
        <span className="num text-ink-2">
          {size} ·{' '}
          <a href={license.url} target="_blank" rel="noopener noreferrer" className="underline hover:text-ink">
            <Trans>License: {license.name}</Trans>
          </a>
        </span>
      </div>
      {!isPublished && (
        <p className="text-ink-2">
          {source === null ? (
            <Trans>This model comes with a package of the service: install the service again.</Trans>
          ) : (
            <Trans>
              Its{' '}
              <a href={source} target="_blank" rel="noopener noreferrer" className="underline hover:text-ink">
                publisher
              </a>{' '}
              offers it in another form. The documentation of models describes how to convert it.
            </Trans>
          )}
        </p>
      )}
      {!downloadsAllowed && isPublished && (
        <p className="text-ink-2">
          <Trans>
            Downloads are turned off here. Get it on another machine: <FileLinks model={model} />
          </Trans>
        </p>
      )}
      {chosen && chosen.missing.length > 0 && (
        <p role="status" className="break-words text-warn">
          {chosen.unknown.length > 0 && (
            <>
              <Trans>Not a file of this model: {listOf(chosen.unknown.map(({ name }) => name))}.</Trans>{' '}
            </>
          )}
          <Trans>Still needed: {listOf(chosen.missing)}.</Trans>
        </p>
      )}
      <input
        ref={fileInput}
        type="file"
        accept={endingsOf(model)}
        multiple={files.length > 1}
        hidden
        aria-label={t`File for ${title}`}
        onChange={({ currentTarget }) => {
          const result = assignFiles(files, [...(currentTarget.files ?? [])]);
          currentTarget.value = '';
          setChosen(result);
          if (result.assigned.length > 0) action.mutate(result.assigned);
        }}
      />
    </div>
  );
}

const listOf = (names: readonly string[]): string => new Intl.ListFormat(i18n.locale).format(names);

const FileLinks = ({ model: { files } }: { model: Model }) =>
  files.map(({ name, urls }, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <a href={urls[0]} rel="noopener noreferrer" className="break-all underline hover:text-ink">
        {name}
      </a>
    </Fragment>
  ));

function Progress({ model, action }: { model: Model; action: ReturnType<typeof useModelAction> }) {
  const { t } = useLingui();
  const { title, bytes_done, size_bytes } = model;
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center gap-3">
        <ProgressBar
          value={bytes_done === 0 ? null : bytes_done / size_bytes}
          label={t`Download of ${title}`}
          className="flex-1"
        />
        <Button icon={X} busy={action.isPending} onClick={() => action.mutate('cancel')}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
      <p className="num text-ink-2">
        <Trans>
          {formatBytes(bytes_done)} of {formatBytes(size_bytes)}
        </Trans>
      </p>
      {action.error && <ErrorNotice error={action.error} />}
    </div>
  );
}
