import type { ReducersMapObject, Store, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import type { Permission } from '@matterdesk/contract/permissions.ts';

/**
 * The state of all slices. Each slice declares its own member, so that a feature can read another's
 * state without importing it or the shell.
 */
export interface RootState {}

export type Dispatch = ThunkDispatch<RootState, undefined, UnknownAction>;
type RootStore = Pick<Store<RootState>, 'getState' | 'subscribe'> & { dispatch: Dispatch };

let connected: RootStore | undefined;

let add: ((slices: ReducersMapObject) => void) | undefined;

/** Called by the shell, which assembles the store from the features' slices. */
export function connectStore(assembled: RootStore, adding?: typeof add): void {
  connected = assembled;
  add = adding;
}

/** Adds the slice of a page that few open, when that is loaded. */
export function addSlices(slices: ReducersMapObject): void {
  add?.(slices);
}

/** The store, for code outside components. */
export const store = {
  getState: () => current().getState(),
  subscribe: (listener: () => void) => current().subscribe(listener),
  dispatch: ((action: UnknownAction) => current().dispatch(action)) as Dispatch,
};

function current(): RootStore {
  if (!connected) throw new Error('The store is used before it is assembled');
  return connected;
}

export function isSignedIn(): boolean {
  const { current, token } = store.getState().user;
  return Boolean(current?.id && token);
}

export const useAppDispatch = useDispatch.withTypes<Dispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();

/** Whether the user has at least one of the permissions. */
export function useMay(...names: Permission[]): boolean {
  return useAppSelector(({ user }) =>
    names.some((name) => user.current?.permissions[name] === true),
  );
}
