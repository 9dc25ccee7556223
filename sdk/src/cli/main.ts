#!/usr/bin/env node
import { runCommandLine } from './program.ts';

await runCommandLine(process.argv, process.env);
