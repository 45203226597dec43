import { describe, expect, test } from 'vitest';
import { PINS_MAX, streamRoutes } from '@matterdesk/contract/stream.ts';
import { suite } from '../../testing/app.ts';
import { addTask, openCase, registerAdmin } from '../../testing/factories.ts';
import { importEntries, importPinnedNotes, removeImportedEntries } from './service.imports.ts';

const { app, admin } = suite({ admin: registerAdmin });
const at = new Date('2024-01-02T15:00:00Z');
const write = <T>(work: Parameters<typeof app.context.writer.runAsSystem<T>>[2]) =>
  app.context.writer.runAsSystem(null, 'a test imports', work);

describe('pinned notes of an import', () => {
  test('are on top of their matters, as long as these have a pin left', async () => {
    const [one, other] = [await openCase(app, admin.token), await openCase(app, admin.token)];
    const noteOf = (caseId: string, text: string) => ({ caseId, authorId: admin.id, text, at });
    const notes = Array.from({ length: PINS_MAX + 1 }, (_, n) => noteOf(one.id, `Note ${n}`));
    const ids = await write((unit) =>
      importPinnedNotes(unit, [...notes, noteOf(other.id, 'From Clio\nColor: Blue')]),
    );
    expect(ids.length).toBe(PINS_MAX + 2);
    const pinned = async (id: string) => {
      const asked = { token: admin.token, params: { id }, query: {} };
      const { body } = await app.call(streamRoutes.readStream, asked);
      return body.pinned.map(({ entry }) => entry?.text);
    };
    expect(new Set(await pinned(one.id))).toEqual(
      new Set(Array.from({ length: PINS_MAX }, (_, n) => `Note ${n}`)),
    );
    expect(await pinned(other.id)).toEqual(['From Clio\nColor: Blue']);
    expect(await write((unit) => removeImportedEntries(unit, ids))).toEqual(new Map());
    expect(await pinned(other.id)).toEqual([]);
  });
});

describe('an imported entry', () => {
  test('from which a task was made stays, with the reason', async () => {
    const { id: caseId } = await openCase(app, admin.token);
    const entry = { caseId, authorId: admin.id, text: 'Call the carrier', at, call: null };
    const [id = '', free = ''] = await write((unit) => importEntries(unit, [entry, entry]));
    await addTask(app, admin.token, {
      case: caseId,
      assignedTo: admin.id,
      source: { type: 'entry', id },
    });
    expect(await write((unit) => removeImportedEntries(unit, [id, free]))).toEqual(
      new Map([[id, 'A task, an event or a deadline was made from it']]),
    );
  });
});
