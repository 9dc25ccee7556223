import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { startClouds } from './clouds.ts';
import { user } from './command.ts';
import { makeFolder, type Service, startService } from './service.ts';

/** The user command line beside a service of its own. */
export type CommandLine = {
  service: Service;
  clip: string;
  /** A folder for files of the tests, removed at the end. */
  folder: string;
  /** Environment of the user; it contains no credentials. */
  env: Record<string, string>;
  clouds: Awaited<ReturnType<typeof startClouds>> | null;
  /** Output of a command, which must succeed. */
  text(...args: string[]): Promise<string>;
  /** Output as JSON: one value per line. */
  json(...args: string[]): Promise<Record<string, never>[]>;
  close(): Promise<void>;
};

/** Starts a service without models, and the emulated buckets of `clouds.ts` if requested. `logIn`: with its key. */
export async function openCommandLine({ buckets = false, logIn = false } = {}): Promise<CommandLine> {
  const folder = await makeFolder();
  const clip = await sceneClip();
  const clouds = buckets ? await startClouds(folder.path, await readFile(clip)) : null;
  const service = await startService(`${folder.path}/data`, {
    env: {
      SIGHTLINE_MODELS_DIR: `${folder.path}/data/models`,
      SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...clouds?.env,
    },
  });
  const env = { XDG_CONFIG_HOME: join(folder.path, 'config') };
  const text = async (...args: string[]) => {
    const { code, stdout, stderr } = await user(args, { env });
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  if (logIn)
    expect(await user(['login', '--url', service.url], { env, input: `${service.key}\n` })).toMatchObject({ code: 0 });
  return {
    service,
    clip,
    env,
    clouds,
    text,
    folder: folder.path,
    json: async (...args) =>
      (await text(...args, '--json')).split('\n').map((line) => JSON.parse(line) as Record<string, never>),
    async close() {
      await service.stop();
      await clouds?.stop();
      await folder.remove();
    },
  };
}
