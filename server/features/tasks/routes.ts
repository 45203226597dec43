import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import type { Binder } from '../../http/bind.ts';
import type { TaskService } from './service.ts';

export function bindTasks(binder: Binder, service: TaskService) {
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
