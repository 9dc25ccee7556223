import { type ProgramServer, startProgramServer } from './program-server.ts';

export type S3Server = ProgramServer;

/** Starts an S3 server that is not ours (moto) with STS beside it, taking any credentials. Stop it. */
export const startS3Server = (program: string): Promise<ProgramServer> =>
  startProgramServer(program, (port) => ['-H', '127.0.0.1', '-p', String(port)], '/moto-api/');
