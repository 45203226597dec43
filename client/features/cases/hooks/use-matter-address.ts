import { useLayoutEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** The open tab and the dialogs of a matter's page, opened and closed through the address. */
export function useMatterAddress() {
  const [params, setParams] = useSearchParams();
  const { hash } = useLocation();
  const tab = tabOf(params, hash);
  // A dialog opens over its tab and closes to it, also where a file or a part named it.
  const open = (name: string, value: string) => setParams({ tab, [name]: value });
  const close = () => setParams({ tab }, { replace: true });
  return {
    tab,
    choose: (next: CaseTab) => {
      if (next !== tab) setParams({ tab: next });
    },
    edit: {
      first: params.get('edit'),
      open: (first: string) => open('edit', first),
      close,
    },
    letter: {
      /** Id of a template, or 'new'; null while it is closed. */
      template: params.get('letter'),
      open: () => open('letter', 'new'),
      close,
    },
    exporting: {
      isOpen: params.get('export') === '1',
      open: () => open('export', '1'),
      close,
    },
    access: {
      isOpen: params.get('access') === '1',
      open: () => open('access', '1'),
      close,
    },
  };
}

/** Scrolls to the top of a tab that was chosen; a page that was opened keeps its place. */
export function useTopOfTab(tab: CaseTab) {
  const element = useRef<HTMLDivElement>(null);
  const shown = useRef(tab);
  useLayoutEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    element.current?.closest('main')?.scrollTo({ top: 0, behavior: 'instant' });
  }, [tab]);
  return element;
}

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
