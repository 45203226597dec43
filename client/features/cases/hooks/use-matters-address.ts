import { useMemo } from 'react';
import { caseSorts, caseTypes, statuses } from '@matterdesk/contract/cases.ts';
import { useAppSelector } from '../../../core/store.ts';
import { anyText, oneOf, searchText, useAddress } from '../../../core/use-address.ts';
import type { ListQuery } from '../rules.lists.ts';

/** A user's own cases, in the address. */
export const MINE = 'me';

const schema = {
  tab: oneOf(['archive']),
  search: searchText,
  sort: oneOf(caseSorts.filter((sort) => sort !== 'newest')),
  status: oneOf(statuses),
  type: oneOf(caseTypes),
  assigned: anyText,
  incomplete: oneOf(['1']),
};
/** Kept by a saved view of the matters. */
export const VIEW_MEMBERS = Object.keys(schema);
export const NO_FILTERS = { status: '', type: '', assigned: '', incomplete: '' };

export type MattersAddress = ReturnType<typeof useMattersAddress>;

/** The shown list, as in the address: `?tab=archive&search=…&sort=sol&status=…&type=…&assigned=me&incomplete=1`. */
export function useMattersAddress() {
  const { address, change } = useAddress(schema, { isBackUndo: true });
  const me = useAppSelector((state) => state.user.current?.id);
  const query = useMemo<ListQuery>(() => {
    const { tab, search, sort, status, type, assigned, incomplete } = address;
    return {
      statusType: tab === 'archive' ? 'Archive' : 'Active',
      search,
      sort: sort || undefined,
      status: status || undefined,
      type: type || undefined,
      assigned: (assigned === MINE ? me : assigned) || undefined,
      incomplete: incomplete || undefined,
    };
  }, [address, me]);
  return { query, address, change };
}
