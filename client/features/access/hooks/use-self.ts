import { useAppSelector } from '../../../core/store.ts';

/** The signed-in user's id, and whether they may change who sees matters. */
export function useSelf() {
  const id = useAppSelector(({ user }) => user.current?.id ?? '');
  const canChange = useAppSelector(
    ({ user }) =>
      user.current?.permissions.createCases === true ||
      user.current?.permissions.manageWalls === true,
  );
  return { id, canChange };
}
