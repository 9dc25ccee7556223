import { type ProgramServer, startProgramServer } from './program-server.ts';

const ARGUMENTS = ['-scheme', 'http', '-host', '127.0.0.1', '-backend', 'memory', '-log-level', 'error'];

/** Starts a server that speaks Google Cloud Storage's JSON API (fake-gcs-server), taking any credentials. Stop it. */
export async function startGcsServer(program: string): Promise<GcsServer> {
  const server = await startProgramServer(
    program,
    (port) => [...ARGUMENTS, '-port', String(port)],
    '/_internal/healthcheck',
  );
  const post = async (path: string, body: Uint8Array<ArrayBuffer> | string, type: string) => {
    const answer = await fetch(server.endpoint + path, { method: 'POST', body, headers: { 'content-type': type } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    ...server,
    makeBucket: (name) => post('/storage/v1/b', JSON.stringify({ name }), 'application/json'),
    put: (bucket, key, bytes) =>
      post(
        `/upload/storage/v1/b/${bucket}/o?uploadType=media&name=${encodeURIComponent(key)}`,
        bytes as Uint8Array<ArrayBuffer>,
        'video/mp4',
      ),
  };
}

export type GcsServer = ProgramServer & {
  makeBucket(name: string): Promise<void>;
  put(bucket: string, key: string, bytes: Uint8Array): Promise<void>;
};
