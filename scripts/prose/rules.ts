import type { CommentLine, Passage } from './sources.ts';
import { BANNED_IN_NAMES, BANNED_WORDS, BRITISH_NAMES, BRITISH_SPELLINGS } from './vocabulary.ts';

/** A place that breaks a rule, with what to do instead. */
export type ProseFault = { file: string; line: number; message: string };

const MAX_COLUMNS = 120;
/** A clause used as a noun ("What the caller may change") hides the noun that a reader looks for. */
const HEADLESS = /^(What|How|Who|Whom|Whose|Why)\b(?![^.]*\?)/;
/** Words that people type into prompts, and the lexicons that read them: vocabulary, not prose. */
const LEXICONS =
  /^server\/src\/(engine\/plan\/((english|french|german|spanish|chinese|language)\/|.*\.fixture\.ts$)|features\/compat\/forms\/agent-queries\.ts$)|^scripts\/prose\//;

export function findPassageFaults(passage: Passage): ProseFault[] {
  const { kind, file, line, text } = passage;
  if (LEXICONS.test(file) && kind === 'sentence') return [];
  const fault = (message: string): ProseFault => ({ file, line, message });
  if (kind === 'type') return [];
  if (kind === 'name') {
    const words = text.split(/(?<=[a-z\d])(?=[A-Z])|_|\d+/).map((word) => word.toLowerCase());
    const spellings = BRITISH_NAMES.has(text) ? [] : words;
    return [
      ...words
        .filter((word) => BANNED_IN_NAMES.has(word))
        .map((word) => fault(`the name ${text}: instead of "${word}" use ${BANNED_IN_NAMES.get(word)}`)),
      ...spellings.flatMap((word) =>
        BRITISH_SPELLINGS.filter(({ pattern }) => pattern.test(word)).map(({ instead }) =>
          fault(`the name ${text}: spell "${word}" with ${instead}`),
        ),
      ),
    ];
  }
  // Inline code names a part of the API, whatever its words.
  const prose = text.replace(/`[^`]*`/g, '``');
  const faults = BANNED_WORDS.flatMap(({ pattern, instead }) => {
    const [found] = pattern.exec(prose) ?? [];
    return found === undefined ? [] : [fault(`"${found}": write ${instead}`)];
  });
  for (const { pattern, instead } of BRITISH_SPELLINGS) {
    const [found] = pattern.exec(prose) ?? [];
    if (found !== undefined) faults.push(fault(`"${found}" is British: write ${instead}`));
  }
  if (kind === 'comment' && HEADLESS.test(text))
    faults.push(fault(`the comment starts with a headless clause: "${text.slice(0, 50)}…"`));
  return faults;
}

export function findWideComments(lines: readonly CommentLine[]): ProseFault[] {
  return lines
    .filter(({ columns }) => columns > MAX_COLUMNS)
    .map(({ file, line, columns }) => ({
      file,
      line,
      message: `the comment is ${columns} columns wide, at most ${MAX_COLUMNS}`,
    }));
}

/** Exported types of one name in several files of a package: a reader cannot tell which one is meant. */
export function findDuplicateTypes(passages: readonly Passage[]): ProseFault[] {
  const byName = Map.groupBy(
    passages.filter(({ kind }) => kind === 'type'),
    ({ file, text }) => `${file.split('/')[0]} ${text}`,
  );
  return [...byName.values()].flatMap((declared) =>
    declared.length < 2
      ? []
      : declared.map(({ file, line, text }) => ({
          file,
          line,
          message: `the exported type ${text} is declared in ${declared.length} files`,
        })),
  );
}

const MAX_SUBJECT = 72;

export function findSubjectFaults(subjects: readonly string[]): string[] {
  return subjects.flatMap((subject) => {
    if (subject.length > MAX_SUBJECT)
      return [`commit "${subject}": the subject has ${subject.length} characters, at most ${MAX_SUBJECT}`];
    return /^[\w()./, -]+: \S/.test(subject) ? [] : [`commit "${subject}": write "area: imperative summary"`];
  });
}
