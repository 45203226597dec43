import { useLayoutEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { type CaseTab, tabOf } from '../rules.tabs.ts';

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
