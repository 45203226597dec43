import type { TrayItem } from '@matterdesk/contract/tray.ts';

export const abara = {
  id: 'c1',
  caseName: 'Abara v. Northline Freight',
  caseNo: '2026-CV-00418',
};

/** A photograph that Kofi uploaded. */
export function trayItem(own: Partial<TrayItem> = {}): TrayItem {
  return {
    id: '1',
    source: 'upload',
    at: '2026-11-20T15:00:00.000Z',
    title: 'IMG_2231.heic',
    excerpt: '',
    from: null,
    pages: null,
    proposals: [],
    owner: { id: 'k', firstName: 'Kofi', lastName: 'Mensah' },
    duplicateOf: null,
    ...own,
  };
}
