/** Words added to a text while it was being sent; all of it, if it was changed otherwise. */
export function unsentOf(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text;
}
