const FILE = /^\/api\/v1\/files\/content\/([^/]+)\/([^/]+)\/([^/?]+)/;

/** The file of a content URL; null for other addresses. */
export function fileOfLink(link: string) {
  const [, caseId, folder, name] = (FILE.exec(link) ?? []).map(decodeURIComponent);
  if (caseId === undefined || folder === undefined || name === undefined) return null;
  return { caseId, folder, name };
}
