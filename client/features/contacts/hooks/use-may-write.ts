import { useAppSelector } from '../../../core/store.ts';

/** Whether the user may add and change contacts and parties. */
export function useMayWrite(): boolean {
  return useAppSelector(({ user }) => {
    const permissions = user.current?.permissions;
    return permissions?.createCases === true || permissions?.handleIntakes === true;
  });
}
