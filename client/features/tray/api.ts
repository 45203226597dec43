import { PAGE_SIZE_MAX } from '@matterdesk/contract/paging.ts';
import type { TaskForm } from '@matterdesk/contract/tasks.ts';
import { type TrayItem, trayRoutes, type TraySource } from '@matterdesk/contract/tray.ts';
import { CallError } from '../../api.ts';
import { filedToCase } from '../../core/filed.ts';
import { mutation } from '../../core/mutation.ts';
import type { FetchContext } from '../../core/resource.ts';
import type { Dispatch } from '../../core/store.ts';
import type { Option } from '../../ui/option.ts';
import { titleOf } from './rules.ts';
import { type TrayAct, acted, itemLeft, trayChanged } from './slice.ts';

const PAGE = 50;

/** A list that is fetched again keeps its length. */
export function readTray(source: TraySource | '', { read, cursor, rows }: FetchContext) {
  const limit = cursor === undefined ? Math.min(Math.max(rows, PAGE), PAGE_SIZE_MAX) : PAGE;
  return read(trayRoutes.listTray, { query: { source: source || undefined, limit, cursor } });
}

export async function readCounts({ read }: FetchContext) {
  return (await read(trayRoutes.listTray, { query: { limit: 1 } })).counts;
}

// The page shows what was done, with a way back.
const shown = { toasts: 'errors' } as const;
const sendFiling = mutation(trayRoutes.fileItem, 'Couldn’t file it', shown);
const sendDismissal = mutation(trayRoutes.dismissItem, 'Couldn’t dismiss it', shown);
const sendUndo = mutation(trayRoutes.undoItem, 'Couldn’t undo it', shown);

export type Filing = {
  to: Option;
  /** '' for the folder of its source. */
  folder: string;
  task?: Omit<TaskForm, 'case'> | undefined;
};

/** Files an item; with a task, both are saved or neither. */
export function fileItem(item: TrayItem, { to, folder, task }: Filing, idempotencyKey: string) {
  return async (dispatch: Dispatch): Promise<void> => {
    const body = { case: to.id, folder, ...(task && { task }) };
    const sent = sendFiling({ params: { id: item.id }, body, idempotencyKey });
    await dispatch(removeOnceSent(item, sent));
    dispatch(acted({ ...actOn(item), to, hasTask: task !== undefined }));
    dispatch(filedToCase(to.id));
  };
}

/** 'Not for a matter' */
export function dismissItem(item: TrayItem, idempotencyKey: string) {
  return async (dispatch: Dispatch): Promise<void> => {
    const sent = sendDismissal({ params: { id: item.id }, body: {}, idempotencyKey });
    await dispatch(removeOnceSent(item, sent));
    dispatch(acted({ ...actOn(item), to: null, hasTask: false }));
  };
}

/** Puts what was filed or dismissed last back. */
export function undoAct({ id, to }: TrayAct) {
  return async (dispatch: Dispatch): Promise<void> => {
    try {
      await sendUndo({ params: { id } });
    } catch (error) {
      // A refusal stays one.
      if (error instanceof CallError && error.code !== undefined) dispatch(acted(null));
      throw error;
    }
    dispatch(acted(null));
    dispatch(trayChanged());
    if (to) dispatch(filedToCase(to.id));
  };
}

function actOn(item: TrayItem) {
  return { id: item.id, title: titleOf(item) };
}

/** Refusals of what someone else has filed or dismissed meanwhile. */
const TAKEN = [404, 409];

/** An item leaves the list once it is done, or was done by someone else. */
function removeOnceSent({ id }: TrayItem, sent: Promise<unknown>) {
  return async (dispatch: Dispatch): Promise<void> => {
    try {
      await sent;
    } catch (error) {
      if (error instanceof CallError && TAKEN.includes(error.status)) dispatch(itemLeft(id));
      throw error;
    }
    dispatch(itemLeft(id));
  };
}
