import type { Command } from 'commander';
import type { Sightline } from '../../../types.ts';
import { number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

export function folderCommands(program: Command, run: Run): void {
  const folders = program.command('folders').description('list and create folders');
  folders
    .command('list', { isDefault: true })
    .description('list folders')
    .option('--limit <count>', 'maximum number', number, 100)
    .action(
      run(async ({ sightline, print }, { limit }: { limit: number }) => {
        const { api } = await sightline();
        const { data } = await api.GET('/api/folders', { params: { query: { limit } } });
        const rows = data!.folders.map(({ id, name, scope, video_count }) => [id, name, scope, String(video_count)]);
        print(data, () => table(['id', 'name', 'scope', 'videos'], rows, 'There are no folders.'));
      }),
    );
  folders
    .command('create')
    .description('create a folder')
    .argument('<name>')
    .option('--org', 'share with everyone in the organization')
    .option('--description <text>', 'description of the folder')
    .action(
      run(async ({ sightline, print }, name: string, { org, description }: { org?: boolean; description?: string }) => {
        const { api } = await sightline();
        const { data } = await api.POST('/api/folders', { body: { name, scope: org ? 'org' : 'user', description } });
        print(data, () => data!.id);
      }),
    );
  folders
    .command('vision-profile')
    .description('choose the vision-language model for videos of a folder; without a profile, that of the service')
    .argument('<name>', 'name of the folder')
    .argument('[profile]')
    .action(
      run(async ({ sightline, print }, name: string, profile?: string) => {
        const { api } = await sightline();
        const folder = (await api.GET('/api/folders/get', { params: { query: { name } } })).data!;
        const params = { path: { folder_id: folder.id } };
        const { data } = await api.PATCH('/api/folders/{folder_id}', {
          params,
          body: { vision_profile: profile ?? null },
        });
        print(data, () => `${name}: ${data!.vision_profile ?? 'the model of the service'}`);
      }),
    );
}

/** Returns the folder with this name and creates it if there is none. */
export async function folderId({ api }: Sightline, name: string, org = false): Promise<string> {
  const { data } = await api.POST('/api/folders/create-or-get', { body: { name, scope: org ? 'org' : 'user' } });
  return data!.id;
}
