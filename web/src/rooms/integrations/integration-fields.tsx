import { useLingui } from '@lingui/react/macro';
import type { Integration } from '@sightline/sdk';
import { useState } from 'react';
import { TextArea, TextField } from '#ui/controls/field.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import type { IntegrationType } from './integration-query.ts';
import { RoleSetup } from './role-setup.tsx';

type FieldsProps = { type: IntegrationType; integration: Integration | null };

/** Name, bucket, prefix and server. */
export function LocationFields({ type, integration }: FieldsProps) {
  const { t } = useLingui();
  const isS3 = type === 's3' || type === 's3_storage_transfer';
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField label={t`Name`} name="name" defaultValue={integration?.name} maxLength={255} required />
      <TextField
        label={type === 'hf_bucket' ? t`Bucket, as namespace/name` : t`Bucket`}
        name="bucket"
        defaultValue={integration?.bucket}
        maxLength={255}
        required
      />
      <TextField
        label={t`Prefix`}
        hint={t`Default prefix of imports, such as drives/2026/`}
        name="prefix"
        defaultValue={integration?.prefix ?? ''}
        maxLength={1024}
      />
      {isS3 && (
        <TextField
          label={t`Region`}
          hint={t`Required without a server of your own`}
          name="region"
          defaultValue={integration?.region ?? ''}
          placeholder="eu-central-1"
          maxLength={64}
        />
      )}
      <TextField
        label={t`Server`}
        hint={isS3 ? t`Only for compatible servers, such as MinIO or R2` : t`Only for compatible servers`}
        name="endpoint_url"
        type="url"
        defaultValue={integration?.endpoint_url ?? ''}
        placeholder="https://"
        maxLength={2000}
      />
      {isS3 && <Addressing value={integration?.addressing ?? ''} />}
    </div>
  );
}

function Addressing({ value: initial }: { value: 'path' | 'virtual' | '' }) {
  const { t } = useLingui();
  const [value, setValue] = useState(initial);
  return (
    <>
      <SelectField
        label={t`Bucket in addresses`}
        value={value}
        options={[
          { value: '', label: t`As usual for the server` },
          { value: 'path', label: t`In the path` },
          { value: 'virtual', label: t`In the host name` },
        ]}
        onChange={setValue}
      />
      <input type="hidden" name="addressing" value={value} />
    </>
  );
}

/** Credentials of the bucket. Stored credentials are never shown, so they are replaced as a whole. */
export function CredentialFields({ type, integration }: FieldsProps) {
  const { t } = useLingui();
  switch (type) {
    case 's3':
      return (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField label={t`Access key id`} name="access_key_id" autoComplete="off" maxLength={255} required />
          <TextField
            label={t`Secret access key`}
            name="secret_access_key"
            type="password"
            autoComplete="off"
            maxLength={1000}
            required
          />
          <TextField
            label={t`Session token`}
            hint={t`Only for temporary keys`}
            name="session_token"
            type="password"
            autoComplete="off"
            className="sm:col-span-2"
          />
        </div>
      );
    case 's3_storage_transfer':
      return (
        <>
          <RoleSetup />
          <TextField
            label={t`Role`}
            name="role_arn"
            defaultValue={integration?.role_arn ?? ''}
            placeholder="arn:aws:iam::123456789012:role/sightline"
            maxLength={2048}
            required
          />
        </>
      );
    case 'gcs':
      return (
        <TextArea
          label={t`Key file of a service account`}
          hint={t`The whole JSON file. The account needs to list and read the objects of the bucket.`}
          name="service_account"
          rows={6}
          spellCheck={false}
          required
        />
      );
    case 'hf_bucket':
      return (
        <TextField
          label={t`Token with read access`}
          name="token"
          type="password"
          autoComplete="off"
          placeholder="hf_…"
          maxLength={1000}
          required
        />
      );
  }
}
