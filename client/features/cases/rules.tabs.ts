/** The tabs of a matter's page in their order; the first is the one of a plain address. */
export const caseTabs = [
  { value: 'stream', label: 'Stream' },
  { value: 'files', label: 'Files' },
  { value: 'tasks', label: 'Tasks' },
  { value: 'dates', label: 'Dates' },
  { value: 'details', label: 'Details' },
] as const;

export type CaseTab = (typeof caseTabs)[number]['value'];

/** The id of the panel that they switch. */
export const PANEL = 'matter-panel';

/** Parts that links name by their hash, and the tab that shows each. */
const tabOfHash: Record<string, CaseTab> = { '#files-title': 'files', '#summary': 'details' };

/** The tab that an address names, be it by a file or a part that it shows. */
export function tabOf(params: URLSearchParams, hash: string): CaseTab {
  const named = caseTabs.find(({ value }) => value === params.get('tab'));
  if (named) return named.value;
  if (params.has('file')) return 'files';
  return tabOfHash[hash] ?? caseTabs[0].value;
}
