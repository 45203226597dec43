import { folded } from '@matterdesk/contract/normalization.ts';

export type NamedField = [label: string, value: string];

/**
 * The fields beside the name in which words of a search occur, which say why an item was found.
 * @returns such as ['Judge: Ellen Marsh']
 */
export function fieldsMatching(
  name: string,
  fields: readonly NamedField[],
  words: readonly string[],
): string[] {
  const named = folded(name);
  let missing = words.map(folded).filter((word) => !named.includes(word));
  const shown: string[] = [];
  for (const [label, value] of fields) {
    const left = missing.filter((word) => !folded(value).includes(word));
    if (left.length < missing.length) shown.push(`${label}: ${value.replaceAll(/\s+/g, ' ')}`);
    missing = left;
  }
  return shown;
}
