/** Renders documentation pages from the code's own tables. */
import type { ProblemTable } from '../server/src/platform/problem.ts';

/** Angle brackets would be HTML tags in Markdown. */
const escapeCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

export const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeCell).join(' | ')} |`).join('\n');

export function renderConfigurationPage(
  variables: readonly { name: string; values: string; defaultText: string; description: string }[],
): string {
  const rows = variables.map((each) => [`\`${each.name}\``, each.values, each.defaultText, each.description]);
  return `# Configuration

The service reads these environment variables once, when it starts. An unknown \`SIGHTLINE_*\` name is an error that suggests the closest known name. This page is generated from \`server/src/platform/config/variables.ts\`.

${markdownTable(['Variable', 'Values', 'Default', 'Description'], rows)}
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
