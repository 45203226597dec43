/**
 * The address of a request as the router can read it: without an origin, and with a percent sign that
 * begins no valid encoding as a plain one, so that it meets the same refusals as any other address.
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
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
