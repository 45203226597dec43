import { taskListRoutes } from '@matterdesk/contract/task-lists.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import type { Binder } from '../../http/bind.ts';
import type { TaskLists } from './service.lists.ts';
import type { TaskService } from './service.ts';

export function bindTasks(
  binder: Binder,
  { tasks: service, lists }: { tasks: TaskService; lists: TaskLists },
) {
  binder.bind(taskListRoutes.listTasks, ({ actor, query }) => lists.listTasks(actor, query));
  binder.bind(taskRoutes.readBoard, async ({ actor, params }) => ({
    tasks: await service.readBoard(actor, params.id),
  }));
  binder.bind(taskRoutes.addTask, async ({ actor, body, once }) => ({
    tasks: await service.addTask(actor, body, once),
  }));
  binder.bind(taskRoutes.changeTask, ({ actor, params, body }) =>
    service.changeTask(actor, params.id, body),
  );
  binder.bind(taskRoutes.replaceTask, ({ actor, params, body }) =>
    service.changeTask(actor, params.id, body),
  );
  binder.bind(taskRoutes.deleteTask, async ({ actor, params }) => {
    await service.deleteTask(actor, params.id);
    return null;
  });
}
