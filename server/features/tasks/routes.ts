import { taskListRoutes } from '@matterdesk/contract/task-lists.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import type { Binder } from '../../http/bind.ts';
import { addTask, changeTask, deleteTask, listTasks, readBoard } from './service.ts';

export function serveTasks(binder: Binder) {
  binder.serve(taskListRoutes, {
    listTasks: ({ context, query }) => listTasks(context, query),
  });
  binder.serve(taskRoutes, {
    readBoard: async ({ context, params }) => ({
      tasks: await readBoard(context, params.id),
    }),
    addTask: async ({ context, body, once }) => ({
      tasks: await addTask(context, body, once),
    }),
    changeTask: ({ context, params, body }) => changeTask(context, params.id, body),
    replaceTask: ({ context, params, body }) => changeTask(context, params.id, body),
    deleteTask: async ({ context, params }) => {
      await deleteTask(context, params.id);
      return null;
    },
  });
}
