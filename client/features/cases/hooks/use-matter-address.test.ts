import { describe, expect, test } from 'vitest';
import { caseTabs, tabOf } from './use-matter-address.ts';

const tabIn = (search: string, hash = '') => tabOf(new URLSearchParams(search), hash);

describe('the address of a matter', () => {
  test.each([
    ['tab=details', '', 'details'],
    ['tab=tasks', '', 'tasks'],
    ['tab=dates', '', 'dates'],
    ['folder=Leases&file=Lease.pdf', '', 'files'],
    ['tab=details&folder=Leases&file=Lease.pdf', '', 'details'],
    ['', '#files-title', 'files'],
    ['', '#summary', 'details'],
    ['tab=files', '#summary', 'files'],
  ])('?%s%s opens the tab %s', (search, hash, tab) => {
    expect(tabIn(search, hash)).toBe(tab);
  });

  test('the first tab is open where an address names none that exists', () => {
    for (const search of ['', 'tab=invoices', 'ask=1', 'edit=SOL', 'access=1', 'activity=all'])
      expect(tabIn(search)).toBe(caseTabs[0].value);
  });
});
