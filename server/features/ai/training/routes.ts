import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import type { Binder } from '../../../http/bind.ts';
import type { TrainingService } from './service.ts';

export function bindAi(binder: Binder, training: TrainingService) {
  binder.bind(aiRoutes.train, ({ actor, body }) => training.train(actor, body));
  binder.bind(aiRoutes.check, ({ actor, body }) => training.check(actor, body));
}

/** The route that is served where files are, also with an AI host of its own. */
export function bindTrainAll(binder: Binder, training: TrainingService) {
  binder.bind(fileRoutes.trainAll, ({ actor, body }) => training.trainAll(actor, body));
}
