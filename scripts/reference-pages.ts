/** Pages of the documentation that are written from the code's own tables. */
import type { ProblemTable } from '../server/src/platform/problem.ts';

const escapeCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeCell).join(' | ')} |`).join('\n');

export function renderConfigurationPage(
  variables: readonly { name: string; fallback: string; what: string }[],
): string {
  const rows = variables.map(({ name, fallback, what }) => [`\`${name}\``, fallback, what]);
  return `# Configuration

Environment variables, read once at start. An unknown \`SIGHTLINE_*\` name is an error that names the nearest right one. This page is generated from \`server/src/platform/config\`.

${markdownTable(['name', 'without it', 'what it does'], rows)}
`;
}

export function renderErrorsPage(tables: { room: string; table: ProblemTable }[]): string {
  const sections = tables.map(({ room, table }) => {
    const rows = Object.entries(table).map(([code, { status, sentence }]) => [String(status), `\`${code}\``, sentence]);
    return `## ${room}\n\n${markdownTable(['status', 'error', 'sentence'], rows)}`;
  });
  return `# Errors

Every error has one shape: \`{"detail": …, "message": …, "error": …}\`. \`error\` is the stable code, \`message\` a sentence to act on (it may say more than the table's), \`detail\` the same sentence,
or an object where there is structure. This page is generated from the rooms' \`problems.ts\`.

${sections.join('\n\n')}
`;
}
