/**
 * Parses a `vocabulary.txt`, which describes its own sections: `[name]`, then one line per entry.
 * @returns the lines of a section by its name; throws an Error that names a missing one
 */
export function parseSections(text: string): (name: string) => string[] {
  const sections = new Map<string, string[]>();
  for (const section of text.replaceAll(/^(#.*)?\n/gm, '').split(/^(?=\[[a-z ]+\]$)/m)) {
    const [name = '', ...lines] = section.trimEnd().split('\n');
    sections.set(name, lines);
  }
  return (name) => {
    const lines = sections.get(`[${name}]`);
    if (!lines) throw new Error(`vocabulary.txt has no section [${name}]`);
    return lines;
  };
}
