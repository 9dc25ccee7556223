import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { dbProblems } from '../problems.ts';

const MANIFEST = 'backup.json';
/** Folder inside the backup that contains the cluster. */
export const CLUSTER_COPY = 'pg';

const Manifest = Type.Object({
  format: Type.Literal(1),
  createdAt: Type.String(),
  postgresql: Type.Object({ major: Type.Integer(), version: Type.String() }),
  folders: Type.Array(Type.String()),
  files: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer(), sha256: Type.String() })),
});
export type Manifest = Type.Static<typeof Manifest>;
export type CopiedFile = Manifest['files'][number];

/** Time, number of files and size of a backup. */
export type BackupSummary = { createdAt: string; files: number; bytes: number; postgresql: string };

export function summarize({ createdAt, files, postgresql }: Manifest): BackupSummary {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { createdAt, files: files.length, bytes, postgresql: postgresql.version };
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const path = join(folder, MANIFEST);
  await writeFile(path, JSON.stringify(manifest), { mode: 0o600 });
  return path;
}

/** Reads the manifest of a backup. Throws `backup_invalid` if there is none or it lists paths outside the backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
    if (!Check(Manifest, manifest)) throw new Error(`${MANIFEST} is not a list of files`);
    for (const path of [...manifest.folders, ...manifest.files.map((file) => file.path)]) {
      if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`${MANIFEST} lists ${path}`);
    }
    return manifest;
  } catch (error) {
    throw dbProblems.backup_invalid(`${folder} is not a complete backup: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
