import { readFile } from 'node:fs/promises';
import {
  AssumeRoleCommand,
  AssumeRoleWithWebIdentityCommand,
  type Credentials as AwsCredentials,
  GetCallerIdentityCommand,
  STSClient,
  type STSClientConfig,
} from '@aws-sdk/client-sts';
import { GoogleAuth } from 'google-auth-library';
import type { Config } from '#platform/config/index';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';
import { refused } from './failure.ts';
import { createServiceAccount, type ServiceAccount } from './service-account.ts';

/** What this deployment is to somebody else's cloud, and what that somebody has to trust. */
export type Setup = {
  provider: 'google' | 'aws';
  authMode: 'web_identity' | 'assume_role';
  projectId: string | null;
  email: string | null;
  subjectId: string | null;
  /** The audience of the tokens (google) or the external id (aws): of one organisation alone. */
  audience: string;
  trustPolicy: object;
};

export type Role = {
  roleArn: string;
  orgId: string;
  region: string | null;
};

export interface Identity {
  /** Throws `identity_missing` or `identity_unusable` (409). */
  setup(orgId: string): Promise<Setup>;
  /** Keys of the role for an hour. Throws what AWS says of the role. */
  assumeRole(role: Role): Promise<{
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken: string;
    expiration: Date;
  }>;
}

/** Distinguishes the organisations of one deployment: nobody can name the role that trusts another one. */
const audienceOf = (orgId: string) => `sightline-${orgId}`;
const ISSUER = 'accounts.google.com';
const SESSION = 'sightline';
const SESSION_S = 3_600;
const UNSIGNED = { accessKeyId: 'unsigned', secretAccessKey: 'unsigned' };

/**
 * The identity that is configured. Asks nobody before it is needed, and shows itself to the STS of AWS or of the operator alone: wherever a bucket's
 * owner says that the bucket lies, a token of this deployment must not go there.
 */
export function createIdentity(configured: Config['cloudIdentity']): Identity {
  const google = configured?.kind === 'google' ? createGoogle(configured.keyFile) : null;
  const endpoint = configured?.stsUrl ?? undefined;
  const connect = (settings: STSClientConfig) =>
    new STSClient({ endpoint, maxAttempts: 2, requestHandler: { connectionTimeout: 10_000 }, ...settings });

  return {
    async setup(orgId) {
      if (!configured) throw problems.identity_missing();
      try {
        return await (google ? googleSetup(google, orgId) : awsSetup(connect({}), orgId));
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw problems.identity_unusable(
          `This deployment's own ${configured.kind === 'google' ? 'Google service account' : 'AWS identity'} cannot be used: ${(error as Error).name}.`,
        );
      }
    },

    async assumeRole({ roleArn, orgId, region }) {
      if (!configured) throw problems.identity_missing();
      const audience = audienceOf(orgId);
      // With a token nothing is signed.
      const sts = connect({ region: region ?? 'us-east-1', ...(google ? { credentials: UNSIGNED } : {}) });
      const role = { RoleArn: roleArn, RoleSessionName: SESSION, DurationSeconds: SESSION_S };
      try {
        const { Credentials } = google
          ? await sts.send(
              new AssumeRoleWithWebIdentityCommand({ ...role, WebIdentityToken: await google.token(audience) }),
            )
          : await sts.send(new AssumeRoleCommand({ ...role, ExternalId: audience }));
        return keysOf(Credentials!);
      } catch (error) {
        throw refusedRole(roleArn, error);
      } finally {
        sts.destroy();
      }
    },
  };
}

function refusedRole(roleArn: string, error: unknown): unknown {
  const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (error instanceof Problem || status === undefined) return error;
  if (status === 403 || name === 'AccessDenied') {
    return problems.bucket_access_denied(
      `AWS does not let this deployment assume the role ${roleArn} (${name}): its trust policy must be the one that the setup gives.`,
    );
  }
  return refused({ provider: 'AWS STS', bucket: roleArn, host: 'sts.amazonaws.com' }, { status, name });
}

type Google = {
  token(audience: string): Promise<string>;
  projectId(): Promise<string | null>;
};

/** A service account by its key file, or, without one, that of the machine on Google Cloud. */
function createGoogle(keyFile: string | null): Google {
  if (!keyFile) {
    const auth = new GoogleAuth();
    return {
      token: async (audience) => (await auth.getIdTokenClient(audience)).idTokenProvider.fetchIdToken(audience),
      projectId: () => auth.getProjectId().catch(() => null),
    };
  }
  const account = async () => JSON.parse(await readFile(keyFile, 'utf8')) as ServiceAccount;
  return {
    token: async (audience) => createServiceAccount(await account(), fetch).fetchIdToken(audience),
    projectId: async () => (await account()).project_id ?? null,
  };
}

/** What Google itself says of the account, in a token of it. */
async function googleSetup(google: Google, orgId: string): Promise<Setup> {
  const audience = audienceOf(orgId);
  const token = await google.token(audience);
  const { sub, email } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string;
    email?: string;
  };
  return {
    provider: 'google',
    authMode: 'web_identity',
    projectId: await google.projectId(),
    email: email ?? null,
    subjectId: sub,
    audience,
    trustPolicy: trust({ Federated: ISSUER }, 'sts:AssumeRoleWithWebIdentity', {
      [`${ISSUER}:sub`]: sub,
      // The audience of a token that has an authorised party, as those of service accounts do.
      [`${ISSUER}:oaud`]: audience,
    }),
  };
}

async function awsSetup(sts: STSClient, orgId: string): Promise<Setup> {
  try {
    const { Arn = '' } = await sts.send(new GetCallerIdentityCommand({}));
    const audience = audienceOf(orgId);
    return {
      provider: 'aws',
      authMode: 'assume_role',
      projectId: null,
      email: null,
      subjectId: null,
      audience,
      trustPolicy: trust({ AWS: principalOf(Arn) }, 'sts:AssumeRole', { 'sts:ExternalId': audience }),
    };
  } finally {
    sts.destroy();
  }
}

/** Sessions come and go: what is trusted is the role behind one. */
const principalOf = (arn: string) =>
  arn.replace(/^(arn:[^:]+:)sts(::\d+:)assumed-role\/([^/]+)\/.*$/, '$1iam$2role/$3');

const trust = (Principal: object, Action: string, StringEquals: object) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal, Action, Condition: { StringEquals } }],
});

const keysOf = ({ AccessKeyId, SecretAccessKey, SessionToken, Expiration }: AwsCredentials) => ({
  accessKeyId: AccessKeyId!,
  secretAccessKey: SecretAccessKey!,
  sessionToken: SessionToken!,
  expiration: Expiration ?? new Date(Date.now() + SESSION_S * 1000),
});
