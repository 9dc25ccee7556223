import { readFile } from 'node:fs/promises';
import type { Credentials as AwsCredentials, STSClient, STSClientConfig } from '@aws-sdk/client-sts';
import type { Config } from '#platform/config/index';
import { lazy } from '#platform/lazy';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';
import { toProviderProblem } from './errors.ts';
import { createServiceAccount, READ_ONLY_SCOPE } from './service-account.ts';
import type { CloudIdentity, RoleSetup, ServiceAccount, TokenSource } from './types.ts';

/** Unique to an organization, so that no organization can use a role that trusts another one. */
const toAudience = (orgId: string) => `sightline-${orgId}`;
/** Audience of the token from which the email address of the service account is read. */
const READER_AUDIENCE = 'sightline';
const GOOGLE_ISSUER = 'accounts.google.com';
const SESSION_NAME = 'sightline';
const SESSION_S = 3_600;
/** Response timeout of AWS and Google. */
const TIMEOUT_MS = 15_000;
/** Requests with a web identity token are not signed. */
const UNSIGNED = { accessKeyId: 'unsigned', secretAccessKey: 'unsigned' };

/**
 * Creates the configured identity. It sends no request before it is used, and only ever to the STS of AWS or of the
 * operator: the owner of a bucket chooses its endpoint, which must not receive a token of this deployment.
 */
export function createIdentity(config: Config['cloudIdentity'], timeoutMs = TIMEOUT_MS): CloudIdentity {
  const google = config?.kind === 'google' ? createGoogleIdentity(config.keyFile, timeoutMs) : null;
  const endpoint = config?.stsUrl ?? undefined;
  const createSts = async (settings: STSClientConfig) => {
    const { STSClient } = await loadSts();
    return new STSClient({ endpoint, maxAttempts: 2, requestHandler: { connectionTimeout: 10_000 }, ...settings });
  };

  function throwUnusable(error: unknown): never {
    const kind = google ? 'Google service account' : 'AWS identity';
    throw problems.identity_unusable(
      `This deployment's ${kind} cannot be used (${(error as Error).name}). The operator must check SIGHTLINE_CLOUD_IDENTITY and its credentials.`,
    );
  }

  /** Client for requests that every region answers. */
  async function createStsOfDefaultRegion(): Promise<STSClient> {
    const { config } = await createSts({});
    const region = await config.region().catch(() => 'us-east-1');
    return createSts({ region });
  }

  return {
    hasReader: google !== null,

    async createReader() {
      if (!google) throw problems.reader_identity_missing();
      return google.createReader().catch(throwUnusable);
    },

    async getReader() {
      if (!google) throw problems.reader_identity_missing();
      try {
        const { email } = parseToken(await google.fetchToken(READER_AUDIENCE));
        if (!email) throw problems.reader_identity_missing();
        return { googleServiceAccountEmail: email, projectId: await google.getProjectId() };
      } catch (error) {
        if (error instanceof Problem) throw error;
        return throwUnusable(error);
      }
    },

    async getSetup(orgId) {
      if (!config) throw problems.identity_missing();
      try {
        return await (google
          ? getGoogleSetup(google, orgId)
          : getAwsSetup(await createStsOfDefaultRegion(), orgId, timeoutMs));
      } catch (error) {
        if (error instanceof Problem) throw error;
        return throwUnusable(error);
      }
    },

    async assumeRole({ roleArn, orgId, region }) {
      if (!config) throw problems.identity_missing();
      const audience = toAudience(orgId);
      const { AssumeRoleCommand, AssumeRoleWithWebIdentityCommand } = await loadSts();
      const sts = await createSts({ region: region ?? 'us-east-1', ...(google ? { credentials: UNSIGNED } : {}) });
      const role = { RoleArn: roleArn, RoleSessionName: SESSION_NAME, DurationSeconds: SESSION_S };
      try {
        const WebIdentityToken = google ? await google.fetchToken(audience).catch(throwUnusable) : undefined;
        const options = { abortSignal: AbortSignal.timeout(timeoutMs) };
        const { Credentials } = google
          ? await sts.send(new AssumeRoleWithWebIdentityCommand({ ...role, WebIdentityToken }), options)
          : await sts.send(new AssumeRoleCommand({ ...role, ExternalId: audience }), options);
        return toKeys(Credentials!);
      } catch (error) {
        throw toRoleProblem(roleArn, error);
      } finally {
        sts.destroy();
      }
    },
  };
}

const loadSts = () => import('@aws-sdk/client-sts');

function toRoleProblem(roleArn: string, error: unknown): unknown {
  const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (error instanceof Problem) return error;
  if (status === undefined) {
    return problems.bucket_unavailable(`AWS STS did not respond for the role ${roleArn}. Try again later.`);
  }
  if (/^Throttl/.test(name)) return problems.bucket_busy(`AWS STS limits the request rate (${name}). Try again later.`);
  if (status === 403 || name === 'AccessDenied') {
    return problems.bucket_access_denied(
      `AWS does not allow this deployment to assume the role ${roleArn} (${name}). Its trust policy must be the one that the setup returns.`,
    );
  }
  return toProviderProblem({ provider: 'AWS STS', bucket: roleArn, host: 'sts.amazonaws.com' }, { status, name });
}

