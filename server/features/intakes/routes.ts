// Intakes: what comes in before it is a matter.

import { acceptingRoutes } from '@matterdesk/contract/intake-accepting.ts';
import { intakeFileRoutes } from '@matterdesk/contract/intake-files.ts';
import { letterRoutes } from '@matterdesk/contract/intake-letters.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { intakeStatRoutes } from '@matterdesk/contract/intake-stats.ts';
import { MAX_FILES_PER_UPLOAD } from '@matterdesk/contract/files.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { declaredLength, readUpload } from '../../http/upload.ts';
import { bindForms } from './forms/routes.ts';
import type { createIntakes } from './service.assembly.ts';

type Services = ReturnType<typeof createIntakes>;

export function bindIntakes(binder: Binder, services: Services, maxUploadBytes: number) {
  const { intakes, making, letters, settings, erasing, accepting, stats } = services;
  binder.bind(intakeRoutes.listIntakes, ({ actor, query }) => intakes.listIntakes(actor, query));
  binder.bind(intakeRoutes.readIntake, ({ actor, params }) => intakes.readIntake(actor, params.id));
  binder.bind(intakeRoutes.addIntake, async ({ actor, body, once }) => ({
    intake: await making.make(actor, body, once),
  }));
  binder.bind(intakeRoutes.changeIntake, async ({ actor, params, body }) => ({
    intake: await intakes.changeIntake(actor, params.id, body),
  }));
  binder.bind(intakeRoutes.addNote, async ({ actor, params, body, once }) => ({
    entry: await intakes.addNote(actor, params.id, { ...body, once }),
  }));
  binder.bind(intakeRoutes.declineIntake, async ({ actor, params, body }) => ({
    intake: await intakes.declineIntake(actor, params.id, body),
  }));
  binder.bind(intakeRoutes.eraseIntake, async ({ actor, params }) => {
    await erasing.eraseIntake(actor, params.id);
    return null;
  });
  binder.bind(letterRoutes.readLetter, ({ actor, params, query }) =>
    letters.readLetter(actor, params.id, query.template),
  );
  binder.bind(letterRoutes.draftLetter, ({ actor, params, body, once }) =>
    letters.draftLetter(actor, params.id, { letter: body, once }),
  );
  binder.bind(intakeRoutes.readSettings, () => settings.read());
  binder.bind(intakeRoutes.changeSettings, ({ actor, body }) => settings.change(actor, body));
  binder.bind(intakeStatRoutes.readStats, ({ actor, query }) => stats.read(actor, query));
  binder.bind(acceptingRoutes.readProposal, ({ actor, params }) =>
    accepting.readProposal(actor, params.id),
  );
  binder.bind(acceptingRoutes.acceptIntake, ({ actor, params, body, once }) =>
    accepting.acceptIntake({ actor, id: params.id, input: body, once }),
  );
  bindForms(binder, services.forms);
  bindFiles(binder, services, maxUploadBytes);
}

function bindFiles(binder: Binder, { files }: Services, bytes: number) {
  const limits = { bytes, files: MAX_FILES_PER_UPLOAD };
  binder.bind(intakeFileRoutes.addFiles, ({ actor, params, request }) =>
    files.addFiles(actor, params.id, {
      parts: readUpload(request, intakeFileRoutes.addFiles, limits),
      length: declaredLength(request),
    }),
  );
  binder.bind(intakeFileRoutes.readFile, async ({ actor, params, query, note, request, reply }) => {
    const content = await files.readContent(actor, params);
    await sendContent(content, { isDownload: query.download === '1', note, request, reply });
    return undefined;
  });
  binder.bind(intakeFileRoutes.deleteFile, async ({ actor, params }) => {
    await files.deleteFile(actor, params);
    return null;
  });
}
