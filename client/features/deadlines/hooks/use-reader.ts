import { useAppSelector } from '../../../core/store.ts';
import type { Reader } from '../rules.ts';

/** The signed-in user. */
export function useReader(): Reader {
  const id = useAppSelector(({ user }) => user.current?.id ?? '');
  const editsCalendar = useAppSelector(
    ({ user }) => user.current?.permissions.editCalendar === true,
  );
  return { id, editsCalendar };
}
