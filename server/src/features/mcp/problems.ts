import { defineProblems, type ProblemTable } from '#platform/problem';

export const MCP_PROBLEMS = {
  mcp_tool_failed: { status: 400, sentence: 'The tool failed. Its message has the reason.' },
} as const satisfies ProblemTable;

export const problems = defineProblems(MCP_PROBLEMS);
