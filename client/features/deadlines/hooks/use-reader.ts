import { usePeople } from '../../../core/people.ts';
import { useAppSelector, useMay } from '../../../core/store.ts';
import type { Reader } from '../rules.ts';

/** The signed-in user, and whether the firm has no one else. */
export function useReader(): Reader {
  const id = useAppSelector(({ user }) => user.current?.id ?? '');
  const editsCalendar = useMay('editCalendar');
  const { people } = usePeople();
  const isAlone = people.filter(({ active }) => active).length === 1;
  return { id, editsCalendar, isAlone };
}