type GoogleIdentity = {
  createReader(): Promise<TokenSource>;
  fetchToken(audience: string): Promise<string>;
  getProjectId(): Promise<string | null>;
};

/** Service account of a key file, or without one, of the machine on Google Cloud. */
function createGoogleIdentity(keyFile: string | null, timeoutMs: number): GoogleIdentity {
  if (!keyFile) {
    const load = () => import('google-auth-library');
    const open = lazy(async () => new (await load()).GoogleAuth());
    const fetchToken = async (audience: string) => {
      const { idTokenProvider } = await (await open()).getIdTokenClient(audience);
      return idTokenProvider.fetchIdToken(audience);
    };
    return {
      createReader: async () => new (await load()).GoogleAuth({ scopes: [READ_ONLY_SCOPE] }),
      fetchToken: (audience) => withTimeout(timeoutMs, fetchToken(audience)),
      getProjectId: () =>
        open()
          .then((auth) => auth.getProjectId())
          .catch(() => null),
    };
  }
  const readAccount = async () => JSON.parse(await readFile(keyFile, 'utf8')) as ServiceAccount;
  return {
    createReader: async () => createServiceAccount(await readAccount(), fetch),
    fetchToken: async (audience) => (await createServiceAccount(await readAccount(), fetch)).fetchIdToken(audience),
    getProjectId: async () => (await readAccount()).project_id ?? null,
  };
}

/** The metadata server of the machine may not respond at all. */
function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(timeout.reason), { once: true })),
  ]);
}

/** The claims of a token of the service account; its signature is not checked. */
const parseToken = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string; email?: string };

/** Reads the account's subject and email from a token that Google issued for it. */
async function getGoogleSetup(google: GoogleIdentity, orgId: string): Promise<RoleSetup> {
  const audience = toAudience(orgId);
  const token = await google.fetchToken(audience);
  const { sub, email } = parseToken(token);
  return {
    provider: 'google',
    authMode: 'web_identity',
    projectId: await google.getProjectId(),
    googleServiceAccountEmail: email ?? null,
    googleServiceAccountSubjectId: sub,
    audience,
    externalId: null,
    awsTrustPolicyTemplate: createPolicy({ Federated: GOOGLE_ISSUER }, 'sts:AssumeRoleWithWebIdentity', {
      // Tokens of service accounts have an authorized party; their audience is then `oaud`.
      StringEquals: { [`${GOOGLE_ISSUER}:sub`]: sub, [`${GOOGLE_ISSUER}:oaud`]: audience },
    }),
  };
}

async function getAwsSetup(sts: STSClient, orgId: string, timeoutMs: number): Promise<RoleSetup> {
  try {
    const { GetCallerIdentityCommand } = await loadSts();
    const { Arn = '' } = await sts.send(new GetCallerIdentityCommand({}), {
      abortSignal: AbortSignal.timeout(timeoutMs),
    });
    const externalId = toAudience(orgId);
    return {
      provider: 'aws',
      authMode: 'assume_role',
      projectId: null,
      googleServiceAccountEmail: null,
      googleServiceAccountSubjectId: null,
      audience: null,
      externalId,
      awsTrustPolicyTemplate: createAwsPolicy(Arn, externalId),
    };
  } finally {
    sts.destroy();
  }
}

/**
 * Trust policy for an AWS identity. Sessions are temporary, so the policy trusts the role of a session. Its ARN lacks
 * the role's path, and a principal must be exact: the principal is the account, with a condition on the role's name.
 */
function createAwsPolicy(arn: string, externalId: string): object {
  const StringEquals = { 'sts:ExternalId': externalId };
  const [, partition, account, role] = /^arn:([^:]+):sts::(\d+):assumed-role\/([^/]+)\//.exec(arn) ?? [];
  if (!role) return createPolicy({ AWS: arn }, 'sts:AssumeRole', { StringEquals });
  const accountArn = `arn:${partition}:iam::${account}:`;
  const ArnLike = { 'aws:PrincipalArn': [`${accountArn}role/${role}`, `${accountArn}role/*/${role}`] };
  return createPolicy({ AWS: `${accountArn}root` }, 'sts:AssumeRole', { StringEquals, ArnLike });
}

const createPolicy = (Principal: object, Action: string, Condition: object) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal, Action, Condition }],
});

const toKeys = ({ AccessKeyId, SecretAccessKey, SessionToken, Expiration }: AwsCredentials) => ({
  accessKeyId: AccessKeyId!,
  secretAccessKey: SecretAccessKey!,
  sessionToken: SessionToken!,
  expiration: Expiration ?? new Date(Date.now() + SESSION_S * 1000),
});
