/**
 * Normalizes a request's address for the router: removes the origin, and escapes invalid percent encodings and zero
 * bytes, which no store takes, so that they get the same refusals as any other address.
 */
export function plainUrl(url: string): string {
  const own = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = own.search(/[?#]/);
  const path = end < 0 ? own : own.slice(0, end);
  if (isDecodable(path)) return own || '/';
  return path.replaceAll('%', '%25') + own.slice(path.length);
}

function isDecodable(path: string) {
  if (!path.includes('%')) return true;
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
