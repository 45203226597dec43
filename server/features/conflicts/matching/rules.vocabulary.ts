import { readFileSync } from 'node:fs';

const FILE = 'vocabulary.txt';

/** Parses `vocabulary.txt`, which describes its own sections. @throws Error that names a missing section */
function parseVocabulary(text: string) {
  const sections = new Map<string, string[]>();
  for (const section of text.replaceAll(/^(#.*)?\n/gm, '').split(/^(?=\[[a-z ]+\]$)/m)) {
    const [name = '', ...lines] = section.trimEnd().split('\n');
    sections.set(name, lines);
  }
  const linesOf = (name: string) => {
    const lines = sections.get(`[${name}]`);
    if (!lines) throw new Error(`${FILE} has no section [${name}]`);
    return lines.map((line) => line.split(' '));
  };
  const wordsOf = (name: string) => new Set(linesOf(name).flat());
  return {
    noise: wordsOf('noise'),
    titles: wordsOf('titles'),
    suffixes: wordsOf('suffixes'),
    legalForms: wordsOf('legal forms'),
    /** These are words of names, too, unless they are written in capitals. */
    shortLegalForms: wordsOf('legal forms in capitals'),
    organizations: wordsOf('organizations'),
    particles: wordsOf('particles'),
    abbreviations: new Map(
      linesOf('abbreviations').map(([short = '', , long = '']) => [short, long]),
    ),
    fullNames: fullNamesOf(linesOf('nicknames')),
  };
}

/** The full names that each first name stands for, itself included. */
function fullNamesOf(lines: string[][]): Map<string, string[]> {
  const fullNames = new Map<string, string[]>();
  for (const [full = '', ...short] of lines)
    for (const name of [full, ...short])
      fullNames.set(name, [...(fullNames.get(name) ?? []), full]);
  return fullNames;
}

export const vocabulary = parseVocabulary(readFileSync(new URL(FILE, import.meta.url), 'utf8'));

const namesOf = new Map<string, string[]>();
for (const [name, fulls] of vocabulary.fullNames)
  for (const full of fulls) namesOf.set(full, [...(namesOf.get(full) ?? []), name]);

/** The full name that two first names share: 'robert' for 'bob' and 'rob'. */
export function sharedFullName(one: string, other: string): string | undefined {
  if (one === other) return undefined;
  const fulls = vocabulary.fullNames.get(other);
  const shared = fulls && vocabulary.fullNames.get(one)?.filter((full) => fulls.includes(full));
  return shared?.find((full) => full === one || full === other) ?? shared?.[0];
}

/** All first names that share a full name with this one, without itself. */
export function relatedNames(name: string): string[] {
  const fulls = vocabulary.fullNames.get(name) ?? [];
  const related = new Set(fulls.flatMap((full) => namesOf.get(full) ?? []));
  related.delete(name);
  return [...related];
}
