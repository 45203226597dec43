// Intakes: inquiries before they become matters.

import { FILES_PER_UPLOAD_MAX } from '@matterdesk/contract/files.ts';
import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import {
  letterRoutes,
  intakeRoutes,
  intakeStatRoutes,
} from '@matterdesk/contract/intake-routes.ts';
import { intakeFileRoutes } from '@matterdesk/contract/intakes.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { declaredLength, readUpload } from '../../http/upload.ts';
import { acceptIntake, readAcceptance } from './acceptance/service.ts';
import { eraseIntake } from './erasure/service.ts';
import { serveForms } from './forms/routes.ts';
import { addIntakeFiles, deleteIntakeFile, readIntakeFile } from './service.files.ts';
import { draftLetter, readLetter } from './service.letters.ts';
import {
  makeIntake,
  addIntakeNote,
  changeIntake,
  changeIntakeSettings,
  declineIntake,
  listIntakes,
  readIntake,
  readIntakeSettings,
  readIntakeStats,
} from './service.ts';

export function serveIntakes(binder: Binder) {
  serveForms(binder);
  serveFiles(binder);
  binder.serve(intakeRoutes, {
    listIntakes: ({ context, query }) => listIntakes(context, query),
    readIntake: ({ context, params }) => readIntake(context, params.id),
    addIntake: async ({ context, body, once, reply }) => {
      const { intake, isNew } = await makeIntake(context, body, once);
      if (!isNew) reply.code(intakeRoutes.addIntake.otherStatus);
      return { intake };
    },
    changeIntake: async ({ context, params, body }) => ({
      intake: await changeIntake(context, params.id, body),
    }),
    addNote: async ({ context, params, body, once }) => ({
      entry: await addIntakeNote(context, params.id, { ...body, once }),
    }),
    declineIntake: async ({ context, params, body }) => ({
      intake: await declineIntake(context, params.id, body),
    }),
    eraseIntake: async ({ context, params }) => {
      await eraseIntake(context, params.id);
      return null;
    },
    readSettings: ({ context }) => readIntakeSettings(context),
    changeSettings: ({ context, body }) => changeIntakeSettings(context, body),
  });
  binder.serve(letterRoutes, {
    readLetter: ({ context, params, query }) => readLetter(context, params.id, query.template),
    draftLetter: ({ context, params, body, once }) =>
      draftLetter(context, params.id, { letter: body, once }),
  });
  binder.serve(intakeStatRoutes, {
    readStats: ({ context, query }) => readIntakeStats(context, query),
  });
  binder.serve(acceptingRoutes, {
    readProposal: ({ context, params }) => readAcceptance(context, params.id),
    acceptIntake: ({ context, params, body, once }) =>
      acceptIntake(context, params.id, { input: body, once }),
  });
}

function serveFiles(binder: Binder) {
  binder.serve(intakeFileRoutes, {
    addFiles: ({ context, params, request }) => {
      const limits = { bytes: context.config.maxUploadBytes, files: FILES_PER_UPLOAD_MAX };
      const parts = readUpload(request, intakeFileRoutes.addFiles, limits);
      return addIntakeFiles(context, params.id, { parts, length: declaredLength(request) });
    },
    readFile: async ({ context, params, query, note, request, reply }) => {
      const content = await readIntakeFile(context, params);
      await sendContent(content, { isDownload: query.download === '1', note, request, reply });
      return undefined;
    },
    deleteFile: async ({ context, params }) => {
      await deleteIntakeFile(context, params);
      return null;
    },
  });
}
