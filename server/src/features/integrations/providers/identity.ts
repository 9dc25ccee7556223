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
/** How long AWS and Google are waited for, in milliseconds. */
const PATIENCE_MS = 15_000;
const UNSIGNED = { accessKeyId: 'unsigned', secretAccessKey: 'unsigned' };

/**
 * The identity that is configured. Asks nobody before it is needed, and shows itself to the STS of AWS or of the operator alone: wherever a bucket's
 * owner says that the bucket lies, a token of this deployment must not go there.
 */
export function createIdentity(configured: Config['cloudIdentity'], patienceMs = PATIENCE_MS): Identity {
  const google = configured?.kind === 'google' ? createGoogle(configured.keyFile, patienceMs) : null;
  const endpoint = configured?.stsUrl ?? undefined;
  const connect = (settings: STSClientConfig) =>
    new STSClient({ endpoint, maxAttempts: 2, requestHandler: { connectionTimeout: 10_000 }, ...settings });

  function unusable(error: unknown): never {
    const whose = google ? 'Google service account' : 'AWS identity';
    throw problems.identity_unusable(`This deployment's own ${whose} cannot be used: ${(error as Error).name}.`);
  }

  /** Who one is, every region says. */
  async function anywhere(): Promise<STSClient> {
    const region = await connect({})
      .config.region()
      .catch(() => 'us-east-1');
    return connect({ region });
  }

  return {
    async setup(orgId) {
      if (!configured) throw problems.identity_missing();
      try {
        return await (google ? googleSetup(google, orgId) : awsSetup(await anywhere(), orgId, patienceMs));
      } catch (error) {
        if (error instanceof Problem) throw error;
        return unusable(error);
      }
    },

    async assumeRole({ roleArn, orgId, region }) {
      if (!configured) throw problems.identity_missing();
      const audience = audienceOf(orgId);
      // With a token nothing is signed.
      const sts = connect({ region: region ?? 'us-east-1', ...(google ? { credentials: UNSIGNED } : {}) });
      const role = { RoleArn: roleArn, RoleSessionName: SESSION, DurationSeconds: SESSION_S };
      try {
        const WebIdentityToken = google ? await google.token(audience).catch(unusable) : undefined;
        const options = { abortSignal: AbortSignal.timeout(patienceMs) };
        const { Credentials } = google
          ? await sts.send(new AssumeRoleWithWebIdentityCommand({ ...role, WebIdentityToken }), options)
          : await sts.send(new AssumeRoleCommand({ ...role, ExternalId: audience }), options);
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
  if (error instanceof Problem) return error;
  if (status === undefined) return problems.bucket_unavailable(`AWS STS did not answer for the role ${roleArn}.`);
  if (/^Throttl/.test(name)) return problems.bucket_busy(`AWS STS asks to slow down (${name}): try again later.`);
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
function createGoogle(keyFile: string | null, patienceMs: number): Google {
  if (!keyFile) {
    const auth = new GoogleAuth();
    return {
      token: (audience) =>
        inTime(
          patienceMs,
          auth.getIdTokenClient(audience).then((client) => client.idTokenProvider.fetchIdToken(audience)),
        ),
      projectId: () => auth.getProjectId().catch(() => null),
    };
  }
  const account = async () => JSON.parse(await readFile(keyFile, 'utf8')) as ServiceAccount;
  return {
    token: async (audience) => createServiceAccount(await account(), fetch).fetchIdToken(audience),
    projectId: async () => (await account()).project_id ?? null,
  };
}

/** The machine's metadata may be silent for long. */
function inTime<T>(patienceMs: number, work: Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(patienceMs);
  return Promise.race([
    work,
    new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason), { once: true })),
  ]);
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
      // The audience of a token that has an authorised party, as those of service accounts do, is `oaud`.
      StringEquals: { [`${ISSUER}:sub`]: sub, [`${ISSUER}:oaud`]: audience },
    }),
  };
}

async function awsSetup(sts: STSClient, orgId: string, patienceMs: number): Promise<Setup> {
  try {
    const { Arn = '' } = await sts.send(new GetCallerIdentityCommand({}), {
      abortSignal: AbortSignal.timeout(patienceMs),
    });
    const audience = audienceOf(orgId);
    return {
      provider: 'aws',
      authMode: 'assume_role',
      projectId: null,
      email: null,
      subjectId: null,
      audience,
      trustPolicy: trustOf(Arn, audience),
    };
  } finally {
    sts.destroy();
  }
}

/**
 * Whom an organisation's role trusts on AWS. Sessions come and go: what is trusted is the role behind one, which a session names without its path. A principal must be named
 * exactly, so that it is the account, of which the condition lets in that role alone.
 */
function trustOf(arn: string, externalId: string): object {
  const StringEquals = { 'sts:ExternalId': externalId };
  const [, partition, account, role] = /^arn:([^:]+):sts::(\d+):assumed-role\/([^/]+)\//.exec(arn) ?? [];
  if (!role) return trust({ AWS: arn }, 'sts:AssumeRole', { StringEquals });
  const within = `arn:${partition}:iam::${account}:`;
  const ArnLike = { 'aws:PrincipalArn': [`${within}role/${role}`, `${within}role/*/${role}`] };
  return trust({ AWS: `${within}root` }, 'sts:AssumeRole', { StringEquals, ArnLike });
}

const trust = (Principal: object, Action: string, Condition: object) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal, Action, Condition }],
});

const keysOf = ({ AccessKeyId, SecretAccessKey, SessionToken, Expiration }: AwsCredentials) => ({
  accessKeyId: AccessKeyId!,
  secretAccessKey: SecretAccessKey!,
  sessionToken: SessionToken!,
  expiration: Expiration ?? new Date(Date.now() + SESSION_S * 1000),
});
