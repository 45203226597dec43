const FILE = /^\/api\/v1\/files\/content\/([^/]+)\/([^/]+)\/([^/?]+)/;

/** The name of the file at a content URL: its last segment. */
export function nameOfUrl(url: string): string {
  return decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
}

/** The file of a content URL, and the version if it names one; null for other addresses. */
export function fileOfLink(link: string) {
  const [, caseId, folder, name] = (FILE.exec(link) ?? []).map(decodeURIComponent);
  if (caseId === undefined || folder === undefined || name === undefined) return null;
  const [, version] = /\?version=(\d+)$/.exec(link) ?? [];
  return { caseId, folder, name, ...(version !== undefined && { version: Number(version) }) };
}
