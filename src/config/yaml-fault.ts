import type { YAMLParseError } from 'yaml';

/** Faults of YAML that people make, in their words; of the others the parser's own words are clear enough. */
const EXPLAINED: Partial<Readonly<Record<YAMLParseError['code'], string>>> = {
  TAB_AS_INDENT: 'a tab at the beginning of the line: indent with spaces',
  BAD_INDENT: 'the line is not indented like the lines it belongs to',
  DUPLICATE_KEY: 'the key is given twice: keys must be unique',
  MISSING_CHAR: 'something is missing: a space after the colon, a comma, a quote or a closing bracket',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one line: put the text in quotes, or begin a new line',
  BLOCK_IN_FLOW: 'a bracket before this line is not closed',
  BAD_SCALAR_START: 'a text cannot begin with this character: put it in quotes, such as "%"',
  MULTILINE_IMPLICIT_KEY: 'no ":" after the key',
};

/** What is wrong with a text that is no YAML. */
export function yamlFault(error: YAMLParseError | undefined): string {
  if (error === undefined) return 'not YAML';
  return (
    EXPLAINED[error.code] ??
    error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/u, '') ??
    'not YAML'
  );
}
